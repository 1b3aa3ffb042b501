"""Selecting from 1 GB of embeddings takes no copy of them."""

import os
import subprocess
import sys

import pytest

# 1 GiB; the same rows again and again, because drawing as many takes longer than the test.
MAKE = """
import resource, sys
import numpy as np
import pith

n, d = 262144, 1024
block = np.random.default_rng(0).normal(size=(1024, d)).astype(np.float32)
probs = np.random.default_rng(1).dirichlet(np.ones(4), size=n).astype(np.float32)

def fill(array):
    for begin in range(0, n, len(block)):
        array[begin:begin + len(block)] = block
    return array

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def choose(embeddings):
    for strategy in ("margin", "k-center"):
        assert len(pith.select(embeddings, probs, budget=2, strategy=strategy, measure="light")) == 2
"""

IN_MEMORY = MAKE + """
embeddings = fill(np.empty((n, d), dtype=np.float32))
before = peak()
choose(embeddings)
print(before, peak())
"""

# Pages of a mapped file count as resident though they are no copy: here the process may not have the memory
# for one.
MAPPED = MAKE + """
path = sys.argv[1]
fill(np.lib.format.open_memmap(path, "w+", np.float32, (n, d))).flush()
embeddings = np.load(path, mmap_mode="r")
with open("/proc/self/status") as status:
    used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
resource.setrlimit(resource.RLIMIT_DATA, (used + (512 << 20), used + (512 << 20)))
choose(embeddings)
print(0, 0)
"""


def available_bytes():
    with open("/proc/meminfo") as meminfo:
        return next(int(line.split()[1]) * 1024 for line in meminfo if line.startswith("MemAvailable"))


def run(script, *arguments):
    if available_bytes() < 4 << 30:
        pytest.skip("less than 4 GiB of memory are free")
    done = subprocess.run([sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return map(int, done.stdout.split())


def test_of_an_array():
    before, after = run(IN_MEMORY)
    assert before > 1 << 30
    assert after - before < 100 << 20, f"{(after - before) / 2**20:.0f} MiB beyond the array"


def test_of_a_mapped_file(tmp_path):
    try:
        run(MAPPED, tmp_path / "e.npy")
    finally:
        (tmp_path / "e.npy").unlink(missing_ok=True)
