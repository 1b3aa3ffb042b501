"""SubsetSelector among scikit-learn's own, and query strategies as other libraries call them."""

import functools
import pickle

import numpy as np
import pith
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import clone  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import ParameterGrid  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402


def check_name(check):
    inner = check.func if isinstance(check, functools.partial) else check
    return inner.__name__


CHECKS = list(check_estimator(pith.SubsetSelector(), generate_only=True))


@pytest.mark.parametrize("estimator, check", CHECKS, ids=[check_name(check) for _, check in CHECKS])
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def labelled(data):
    return data.embeddings, data.probs[0].argmax(axis=1)


def test_the_same_as_select(data):
    selector = pith.SubsetSelector(budget=30, neighbors=5, lambda_=(1, 1, 1)).fit(data.embeddings, probs=data.probs[0])
    chosen = pith.select(data.embeddings, data.probs[0], budget=30, neighbors=5, lambda_=(1, 1, 1))
    assert selector.indices_.tolist() == chosen.indices.tolist()
    assert selector.get_support(indices=True).tolist() == sorted(chosen)
    assert np.flatnonzero(selector.get_support()).tolist() == sorted(chosen)


def test_parameters():
    selector = pith.SubsetSelector(budget=5, metric="l2")
    assert selector.get_params()["metric"] == "l2" and selector.get_params()["estimator"] is None
    assert clone(selector).set_params(metric="l1").get_params()["metric"] == "l1"
    assert {option.name for option in pith.options()} - {"budget_cost"} <= set(selector.get_params())
    with pytest.raises(TypeError, match="neigbors"):
        pith.SubsetSelector(neigbors=3)
    with pytest.raises(ValueError, match="neigbors"):
        selector.set_params(neigbors=3)


def test_where_the_probabilities_come_from(labelled):
    X, y = labelled
    model = LogisticRegression(max_iter=500).fit(X, y)
    by_model = pith.SubsetSelector(budget=20, estimator=model).fit(X)
    assert by_model.indices_.tolist() == pith.select(X, model.predict_proba(X), 20).indices.tolist()
    by_labels = pith.SubsetSelector(budget=20).fit(X, y)
    assert np.bincount(y[by_labels.indices_]).tolist() == [4] * 5
    by_nothing = pith.SubsetSelector(budget=20).fit(X)
    assert len(by_nothing.indices_) == 20 and not by_nothing.selection_.summary["constraints"]["relaxed"]
    assert len(pith.SubsetSelector(budget=20).fit(X, X[:, 0]).indices_) == 20


def model_of_frames(max_iter=500):
    """One that knows columns by their names alone."""
    scaled = make_column_transformer((StandardScaler(), ["f0", "f1", "f2"]), remainder="passthrough")
    return make_pipeline(scaled, LogisticRegression(max_iter=max_iter))


@pytest.fixture
def frame(labelled):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    X, _ = labelled
    return pandas.DataFrame(X, columns=[f"f{at}" for at in range(X.shape[1])], index=range(1000, 1000 + len(X)))


@pytest.mark.filterwarnings("error:X:UserWarning")
def test_frames_stay_frames(labelled, frame):
    X, y = labelled
    model = model_of_frames().fit(frame, y)
    expected = pith.select(X, model.predict_proba(frame), 20).indices.tolist()
    assert pith.SubsetSelector(budget=20, estimator=model).fit(frame).indices_.tolist() == expected
    assert pith.query(model, frame, 20).tolist() == expected
    known = np.full(len(y), np.nan)
    known[:60] = y[:60]
    for clf in (model_of_frames(), LogisticRegression(max_iter=500)):
        picks = pith.QueryStrategy("margin").query(frame, known, clf, batch_size=5)
        fitted = clone(clf).fit(frame.iloc[:60], y[:60])
        again = pith.QueryStrategy("margin").query(frame, known, fitted, fit_clf=False, batch_size=5)
        assert len(picks) == 5 and picks.tolist() == again.tolist()


@pytest.mark.filterwarnings("error:X:UserWarning")
def test_an_estimator_of_names_gives_no_warning(labelled, frame):
    _, y = labelled
    model = LogisticRegression(max_iter=500).fit(frame, y)
    assert len(pith.SubsetSelector(budget=20, estimator=model).fit_resample(frame, y)[0]) == 20


def test_in_a_pipeline(labelled):
    X, y = labelled
    pipeline = make_pipeline(StandardScaler(), pith.SubsetSelector(budget=0.1))
    rows = pipeline.fit_transform(X, y)
    selector = pipeline[-1]
    np.testing.assert_array_equal(rows, pipeline[0].transform(X)[selector.indices_])
    for parameters in ParameterGrid({"subsetselector__budget": [10, 20], "subsetselector__metric": ["l2"]}):
        fitted = clone(pipeline).set_params(**parameters).fit(X, y)
        assert fitted[-1].get_support().sum() == parameters["subsetselector__budget"]
    again = pickle.loads(pickle.dumps(pipeline))
    assert again[-1].indices_.tolist() == selector.indices_.tolist()
    few, labels = selector.fit_resample(X, y)
    assert len(few) == len(labels) == 30 and labels.tolist() == y[selector.indices_].tolist()


class ModalLearner:
    """Calls a query strategy as modAL 0.4.1 (tuple = old style) and later ones do."""

    def __init__(self, estimator, query_strategy):
        self.estimator, self.query_strategy = estimator, query_strategy

    def predict_proba(self, X):
        return self.estimator.predict_proba(X)

    def query(self, X_pool, *arguments, **keywords):
        result = self.query_strategy(self, X_pool, *arguments, **keywords)
        assert not isinstance(result, tuple)
        return result, X_pool[result]


def test_as_modal_calls_it(labelled):
    X, y = labelled
    model = LogisticRegression(max_iter=500).fit(X, y)
    learner = ModalLearner(model, functools.partial(pith.query, strategy="margin", measure="light"))
    indices, rows = learner.query(X, n_instances=7)
    assert indices.tolist() == pith.select(X, model.predict_proba(X), 7, "margin").indices.tolist()
    np.testing.assert_array_equal(rows, X[indices])
    assert learner.query(X, 3)[0].shape == (3,)
    indices, gains = pith.query(learner, X, 5, with_metrics=True)
    assert len(indices) == len(gains) == 5


def test_as_scikit_activeml_calls_it(labelled):
    X, truth = labelled
    y = np.full(len(X), np.nan)
    known = [int(np.flatnonzero(truth == label)[0]) for label in range(5)]
    y[known] = truth[known]
    strategy = pith.QueryStrategy("submod-bal", neighbors=5)
    for _ in range(3):
        before = int((~np.isnan(y)).sum())
        picks = strategy.query(X=X, y=y, clf=LogisticRegression(max_iter=500), fit_clf=True, batch_size=10)
        assert picks.shape == (10,) and np.isnan(y[picks]).all() and len(set(picks.tolist())) == 10
        y[picks] = truth[picks]
        assert (~np.isnan(y)).sum() == before + 10
    candidates = np.flatnonzero(np.isnan(y))[:40]
    picks, utilities = strategy.query(X, y, LogisticRegression(max_iter=500), candidates=candidates, batch_size=6,
                                      return_utilities=True)
    assert set(picks) <= set(candidates) and utilities.shape == (6, len(X))
    assert np.isfinite(utilities).sum() == 6
    with pytest.raises(pith.InputError, match="candidates"):
        strategy.query(X, y, LogisticRegression(), candidates=X[:3], batch_size=1)
    with pytest.raises(pith.InputError, match="no item has a label"):
        strategy.query(X, np.full(len(X), np.nan), LogisticRegression(), batch_size=1)
