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


def auto_method(n, dim):
    """Exact up to the minute that --knn auto allows one machine."""
    return "exact" if n * n / 2 * dim / 1e11 <= 60 else "approximate"


def seconds_of_graph(n, dim, ranks, method):
    """With two cores a rank. All pairs: products, and sorting out what may be among a row's nearest, which is most of it at its
    beginning. In cells the sizes say as much as the plan's formula does (src/graph/reach_plan.h: 400 sampled rows, cells of a
    thousand, two places a row)."""
    pairs = n * n / 2
    if method == "exact":
        shared = 1 if ranks == 1 else 2 - 1 / ranks  # two ranks both look at the pairs between them
        return (shared * pairs * dim / 1.9e11 + 0.5e-5 * n) / ranks
    cells = n / 1000
    cost = n * (400 + cells * (1 + 64 / dim)) + 2 * n * 1.2e5 / max(32, dim)
    cost += (4.5 if dim < 128 else 2.5) * min(1, 4 / cells) * n * n / 2
    alone = 0 if ranks == 1 else 0.6e-8 * n * dim  # what no other rank helps with: norms and bounds of all rows, the plan
    return min(cost, pairs) * dim / 0.95e11 / ranks + alone


def ghosts(n, ranks):
    """Items of others that a rank's own have among their neighbours, where rows lie in no particular order: few ranks have nearly
    all of them, so that what is done for ghosts falls with the number of ranks only beyond ENTRIES of them."""
    return n * (1 - 1 / ranks) * (1 - math.exp(-ENTRIES / ranks))


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


def rank_costs(n, ranks, dim, classes, cores=2, method=None):
    """Of one of `ranks` that has `cores` to itself, or less than one where several share it: all work is taken to slow down alike."""
    method = method or auto_method(n, dim)
    rest = 0.05 + 1.5e-6 * n / ranks + 1.2e-6 * ghosts(n, ranks)  # whose rows have to be fetched and matched
    return RankCosts(method, 4 * n * (dim + classes) / ranks, bytes_held(n, dim, ranks, method),
                     2 / cores * seconds_of_graph(n, dim, ranks, method), 2 / cores * rest, bytes_received(n, dim, ranks, method))
