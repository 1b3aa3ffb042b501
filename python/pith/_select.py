"""select and compare: arguments in, the library's answer out."""

from __future__ import annotations

import os

from . import _core
from ._arrays import as_indices, as_labels, as_matrix, as_models, as_numbers, is_path
from ._graph import Graph
from ._options import as_share, describe_options, given_texts, text_of
from ._progress import reporting
from ._selection import Comparison, Selection

DEFAULT_BUDGET = 0.1


def _source(embeddings, probs, graph, logits, labelled, labels, exclude, scores, costs) -> _core.Source:
    if probs is None:
        raise _core.OptionError("probs is missing; pass the class probabilities, one row an item")
    source = _core.Source()
    source.probs = as_models(probs, "probs")
    source.logits = bool(logits)
    items = source.probs[0].rows
    if embeddings is not None:
        source.embeddings = as_matrix(embeddings, "embeddings")
    if graph is not None:
        if is_path(graph):
            graph = Graph.load(graph)
        if not isinstance(graph, Graph):
            raise _core.OptionError(f"graph: a {type(graph).__name__} given; pass what pith.build_graph "
                                    "returned, or the path of a saved one")
        source.graph, source.graph_name = graph._core, graph._name
    if isinstance(labelled, dict):
        if labels is not None:
            raise _core.OptionError("labels: labelled has them already; leave one of them out")
        labelled, labels = list(labelled), list(labelled.values())
    if labels is not None and labelled is None:
        raise _core.OptionError("labels: of which items? pass their indices as labelled")
    source.labelled = as_indices(labelled, items, "labelled")
    source.labels = as_labels(labels, "labels")
    source.excluded = as_indices(exclude, items, "exclude")
    source.scores = as_numbers(scores, items, "scores")
    source.costs = as_numbers(costs, items, "costs")
    return source


def _names(ids, source) -> list[str]:
    if ids is None:
        return []
    names = [os.fspath(name) if is_path(name) else str(name) for name in ids]
    if len(names) != source.probs[0].rows:
        raise _core.InputError(f"ids: {len(names)} names for {source.probs[0].rows} items; give one an item")
    _core.require_ids(names)
    return names


def _given(budget, options, *, graph, scores, costs, threads, preset) -> dict[str, str]:
    given = given_texts({**options, "threads": threads, "preset": preset})
    for name, value in {"graph": graph, "scores": scores, "costs": costs}.items():
        if value is not None:
            given[name] = name
    # A budget of costs takes the place of the default one.
    if budget is not None and not ("budget-cost" in given and budget == DEFAULT_BUDGET):
        share = as_share(budget)
        given["budget"] = text_of("budget", budget) if share is None else f"{100 * share!r}%"
    return given


def select(embeddings, probs, budget=DEFAULT_BUDGET, strategy="submod-bal", *, graph=None, logits=False,
           labelled=None, labels=None, exclude=None, scores=None, costs=None, ids=None, preset=None,
           threads=None, progress=None, **options) -> Selection:
    """Chooses the items worth labelling or training on: what `pith select` does, with the same result.

    Arrays are looked at where they are and not copied: numpy, memory maps, torch tensors, anything with
    `__array__` or `__dlpack__`; floats of 16, 32 or 64 bits and of any strides. They must not change during
    the call, nor before `report` and `export` of what is returned, which keeps them. The GIL is released; Ctrl-C
    stops the work.

    Parameters
    ----------
    embeddings : array (items, dimensions), or the path of a file; None where `graph` is enough
    probs : array (items, classes), or a path; several models as a list of them or (models, items, classes)
    budget : int, a count; float, a share of all items; or text as on the command line: '10%'
    strategy : one of `pith.strategies()`
    graph : what `build_graph` returned, or the path of a saved one, instead of building one
    logits : probs are logits and need a softmax
    labelled : items that have labels already: indices, a mask, or a dict of index and label
    labels : the labelled items' classes, -1 where one is not known
    exclude : items never to choose: indices or a mask
    scores : a number from 0 up for each item, for term={'scores': weight}
    costs : what each item costs, above 0, for `budget_cost`, which takes the place of `budget`
    ids : a name for each item, for the table
    preset : 'default' or 'paper'
    threads : how many (default: all cores); the result is the same for any number
    progress : True for a bar of tqdm, or a function of (stage, done, total)

    >>> import numpy as np, pith
    >>> rng = np.random.default_rng(0)
    >>> embeddings = rng.normal(size=(200, 8)).astype("float32")
    >>> probs = rng.dirichlet(np.ones(5), size=200)
    >>> chosen = pith.select(embeddings, probs, budget=0.1)
    >>> len(chosen)
    20
    >>> bool(chosen.summary["certificate"]["ratio"] > 0.9)
    True

    A strategy with caps on the classes, and some items that have labels already:

    >>> more = pith.select(embeddings, probs, budget=20, strategy="margin", balance="class",
    ...                    labelled=chosen.indices)
    >>> set(more) & set(chosen)
    set()

    What is wrong is said, with what to do:

    >>> pith.select(embeddings, probs, budget=0.1, neigbors=5)
    Traceback (most recent call last):
        ...
    pith.OptionError: neigbors: unknown option, did you mean 'neighbors'?
    """
    source = _source(embeddings, probs, graph, logits, labelled, labels, exclude, scores, costs)
    given = _given(budget, {"strategy": strategy, **options}, graph=graph, scores=scores, costs=costs,
                   threads=threads, preset=preset)
    names = _names(ids, source)
    share = as_share(budget) if "budget" in given else None
    with reporting(progress) as report:
        return Selection(_core.select(source, names, given, share, report), names or None)


def compare(embeddings, probs, strategies, budget=DEFAULT_BUDGET, *, graph=None, logits=False, labelled=None,
            labels=None, exclude=None, scores=None, costs=None, ids=None, preset=None, threads=None,
            progress=None, **options) -> Comparison:
    """Runs several strategies on one graph: what `pith compare` does. Arguments as for `select`.

    >>> import numpy as np, pith
    >>> rng = np.random.default_rng(0)
    >>> embeddings, probs = rng.normal(size=(200, 8)), rng.dirichlet(np.ones(5), size=200)
    >>> compared = pith.compare(embeddings, probs, ["submod-bal", "random"], budget=20)
    >>> compared.table["strategy"].tolist(), compared.table["picks"].tolist()
    (['submod-bal', 'random'], [20, 20])
    >>> bool(compared.table["objective"][0] > compared.table["objective"][1])
    True
    >>> compared["random"].indices.shape
    (20,)
    """
    source = _source(embeddings, probs, graph, logits, labelled, labels, exclude, scores, costs)
    for name in ("strategy", "measure"):
        if name in options:
            raise _core.OptionError(f"{name}: compare has its own; leave it out")
    given = _given(budget, options, graph=graph, scores=scores, costs=costs, threads=threads, preset=preset)
    names = _names(ids, source)
    share = as_share(budget) if "budget" in given else None
    with reporting(progress) as report:
        table, text, selections = _core.compare(source, names, text_of("strategies", strategies), given, share,
                                                report)
    return Comparison(table, text, {name: Selection(one, names or None) for name, one in selections.items()})


if select.__doc__ is not None:  # python -OO leaves none
    select.__doc__ = select.__doc__.replace(
        "    >>> import numpy as np, pith\n",
        "    Further options, from the library's table:\n\n" + describe_options().replace("\\", "\\\\")
        + "\n\n    >>> import numpy as np, pith\n", 1)
