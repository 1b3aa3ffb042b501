"""Pith in the manner of scikit-learn."""

from __future__ import annotations

import inspect

import numpy as np

try:
    from sklearn.base import BaseEstimator
    from sklearn.utils.multiclass import type_of_target
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise ImportError("pith.SubsetSelector needs scikit-learn, which is not installed; "
                      "install it, or call pith.select") from None

from ._arrays import rows_of
from ._options import options
from ._select import DEFAULT_BUDGET, select

_FLOATS = (np.float64, np.float32, np.float16)


class SubsetSelector(BaseEstimator):
    """Chooses rows, as scikit-learn's feature selectors choose columns.

    Parameters are those of `pith.select` that describe no data: `budget`, `strategy`, every one of
    `pith.options()`, `preset`, `threads` and `progress`; and `estimator`, a fitted classifier whose
    `predict_proba` gives the probabilities.

    `fit(X, y, probs=...)` takes the probabilities from `probs`, or from the estimator, or else from `y`: labels
    that are known for certain, so that diversity and balance alone decide. Without any of them, all items count as
    equally uncertain, and no caps hold unless `balance` asks for them. A `y` of anything but classes is not looked at.

    There is no `transform`: in scikit-learn it may not change the number of rows. As the last step of a
    Pipeline, `fit_transform` returns the rows chosen; `fit_resample` is for the pipelines of imbalanced-learn.

    >>> import numpy as np, pith
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 4)), np.arange(60) % 3
    >>> selector = pith.SubsetSelector(budget=9).fit(X, y)
    >>> np.bincount(y[selector.get_support()]).tolist()
    [3, 3, 3]
    >>> selector.set_params(budget=0.5, metric="l2").fit_transform(X, y).shape
    (30, 4)
    """

    def __init__(self, **parameters):
        bound = self._signature.bind(self, **parameters)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    def fit(self, X, y=None, *, probs=None):
        """Chooses rows of X. Sets `selection_`, `indices_` (in pick order) and `n_items_`."""
        given, X = X, self._checked(X)
        parameters = self.get_params(deep=False)
        estimator = parameters.pop("estimator")
        if probs is None and estimator is not None:
            probs = estimator.predict_proba(given)
        if probs is None and y is not None:
            probs = _certain(y, len(X))
        if probs is None:
            probs = np.full((len(X), 2), 0.5, dtype=np.float32)
            parameters["balance"] = parameters["balance"] or "none"
        self.selection_ = select(X, probs, **parameters)
        self.indices_ = self.selection_.indices
        self.n_items_ = len(X)
        return self

    def fit_transform(self, X, y=None, **fit_params):
        """The rows chosen, in pick order."""
        return rows_of(X, self.fit(X, y, **fit_params).indices_)

    def fit_resample(self, X, y, **fit_params):
        """The rows chosen and their labels, in pick order."""
        self.fit(X, y, **fit_params)
        return rows_of(X, self.indices_), rows_of(y, self.indices_)

    def get_support(self, indices: bool = False) -> np.ndarray:
        """A mask of the rows chosen, or their indices in ascending order."""
        check_is_fitted(self)
        if indices:
            return np.sort(self.indices_)
        mask = np.zeros(self.n_items_, dtype=bool)
        mask[self.indices_] = True
        return mask

    def __sklearn_is_fitted__(self) -> bool:
        # lambda_ ends like something fitted, but is a parameter.
        return hasattr(self, "indices_")

    def _checked(self, X):
        # Floats stay as they are, so that large arrays are not copied.
        if hasattr(self, "_validate_data"):
            return self._validate_data(X, dtype=_FLOATS)
        from sklearn.utils.validation import validate_data  # where the method has gone since 1.6

        return validate_data(self, X, dtype=_FLOATS)


def _certain(y, items):
    """Labels as probabilities of 0 and 1; None where they are no classes."""
    if len(y) != items:
        raise ValueError(f"y: {len(y)} labels for {items} rows of X; give one a row")
    if type_of_target(y) not in ("binary", "multiclass"):
        return None
    classes, columns = np.unique(np.asarray(y).ravel(), return_inverse=True)
    probs = np.zeros((items, max(2, len(classes))), dtype=np.float32)
    probs[np.arange(items), columns] = 1
    return probs


def _make_signature() -> inspect.Signature:
    """One parameter an option, so that scikit-learn finds them: of the table, not of a list kept here."""
    defaults = {"budget": DEFAULT_BUDGET, "strategy": "submod-bal", "estimator": None}
    defaults.update({option.name: None for option in options() if option.name not in ("budget", "strategy")})
    # What takes a budget of costs needs the costs, which are data.
    del defaults["budget_cost"]
    defaults.update(preset=None, threads=None, progress=None)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    own = [inspect.Parameter("self", kind)]
    return inspect.Signature(own + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
                                    for name, value in defaults.items()])


SubsetSelector._signature = _make_signature()
SubsetSelector.__init__.__signature__ = SubsetSelector._signature
