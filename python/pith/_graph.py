"""The neighbour graph."""

from __future__ import annotations

import json
import os

import numpy as np

from . import _core
from ._arrays import as_matrix
from ._options import given_texts
from ._progress import reporting


class Graph:
    """The nearest neighbours of every item, undirected. Made by `build_graph` or `Graph.load`; give it to
    `select` or `compare` as `graph` to build it only once."""

    def __init__(self, core: _core.Graph, name: str = "graph"):
        self._core = core
        self._name = name

    @classmethod
    def load(cls, path, *, threads: int | None = None, progress=None) -> Graph:
        """Maps a saved graph. Damaged files are refused."""
        path = os.fspath(path)
        with reporting(progress) as report:
            return cls(_core.Graph.load(path, given_texts({"threads": threads}), report), path)

    def save(self, path) -> None:
        """One file with a checksum, whole or not at all; `pith select --graph` reads it too."""
        self._core.save(os.fspath(path))

    def append(self, embeddings, more, *, threads: int | None = None, progress=None) -> Graph:
        """A graph with the rows of `more` added: the same as from scratch, for less work. The graph must be
        exact, and `embeddings` those it is of."""
        with reporting(progress) as report:
            longer = self._core.append(as_matrix(embeddings, "embeddings"), as_matrix(more, "more"),
                                       given_texts({"threads": threads}), report)
        return Graph(longer)

    def __len__(self) -> int:
        return self._core.items

    @property
    def edges(self) -> int:
        return self._core.edges

    @property
    def neighbors(self) -> int:
        """Neighbours listed per item before the graph was made undirected."""
        return self._core.neighbors

    @property
    def fingerprint(self) -> str:
        """Which embeddings it is of."""
        return self._core.fingerprint

    @property
    def search(self) -> dict:
        """How the neighbours were found: method, recall, recall_interval, reason."""
        return json.loads(self._core.search_json())

    def csr(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row starts, neighbours and dissimilarities, looked at where they are and read only. Every edge
        stands in the rows of both its ends; a dissimilarity is 1 - cos, or the distance for l2 and l1."""
        return self._core.csr()

    def __repr__(self) -> str:
        return (f"<pith.Graph: {len(self)} items, {self.edges} edges, {self.neighbors} neighbours each, "
                f"{self._core.search_text()}>")


def build_graph(embeddings, *, threads: int | None = None, progress=None, **options) -> Graph:
    """The nearest neighbours of every item, for several selections to share.

    `options` are those of the group Graph in `pith.options()`: neighbors, metric, symmetry, knn, recall, memory.

    >>> import numpy as np, pith
    >>> embeddings = np.random.default_rng(0).normal(size=(50, 4))
    >>> graph = pith.build_graph(embeddings, neighbors=3, metric="l2")
    >>> len(graph), graph.neighbors, graph.search["method"]
    (50, 3, 'exact')
    """
    given = given_texts({"threads": threads, **options}, group="Graph")
    with reporting(progress) as report:
        return Graph(_core.Graph.build(as_matrix(embeddings, "embeddings"), given, report))
