"""Pith chooses, out of a large dataset, the small subset worth labelling or training on.

>>> import numpy as np, pith
>>> rng = np.random.default_rng(0)
>>> embeddings, probs = rng.normal(size=(100, 8)), rng.dirichlet(np.ones(4), size=100)
>>> pith.select(embeddings, probs, budget=0.1)
<pith.Selection: 10 of 100 items>
"""

from . import _core
from ._core import Error, InfeasibleError, InputError, IoError, OptionError, UnsupportedError
from ._export import export
from ._graph import Graph, build_graph
from ._options import Option, Strategy, options, strategies
from ._query import QueryStrategy, query
from ._select import compare, select
from ._selection import Comparison, Selection

__version__ = _core.version()
__all__ = [
    "Comparison", "Error", "Graph", "InfeasibleError", "InputError", "IoError", "Option", "OptionError",
    "QueryStrategy", "Selection", "Strategy", "UnsupportedError", "build_graph", "compare",
    "export", "options", "query", "select", "strategies",
]


def __getattr__(name):
    # scikit-learn takes a second to import: only for those who use it.
    if name == "SubsetSelector":
        from ._subset_selector import SubsetSelector

        return SubsetSelector
    raise AttributeError(f"module 'pith' has no attribute '{name}'")


def __dir__():
    return sorted([*__all__, "SubsetSelector"])
