from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from ._option_types import GraphOptions, Options, OptionValue

__version__: str

Path = Union[str, PathLike[str]]
# Anything with __array__ or __dlpack__, and lists of numbers.
Array = Any
Progress = Union[bool, Callable[[str, float, float], object], None]

class Error(Exception): ...
class OptionError(Error, ValueError): ...
class InputError(Error, ValueError): ...
class UnsupportedError(Error, ValueError): ...
class InfeasibleError(Error, ValueError): ...
class IoError(Error, OSError): ...

class Option(NamedTuple):
    name: str
    values: str
    help: str
    group: str
    default: Any

class Strategy(NamedTuple):
    name: str
    summary: str
    balance: str
    needs_graph: bool
    needs_embeddings: bool
    models: int
    uses_seed: bool

class Graph:
    @classmethod
    def load(cls, path: Path, *, threads: int | None = None, progress: Progress = None) -> Graph: ...
    def save(self, path: Path) -> None: ...
    def append(
        self, embeddings: Array | Path, more: Array | Path, *, threads: int | None = None, progress: Progress = None
    ) -> Graph: ...
    def __len__(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def neighbors(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def search(self) -> dict[str, Any]: ...
    def csr(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]: ...

class Selection:
    @property
    def indices(self) -> npt.NDArray[np.int64]: ...
    @property
    def gains(self) -> npt.NDArray[np.float64]: ...
    @property
    def table(self) -> dict[str, npt.NDArray[Any]]: ...
    @property
    def summary(self) -> dict[str, Any]: ...
    def to_pandas(self) -> Any: ...
    def save(self, folder: Path) -> None: ...
    def report(
        self,
        path: Path,
        *,
        class_names: Sequence[str] | Path | None = None,
        images: Path | None = None,
        experiment: Path | None = None,
        map: str = "umap",
        points: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> None: ...
    def plot(self, axes: Any = None) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...

class Comparison:
    selections: dict[str, Selection]
    table: dict[str, npt.NDArray[Any]]
    overlap: npt.NDArray[np.float64]
    graph: dict[str, Any]
    def __getitem__(self, strategy: str) -> Selection: ...
    def to_pandas(self) -> Any: ...

def options() -> list[Option]: ...
def strategies() -> list[Strategy]: ...
def build_graph(
    embeddings: Array | Path, *, threads: int | None = None, progress: Progress = None, **options: Unpack[GraphOptions]
) -> Graph: ...
def select(
    embeddings: Array | Path | None,
    probs: Array | Path | Sequence[Array | Path],
    budget: int | float | str = 0.1,
    strategy: str = "submod-bal",
    *,
    graph: Graph | Path | None = None,
    logits: bool = False,
    labelled: Array | Mapping[int, int | None] | None = None,
    labels: Array | None = None,
    exclude: Array | None = None,
    scores: Array | None = None,
    costs: Array | None = None,
    ids: Sequence[Path] | None = None,
    preset: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Selection: ...
def compare(
    embeddings: Array | Path | None,
    probs: Array | Path | Sequence[Array | Path],
    strategies: Sequence[str] | str,
    budget: int | float | str = 0.1,
    *,
    graph: Graph | Path | None = None,
    logits: bool = False,
    labelled: Array | Mapping[int, int | None] | None = None,
    labels: Array | None = None,
    exclude: Array | None = None,
    scores: Array | None = None,
    costs: Array | None = None,
    ids: Sequence[Path] | None = None,
    preset: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Comparison: ...
def export(
    selection: Selection | Path,
    to: str,
    path: Path | None = None,
    *,
    probs: Path | Sequence[Path] | None = None,
    class_names: Sequence[str] | Path | None = None,
    prefix: Path = "",
    data_key: str | None = None,
    from_name: str | None = None,
    to_name: str | None = None,
) -> str | None: ...
def query(
    classifier: Any,
    X_pool: Array,
    n_instances: int = 1,
    *,
    embeddings: Array | None = None,
    with_metrics: bool = False,
    **options: Any,
) -> Any: ...

class QueryStrategy:
    strategy: str
    missing_label: Any
    options: dict[str, Any]
    def __init__(self, strategy: str = "submod-bal", *, missing_label: Any = ..., **options: OptionValue | None) -> None: ...
    def query(
        self,
        X: Array,
        y: Array,
        clf: Any,
        fit_clf: bool = True,
        sample_weight: Array | None = None,
        candidates: Array | None = None,
        batch_size: int = 1,
        return_utilities: bool = False,
        embeddings: Array | None = None,
    ) -> Any: ...

class SubsetSelector:
    selection_: Selection
    indices_: npt.NDArray[np.int64]
    n_items_: int
    n_features_in_: int
    def __init__(
        self,
        *,
        budget: int | float | str = 0.1,
        strategy: str = "submod-bal",
        estimator: Any = None,
        preset: str | None = None,
        threads: int | None = None,
        progress: Progress = None,
        **options: Unpack[Options],
    ) -> None: ...
    def fit(self, X: Array, y: Array | None = None, *, probs: Array | None = None) -> SubsetSelector: ...
    def fit_transform(self, X: Array, y: Array | None = None, **fit_params: Any) -> Any: ...
    def fit_resample(self, X: Array, y: Array, **fit_params: Any) -> tuple[Any, Any]: ...
    def get_support(self, indices: bool = False) -> npt.NDArray[Any]: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> SubsetSelector: ...
