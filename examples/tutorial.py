# %% [markdown]
# # Which digits are worth labelling?
#
# A small classifier has seen 50 labelled digits and there is money for 100 more labels. Which ones? This tutorial goes
# once around the loop: train, select, label, train again, and look at what it brought. It needs numpy, scikit-learn and
# matplotlib, and takes some seconds.

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pith

# %% [markdown]
# ## The pool
#
# 1,797 images of 8 x 8. A quarter is kept for testing. Real pools are not balanced: of the digits 5 to 9 only every
# fifth image is left in.

# %%
images, truth = load_digits(return_X_y=True)
pool, test, pool_truth, test_truth = train_test_split(images, truth, test_size=0.25, random_state=0, stratify=truth)
rng = np.random.default_rng(0)
kept = (pool_truth < 5) | (rng.random(len(pool)) < 0.2)
pool, pool_truth = pool[kept], pool_truth[kept]
print(f"{len(pool)} images in the pool, by digit: {np.bincount(pool_truth)}")

# %% [markdown]
# ## A first model
#
# Fifty labels, drawn at random. (All labels are known here; we only look at those that were paid for.)

# %%
labelled = rng.choice(len(pool), size=50, replace=False)


def train(items):
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    return model.fit(pool[items], pool_truth[items])


def accuracy(model):
    """The mean over the digits, so that rare ones count as much as others."""
    right = model.predict(test) == test_truth
    return float(np.mean([right[test_truth == digit].mean() for digit in np.unique(truth)]))


first = train(labelled)
print(f"50 labels: {accuracy(first):.1%} right")

# %% [markdown]
# ## Selecting
#
# Pith takes embeddings (here the pixels) and the class probabilities of the first model. What is labelled already
# costs nothing and is not chosen again. Columns of `predict_proba` that the model has never seen a digit of are missing, so
# labels are counted as columns.

# %%
column_of = {digit: column for column, digit in enumerate(first.classes_)}
known = {int(item): column_of[pool_truth[item]] for item in labelled}
chosen = pith.select(pool, first.predict_proba(pool), budget=100, labelled=known)
print(chosen)

# %% [markdown]
# Every pick says why it is there: its gain, how uncertain the model was, its class and decision boundary, and how many
# items it stands for.

# %%
for rank in range(5):
    print({name: column[rank].item() for name, column in chosen.table.items()})

# %% [markdown]
# ## Labelling, and training again
#
# Beside Pith's choice: the least certain items, and as many at random, the mean of five draws.

# %%
graph = pith.build_graph(pool)
results = {"submod-bal": [accuracy(train(np.concatenate([labelled, chosen.indices])))]}
for strategy in ("margin", "random"):
    results[strategy] = []
    for seed in range(1 if strategy == "margin" else 5):
        picks = pith.select(pool, first.predict_proba(pool), budget=100, strategy=strategy, seed=seed,
                            labelled=known, graph=graph).indices
        results[strategy].append(accuracy(train(np.concatenate([labelled, picks]))))
for strategy, found in results.items():
    print(f"{strategy:<12} {np.mean(found):.1%}")

# %% [markdown]
# Either choice beats drawing at random by far; the least certain items alone do better here than Pith's default does. One seed of
# 50 labels and one small dataset say little about yours: `pith experiment` asks the same question over many trials, with a verdict.

# %% [markdown]
# ## The picture

# %%
figure, axes = plt.subplots(1, 3, figsize=(14, 4), layout="constrained")
chosen.plot(axes[:2])
axes[2].bar(["50 labels", *results], [accuracy(first), *map(np.mean, results.values())], color="#2a6f97")
axes[2].set(ylabel="accuracy, mean over digits", ylim=(0.5, 1), title="after 100 more labels")
figure.savefig("tutorial.png")
print("tutorial.png is the picture")
