"""Options and strategies, as the library's own tables tell them."""

from __future__ import annotations

import functools
import json
import keyword
import os
import textwrap
from typing import Any, NamedTuple

import numpy as np

from . import _core


class Option(NamedTuple):
    """One option of a selection, as `pith.options()` lists it."""

    name: str  #: the keyword argument
    values: str  #: what it may be, as the command line's help writes it
    help: str
    group: str
    default: Any  #: None: not set, or decided from the data


class Strategy(NamedTuple):
    """One way to choose, as `pith.strategies()` lists it."""

    name: str
    summary: str
    balance: str  #: which caps hold unless `balance` says otherwise: both, class, boundary or none
    needs_graph: bool
    needs_embeddings: bool
    models: int  #: class probabilities by at least so many models; 0: their mean will do
    uses_seed: bool


def keyword_of(name: str) -> str:
    """--class-cap is class_cap, and --lambda is lambda_."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


@functools.lru_cache(maxsize=None)
def _table() -> dict[str, dict]:
    """The table, by keyword."""
    return {keyword_of(row["name"]): row for row in json.loads(_core.options_json())}


def options() -> list[Option]:
    """Every option that `select` and `compare` take beside their own arguments.

    >>> import pith
    >>> [option.name for option in pith.options() if option.group == "Graph"]
    ['neighbors', 'metric', 'symmetry', 'knn', 'recall', 'memory']
    """
    return [Option(name, row["values"], row["help"], row["group"], row["default"])
            for name, row in _table().items()]


def strategies() -> list[Strategy]:
    """Every strategy, in the order of the documentation (docs/strategies.md).

    >>> import pith
    >>> pith.strategies()[0].name
    'submod-bal'
    >>> [strategy.name for strategy in pith.strategies() if strategy.models > 1]
    ['bald', 'committee']
    """
    return [Strategy(**row) for row in json.loads(_core.strategies_json())]


def plain(value):
    """Scalars of numpy as Python's own."""
    return value.item() if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0) else value


def text_of(name: str, value) -> str:
    """A value as the command line would have it; numbers to the last bit."""
    value = plain(value)
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if name in ("class_cap", "boundary_cap") and isinstance(value, (dict, list, tuple, np.ndarray)):
        raise _core.OptionError(f"{name}: a {type(value).__name__} given; pass one number for all, or the path of a "
                                "file with a cap a line (docs/formats.md)")
    if isinstance(value, dict):
        return ",".join(f"{key}={text_of(name, weight)}" for key, weight in value.items())
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(text_of(name, one) for one in value)
    raise _core.OptionError(f"{name}: a {type(value).__name__} given; pass a number, a text or a list")


def as_share(budget) -> float | None:
    """A budget that is a share of all items and no count."""
    budget = plain(budget)
    return budget if isinstance(budget, float) else None


def given_texts(values: dict[str, Any], group: str | None = None) -> dict[str, str]:
    """Keyword arguments as the library reads them; None is not given. `group`: only options of it."""
    own = {"preset", "threads", "graph", "scores", "costs"}
    known = {name for name, row in _table().items() if group in (None, row["group"])} | own
    texts = {}
    for name, value in values.items():
        plain = name if name in known else keyword_of(name.rstrip("_"))
        if plain not in known:
            nearest = _core.nearest_word(name, sorted(known))
            hint = f", did you mean '{nearest}'?" if nearest else "; pith.options() lists them"
            raise _core.OptionError(f"{name}: unknown option{hint}")
        if value is not None:
            texts[_table()[plain]["name"] if plain in _table() else plain] = text_of(name, value)
    return texts


def describe_options() -> str:
    """The table for a docstring."""
    lines = []
    for option in options():
        if option.name in ("budget", "strategy"):
            continue
        default = "" if option.default is None else f" [{option.default}]"
        lines.append(f"{option.name} : {option.values}")
        help_text = " ".join(_core.in_keywords(option.help).split()) + default
        lines.extend(textwrap.wrap(help_text, 88, initial_indent="    ", subsequent_indent="    "))
    return textwrap.indent("\n".join(lines), "    ")
