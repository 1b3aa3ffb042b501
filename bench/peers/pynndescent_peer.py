"""pynndescent as a contender: pynndescent_peer.py data.npy out.lists n_neighbors. Compiling is not timed."""
import sys

import numpy
import pynndescent

from contender import best_seconds, tell

K = 10
rows = numpy.load(sys.argv[1])
asked = int(sys.argv[3])


def build(data):
    # Unit rows: Euclidean distance orders them as the cosine does, and is its faster metric.
    return pynndescent.NNDescent(data, metric="euclidean", n_neighbors=asked, n_jobs=-1, random_state=1).neighbor_graph[0]


build(rows[: min(len(rows), 5000)])
seconds, found = best_seconds(lambda: build(rows))
own = found == numpy.arange(len(rows))[:, None]
# Itself last, the others in their order.
order = numpy.argsort(own, axis=1, kind="stable")[:, :K]
lists = numpy.take_along_axis(found, order, axis=1)
lists.astype(numpy.int32).view(numpy.uint32).tofile(sys.argv[2])
tell(f"n_neighbors {asked}", seconds)
