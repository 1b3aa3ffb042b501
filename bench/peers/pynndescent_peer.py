"""pynndescent as a contender: pynndescent_peer.py data.npy out.lists n_neighbors. Compiling is not timed."""
import json
import resource
import sys
import time

import numpy
import pynndescent

K = 10
rows = numpy.load(sys.argv[1])
asked = int(sys.argv[3])


def build(data):
    # Unit rows: Euclidean distance orders them as the cosine does, and is its faster metric.
    return pynndescent.NNDescent(data, metric="euclidean", n_neighbors=asked, n_jobs=-1, random_state=1).neighbor_graph[0]


build(rows[: min(len(rows), 5000)])
best = float("inf")
spent = 0
for _ in range(5):
    start = time.perf_counter()
    found = build(rows)
    took = time.perf_counter() - start
    best = min(best, took)
    spent += took
    if spent >= 5:
        break

own = found == numpy.arange(len(rows))[:, None]
# Itself last, the others in their order.
order = numpy.argsort(own, axis=1, kind="stable")[:, :K]
lists = numpy.take_along_axis(found, order, axis=1)
lists.astype(numpy.int32).view(numpy.uint32).tofile(sys.argv[2])
print(json.dumps({"setting": f"n_neighbors {asked}", "seconds": best,
                  "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
