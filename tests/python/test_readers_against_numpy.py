"""Differential fuzzing of the readers: a file that Pith takes must hold, for numpy, the very rows Pith found in it.

What Pith read is witnessed by the fingerprint of a graph, which is of all values in order, and by the graph's edges."""

import json
import struct

import numpy as np
import pith
import pytest

TYPES = ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"]


def witness(source):
    graph = pith.build_graph(source, neighbors=2, metric="l2", threads=1)
    return graph.fingerprint, [part.tobytes() for part in graph.csr()]


def agrees(path, read):
    """Whether Pith takes the file; if it does, it must have found what `read` finds."""
    try:
        found = witness(path)
    except (pith.Error, OSError):
        return False
    array = read(path)
    assert array.ndim == 2, f"Pith takes a file of shape {array.shape}"
    native = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("="))
    assert found == witness(native), f"Pith reads other values than numpy from {array.dtype} {array.shape}"
    return True


def load_npy(path):
    return np.load(path, allow_pickle=False)


def random_rows(rng, dtype):
    shape = rng.integers(3, 12), rng.integers(1, 6)
    return np.asarray(rng.integers(-8, 9, size=shape) / 4, dtype=dtype, order=rng.choice(["C", "F"]))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_npy_that_numpy_writes(tmp_path, dtype, version):
    rng = np.random.default_rng(version[0])
    for _ in range(8):
        path = tmp_path / "rows.npy"
        with open(path, "wb") as file:
            np.lib.format.write_array(file, random_rows(rng, dtype), version=version)
        assert agrees(path, load_npy)


def mutate(rng, raw, header):
    """A change or two, half of them in the header, where they matter most."""
    raw = bytearray(raw)
    for _ in range(rng.integers(1, 3)):
        at = int(rng.integers(0, min(len(raw), header) if rng.random() < 0.5 else len(raw)))
        kind = rng.integers(0, 4)
        if kind == 0:
            raw[at] = int(rng.integers(0, 256))
        elif kind == 1:
            raw[at] = int(rng.choice(list(b"0123456789(),'<>|=fF TrueFalse")))
        elif kind == 2:
            del raw[at:at + int(rng.integers(1, 4))]
        else:
            raw[at:at] = bytes(rng.choice(list(b"0123456789 ,"), size=int(rng.integers(1, 4))).tolist())
    return bytes(raw)


def test_npy_files_with_changes(tmp_path):
    rng = np.random.default_rng(11)
    taken = 0
    for _ in range(1500):
        path = tmp_path / "rows.npy"
        np.save(path, random_rows(rng, rng.choice(TYPES)))
        path.write_bytes(mutate(rng, path.read_bytes(), 100))
        taken += agrees(path, load_npy)
    assert 20 < taken < 1480, "changes must be of both kinds"


def write_safetensors(path, rng):
    array = random_rows(rng, rng.choice(["<f2", "<f4", "<f8"])).copy(order="C")
    kinds = {2: "F16", 4: "F32", 8: "F64"}
    header = json.dumps({"rows": {"dtype": kinds[array.itemsize], "shape": list(array.shape),
                                  "data_offsets": [0, array.nbytes]}}).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + array.tobytes())
    return 8 + len(header)


def load_safetensors(path):
    """As the format is defined, by json and numpy alone."""
    raw = path.read_bytes()
    size, = struct.unpack("<Q", raw[:8])
    entries = {name: entry for name, entry in json.loads(raw[8:8 + size]).items() if name != "__metadata__"}
    (entry,) = entries.values()
    dtype = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}[entry["dtype"]]
    begin, end = entry["data_offsets"]
    return np.frombuffer(raw[8 + size:][begin:end], dtype).reshape(entry["shape"])


def test_safetensors_with_and_without_changes(tmp_path):
    rng = np.random.default_rng(12)
    path = tmp_path / "rows.safetensors"
    for _ in range(20):
        write_safetensors(path, rng)
        assert agrees(path, load_safetensors)
    taken = 0
    for _ in range(1500):
        header = write_safetensors(path, rng)
        path.write_bytes(mutate(rng, path.read_bytes(), header))
        taken += agrees(path, load_safetensors)
    assert 20 < taken < 1480, "changes must be of both kinds"
