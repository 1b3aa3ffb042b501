"""Query strategies in the shapes that active learning libraries call."""

from __future__ import annotations

import numpy as np

from . import _core
from ._arrays import rows_of
from ._select import select


def query(classifier, X_pool, n_instances=1, *, embeddings=None, with_metrics=False, **options):
    """A query strategy for modAL: the indices of `n_instances` items of the pool.

    The classifier's `predict_proba` gives the probabilities; `embeddings` (default: the pool itself) tell
    which items are alike. Further options as for `pith.select`. modAL from 0.4.2 on wants the gains beside
    the indices: `with_metrics=True`.

        learner = ActiveLearner(estimator=model, query_strategy=functools.partial(pith.query, strategy="submod-bal"))
        indices, rows = learner.query(X_pool, n_instances=20)

    >>> import numpy as np, pith
    >>> class Model:
    ...     def predict_proba(self, X):
    ...         return np.stack([X[:, 0], 1 - X[:, 0]], axis=1)
    >>> pool = np.random.default_rng(0).random((50, 3))
    >>> pith.query(Model(), pool, n_instances=3, strategy="margin").shape
    (3,)
    """
    probs = classifier.predict_proba(X_pool)
    chosen = select(X_pool if embeddings is None else embeddings, probs, int(n_instances), **options)
    return (chosen.indices, chosen.gains) if with_metrics else chosen.indices


class QueryStrategy:
    """A pool-based query strategy for scikit-activeml: options now, data with `query`.

    >>> import numpy as np, pith
    >>> class Model:
    ...     classes_ = np.array([0, 1])
    ...     def predict_proba(self, X):
    ...         return np.stack([X[:, 0], 1 - X[:, 0]], axis=1)
    >>> X = np.random.default_rng(0).random((50, 3))
    >>> y = np.full(50, np.nan)
    >>> y[:4] = [0, 1, 0, 1]
    >>> picks = pith.QueryStrategy("submod-bal").query(X, y, Model(), fit_clf=False, batch_size=5)
    >>> picks.shape, bool(picks.min() >= 4)
    ((5,), True)
    """

    def __init__(self, strategy="submod-bal", *, missing_label=np.nan, **options):
        self.strategy = strategy
        self.missing_label = missing_label
        self.options = options

    def query(self, X, y, clf, fit_clf=True, sample_weight=None, candidates=None, batch_size=1,
              return_utilities=False, embeddings=None):
        """Indices of the next `batch_size` items to label.

        Items with a label in `y` count as labelled; `candidates` (default: all others) are those to choose
        from, by index. With `return_utilities`, row i holds the gain of pick i in its column and NaN in all
        others: a selection of a set weighs no item alone.
        """
        y = np.asarray(y)
        labelled = np.flatnonzero(~self._is_missing(y))
        if fit_clf:
            clf = self._fitted(clf, X, y, labelled, sample_weight)
        chosen = select(X if embeddings is None else embeddings, clf.predict_proba(X), int(batch_size),
                        self.strategy, labelled=labelled, labels=self._columns(clf, y[labelled]),
                        exclude=self._excluded(candidates, labelled, len(y)), **self.options)
        if not return_utilities:
            return chosen.indices
        utilities = np.full((len(chosen), len(y)), np.nan)
        utilities[np.arange(len(chosen)), chosen.indices] = chosen.gains
        return chosen.indices, utilities

    def _is_missing(self, y):
        missing = self.missing_label
        if isinstance(missing, float) and np.isnan(missing):
            return np.isnan(y.astype(float))
        return np.array([label is None for label in y]) if missing is None else y == missing

    @staticmethod
    def _fitted(clf, X, y, labelled, sample_weight):
        from sklearn.base import clone

        if len(labelled) == 0:
            raise _core.InputError("y: no item has a label, so clf cannot be fitted; "
                                   "label a few, or pass fit_clf=False")
        weights = () if sample_weight is None else (np.asarray(sample_weight)[labelled],)
        return clone(clf).fit(rows_of(X, labelled), y[labelled], *weights)

    @staticmethod
    def _columns(clf, labels):
        """The column of predict_proba that each label stands for; -1 where the model does not know it."""
        columns = {label: at for at, label in enumerate(np.asarray(clf.classes_).tolist())}
        return [columns.get(label, -1) for label in labels.tolist()]

    @staticmethod
    def _excluded(candidates, labelled, items):
        if candidates is None:
            return None
        candidates = np.asarray(candidates)
        if candidates.ndim != 1 or candidates.dtype.kind not in "iu":
            raise _core.InputError(f"candidates: an array of shape {candidates.shape} given; "
                                   "pass the items' indices in X")
        kept = np.union1d(candidates, labelled)
        return np.setdiff1d(np.arange(items), kept)
