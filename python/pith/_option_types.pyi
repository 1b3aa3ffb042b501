"""Keyword options of select and compare. Made by scripts/option_types; do not edit."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal, TypedDict, Union

OptionValue = Union[str, float, PathLike[str], Sequence[Union[str, float]], Mapping[str, float]]

class GraphOptions(TypedDict, total=False):
    neighbors: int | None
    metric: Literal['cosine', 'l2', 'l1'] | None
    symmetry: Literal['union', 'mutual'] | None
    knn: Literal['exact', 'approximate', 'auto'] | None
    recall: float | None
    memory: OptionValue | None

class Options(GraphOptions, total=False):
    seed: int | None
    budget_cost: float | None
    optimizer: Literal['lazy', 'naive', 'stochastic', 'threshold'] | None
    stochastic_epsilon: float | None
    threshold_epsilon: float | None
    measure: Literal['full', 'light'] | None
    uncertainty: Literal['margin', 'entropy', 'least-confidence'] | None
    lambda_: OptionValue | None
    term: OptionValue | None
    graph_cut_lambda: float | None
    facility: Literal['graph', 'dense'] | None
    gamma: OptionValue | None
    eta: float | None
    area_threshold: float | None
    areas: Literal['graph', 'exact'] | None
    clique_size: Literal[3, 4] | None
    area_quantile: float | None
    triple_scale: Literal['max', 'mean', 'none'] | None
    balance: Literal['both', 'class', 'boundary', 'none'] | None
    tau: float | None
    boundaries_per_item: int | None
    class_cap: OptionValue | None
    class_slack: OptionValue | None
    boundary_cap: OptionValue | None
    boundary_slack: float | None
    shortfall: Literal['relax', 'stop', 'error'] | None
    committee: Literal['vote', 'kl'] | None
    similarity: float | None
    spread: float | None
    quality: float | None
    radius: float | None

