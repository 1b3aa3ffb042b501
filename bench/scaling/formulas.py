"""What pith select costs each of several ranks, from sizes alone, with k = 10 (docs/scale.md, docs/ranks.md)."""
import math
from typing import NamedTuple

NEIGHBORS = 10
PLACES = 4  # cells that a row of an approximate search meets in
ENTRIES = 14  # neighbours of a row once edges have both ends


class RankCosts(NamedTuple):
    method: str  # of the graph
    inputs: float  # bytes of embeddings and probabilities that the rank owns
    memory: float  # the most bytes it holds beyond mapped files
    graph: float  # seconds
    rest: float  # seconds of everything else
    received: float  # bytes


class Machine(NamedTuple):
    """What two of its cores do. As it stands: an AMD EPYC (Zen 4); of the machine at hand: machine_of()."""
    multiply_adds: float = 1.9e11  # a second, of all pairs
    row: float = 0.5e-5  # seconds beside them, for sorting out what may be among a row's nearest
    in_cells: float = 0.95e11  # multiply-adds a second, in cells
    rest: float = 1  # what everything after the graph takes, as a factor


class RankRun(NamedTuple):
    """What one rank took that had `cores` to itself."""
    n: int
    dim: int
    method: str
    cores: float
    graph: float  # seconds
    rest: float


def auto_method(n, dim):
    """Exact up to the minute that --knn auto allows one machine."""
    return "exact" if n * n / 2 * dim / 1e11 <= 60 else "approximate"


def cell_work(n, dim):
    """Multiply-adds that finding cells and meeting in them are worth; all pairs where these are fewer."""
    cells, pairs = n / 1000, n * n / 2
    cost = n * (400 + cells * (1 + 64 / dim)) + 2 * n * 1.2e5 / max(32, dim)
    cost += (4.5 if dim < 128 else 2.5) * min(1, 4 / cells) * pairs
    return min(cost, pairs) * dim


def seconds_of_graph(n, dim, ranks, method, machine=Machine()):
    """With two cores a rank. All pairs: products, and sorting out what may be among a row's nearest, which is most of it at its
    beginning. In cells the sizes say as much as the plan's formula does (src/graph/reach_plan.h: 400 sampled rows, cells of a
    thousand, two places a row)."""
    pairs = n * n / 2
    if method == "exact":
        shared = 1 if ranks == 1 else 2 - 1 / ranks  # two ranks both look at the pairs between them
        return (shared * pairs * dim / machine.multiply_adds + machine.row * n) / ranks
    alone = 0 if ranks == 1 else 0.6e-8 * n * dim  # what no other rank helps with: norms and bounds of all rows, the plan
    return cell_work(n, dim) / machine.in_cells / ranks + alone


def ghosts(n, ranks):
    """Items of others that a rank's own have among their neighbours, where rows lie in no particular order: few ranks have nearly
    all of them, so that what is done for ghosts falls with the number of ranks only beyond ENTRIES of them."""
    return n * (1 - 1 / ranks) * (1 - math.exp(-ENTRIES / ranks))


def seconds_of_rest(n, ranks, machine=Machine()):
    """With two cores a rank: linear in the items that it holds, its own and ghosts, whose rows have to be fetched and matched.
    They are looked up at random, and the more there are, the fewer lie in a cache, until none does."""
    held = n / ranks + ghosts(n, ranks)
    return machine.rest * (0.05 + (1.5e-6 * n / ranks + 1.2e-6 * ghosts(n, ranks)) * min(100, max(1, held / 1e6)) ** 0.2)


def two_paces(small, large):
    """Seconds for a unit of each of two kinds of work, from ((work, work), seconds) of two runs. Neither takes less than nothing:
    where the runs say so, a twentieth of the larger one."""
    ((a, b), first), ((c, d), second) = small, large
    pace = max(0.05 * second / c, (second * b - first * d) / (c * b - a * d))
    return pace, max(0.05 * second / d, (second - pace * c) / d)


def machine_of(runs):
    """By runs of one rank: two of all pairs, of different sizes, and one in cells."""
    def on_two_cores(seconds, run):
        return seconds * run.cores / 2

    exact = sorted((run for run in runs if run.method == "exact"), key=lambda run: run.n)
    pair, row = two_paces(*(((run.n * run.n / 2 * run.dim, run.n), on_two_cores(run.graph, run)) for run in exact))
    cells = next(run for run in runs if run.method == "approximate")
    return Machine(multiply_adds=1 / pair, row=row, in_cells=cell_work(cells.n, cells.dim) / on_two_cores(cells.graph, cells),
                   rest=on_two_cores(cells.rest, cells) / seconds_of_rest(cells.n, 1))


def bytes_held(n, dim, ranks, method):
    others = (ranks - 1) / ranks
    everywhere = 70 * n
    rows = 8 * ENTRIES * n / ranks * (2 if ranks > 1 else 1)  # own ones, and ghosts' as far as they close triangles
    if method == "exact":
        search = (16 if ranks > 1 else 8) * n * dim / ranks + 16 * NEIGHBORS * n / ranks  # visitors need two blocks more
    else:  # rows of its cells and its own; of all rows norms, groups, bounds and where they lie; cells' members, sent and received
        held = min(1, 1 - others ** PLACES + 1 / ranks)
        search = n * (16 * NEIGHBORS * held + 89) + 24 * PLACES * n / ranks
    return 30e6 + everywhere + max(search, rows + 21 * n)  # MPI itself, first


def bytes_received(n, dim, ranks, method):
    others = (ranks - 1) / ranks
    received = 16 * n + 12 * NEIGHBORS * n / ranks + 8 * n
    if method == "exact":
        received += 4 * n * dim
    else:
        received += 8 * PLACES * n / ranks + 4 * dim * n / 1000 + PLACES * 12 * 8 * n / ranks
    return received * others + 8 * ENTRIES * ghosts(n, ranks)


def rank_costs(n, ranks, dim, classes, cores=2, method=None, machine=Machine()):
    """Of one of `ranks` that has `cores` to itself, or less than one where several share it: all work is taken to slow down alike."""
    method = method or auto_method(n, dim)
    return RankCosts(method, 4 * n * (dim + classes) / ranks, bytes_held(n, dim, ranks, method),
                     2 / cores * seconds_of_graph(n, dim, ranks, method, machine), 2 / cores * seconds_of_rest(n, ranks, machine),
                     bytes_received(n, dim, ranks, method))
