"""What was chosen."""

from __future__ import annotations

import functools
import json
import os
import warnings

import numpy as np

from . import _core
from ._arrays import is_path
from ._progress import reporting


def parse_json(text: bytes):
    """Of the library: UTF-8, but for bytes of paths that are none."""
    return json.loads(text.decode("utf-8", "replace"))


def class_names_of(given) -> list[str] | str:
    """A list, or the path of a file."""
    if given is None:
        return []
    return os.fspath(given) if is_path(given) else [str(name) for name in given]


def given_texts_of(**given) -> dict[str, str]:
    return {name: str(value) for name, value in given.items() if value is not None}


def warn_of(notes: list[str]) -> None:
    """What the library notes, as warnings where the public function was called."""
    for note in notes:
        warnings.warn(_core.in_keywords(note), stacklevel=3)


class Selection:
    """The items chosen, in pick order, and all that is known about the choice.

    >>> import numpy as np, pith
    >>> rng = np.random.default_rng(0)
    >>> embeddings, probs = rng.normal(size=(100, 8)), rng.dirichlet(np.ones(4), size=100)
    >>> chosen = pith.select(embeddings, probs, budget=10)
    >>> len(chosen), chosen.indices.dtype
    (10, dtype('int64'))
    >>> sorted(chosen.table)[:3]
    ['augmented', 'boundary', 'class']
    >>> chosen.summary["budget"]["selected"]
    10

    It keeps the embeddings, probabilities and graph that it was given, for `report` and `pith.export`, which refuse
    arrays that have changed since. A pickle of it keeps none. The picks of a torch dataset:
    `torch.utils.data.Subset(dataset, chosen.indices)`.
    """

    def __init__(self, core: _core.Selection, ids: list[str] | None = None):
        self._core = core
        self._ids = ids
        self._indices = core.indices()

    @property
    def indices(self) -> np.ndarray:
        """The picks as row numbers, best first."""
        return self._indices

    @property
    def gains(self) -> np.ndarray:
        """What each pick added to f, after those before it; NaN with measure='light'."""
        return self.table["gain"]

    @functools.cached_property
    def table(self) -> dict[str, np.ndarray]:
        """A row a pick, a column an array: the columns of selection.csv, by name. What was not measured is
        NaN; `boundary` is '' where an item has none; `id` is the name given with `ids`, or the index."""
        table = self._core.columns()
        table["id"] = self.indices if self._ids is None else np.array([self._ids[i] for i in self.indices])
        # -1, an item without a boundary, takes the last label, which is empty.
        labels = np.array(self._core.boundary_labels() + [""])
        table["boundary"] = labels[self._core.boundaries()]
        return table

    @functools.cached_property
    def summary(self) -> dict:
        """Everything that is known about the run: what summary.json holds."""
        return parse_json(self._core.summary_json())

    def to_pandas(self):
        """The table as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self.table)

    def save(self, folder) -> None:
        """Writes indices.npy, selection.csv and summary.json, whole or not at all, as `pith select --out`."""
        self._core.save(os.fspath(folder))

    def report(self, path, *, class_names=None, images=None, experiment=None, map="umap", points=None, seed=None,
               threads=None, progress=None) -> None:
        """Writes one HTML file to look at and send around: what `pith report` makes of a run's folder.

        class_names : a name for each class, or the path of a file with one a line
        images : the folder that `ids` are image paths in, for small pictures
        experiment : results folder of `pith experiment`, to show accuracy as well
        map : 'umap', PCA and a map of the neighbours; or 'pca', PCA alone, at once
        points : most items on the map (100000); seed : of the map of the neighbours
        """
        given = given_texts_of(map=map, points=points, seed=seed, threads=threads)
        with reporting(progress) as progressing:
            notes = self._core.report(os.fspath(path), os.path.splitext(os.path.basename(path))[0],
                                      class_names_of(class_names), os.fspath(images or ""),
                                      os.fspath(experiment or ""), given, progressing)
        warn_of(notes)

    def plot(self, axes=None):
        """Picks by class beside the pool, and gains in pick order, with matplotlib. Returns the two axes."""
        from ._plot import plot_selection

        return plot_selection(self, axes)

    def __len__(self) -> int:
        return len(self._indices)

    def __iter__(self):
        return iter(self._indices.tolist())

    def __str__(self) -> str:
        return self._core.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<pith.Selection: {len(self)} of {self._core.items} items>"

    def __reduce__(self):
        return SavedSelection, (self._core.items, self.table, self.summary, str(self))


def _refusal(what):
    return _core.OptionError(f"{what}: this selection came out of a pickle; {what} it before, or run it again")


class SavedSelection(Selection):
    """A selection that came out of a pickle: the same, but nothing can be made of it that takes the arrays."""

    def __init__(self, items, table, summary, text):
        self._items, self._text = items, text
        self._indices = table["index"]
        # Before the cached properties of the same names, which would ask the library.
        self.__dict__.update(table=table, summary=summary)

    def save(self, folder) -> None:
        raise _refusal("save")

    def report(self, path, **options) -> None:
        raise _refusal("report")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<pith.Selection: {len(self)} of {self._items} items>"

    def __reduce__(self):
        return SavedSelection, (self._items, self.table, self.summary, self._text)


class Comparison:
    """Several strategies side by side: `table` (a row a strategy), `overlap` (shared picks / picks of either,
    strategies by strategies) and `selections` by strategy."""

    def __init__(self, json_text: bytes, text: str, selections: dict[str, Selection]):
        report = parse_json(json_text)
        rows = report["strategies"]
        self.selections = selections
        self.table = {name: np.array([row[name] for row in rows]) for name in rows[0] if name != "indices"}
        self.overlap = np.array(report["jaccard"])
        self.graph: dict = report["graph"]
        self._text = text

    def __getitem__(self, strategy: str) -> Selection:
        return self.selections[strategy]

    def to_pandas(self):
        """The table as a pandas.DataFrame, by strategy."""
        import pandas

        return pandas.DataFrame(self.table).set_index("strategy")

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<pith.Comparison: {', '.join(self.selections)}>"
