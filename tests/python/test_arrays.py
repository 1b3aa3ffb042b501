"""Arrays of every kind are looked at where they are."""

import weakref

import numpy as np
import pith
import pytest
from pith._arrays import as_matrix, as_models


def picks(embeddings, probs):
    return pith.select(embeddings, probs, budget=30).indices.tolist()


@pytest.mark.parametrize("type_name", ["float16", "float32", "float64", ">f4", ">f2", ">f8"])
def test_floats_are_not_copied(data, type_name):
    array = data.embeddings.astype(type_name)
    matrix = as_matrix(array, "embeddings")
    assert matrix.address == array.ctypes.data
    assert matrix.scalar == {"2": "f16", "4": "f32", "8": "f64"}[str(array.dtype.itemsize)]
    assert picks(array, data.probs[0]) == picks(np.array(array, dtype=array.dtype.newbyteorder("=")),
                                                data.probs[0])


@pytest.mark.parametrize("view", [lambda a: a[::2], lambda a: a[::-1], lambda a: a[:, ::-1], lambda a: a[:, 1:5],
                                  lambda a: np.asfortranarray(a), lambda a: a[::-3, ::2]])
def test_strides_are_followed(data, view):
    embeddings, probs = view(data.embeddings), data.probs[0][: len(view(data.embeddings))]
    assert not embeddings.flags.c_contiguous
    assert as_matrix(embeddings, "embeddings").address == embeddings.ctypes.data
    assert picks(embeddings, probs) == picks(np.ascontiguousarray(embeddings), probs)


def test_memory_maps(data):
    mapped = np.load(data.folder / "e.npy", mmap_mode="r")
    assert as_matrix(mapped, "embeddings").address == mapped.ctypes.data
    assert picks(mapped, data.probs[0]) == picks(data.embeddings, data.probs[0])


class OnlyDlpack:
    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class OnlyArray:
    def __init__(self, array):
        self._array = array

    def __array__(self, dtype=None):
        return self._array


@pytest.mark.parametrize("wrapper", [OnlyDlpack, OnlyArray])
def test_protocols(data, wrapper):
    assert as_matrix(wrapper(data.embeddings), "embeddings").address == data.embeddings.ctypes.data
    assert picks(wrapper(data.embeddings), wrapper(data.probs[0])) == picks(data.embeddings, data.probs[0])


def test_the_array_lives_as_long_as_the_matrix():
    array = np.ones((1000, 100))
    alive = weakref.ref(array)
    matrix = as_matrix(array, "embeddings")
    del array
    assert alive() is not None
    del matrix
    assert alive() is None


@pytest.mark.parametrize("type_name, scalar", [("uint8", "f32"), ("int16", "f32"), ("int64", "f64"), ("bool", "f32"),
                                               ("longdouble", "f64")])
def test_other_numbers_become_floats(data, type_name, scalar):
    array = (10 * data.embeddings).astype(type_name)
    assert as_matrix(array, "embeddings").scalar == scalar


def test_lists_of_numbers(data):
    assert picks(data.embeddings.tolist(), data.probs[0].tolist()) == picks(data.embeddings.astype(float),
                                                                           data.probs[0])


def test_several_models(data):
    assert len(as_models(data.probs, "probs")) == 2
    assert len(as_models(np.stack(data.probs), "probs")) == 2
    assert len(as_models(data.probs[0].tolist(), "probs")) == 1
    bald = [pith.select(data.embeddings, probs, 20, "bald").indices.tolist()
            for probs in (data.probs, tuple(data.probs), np.stack(data.probs))]
    assert bald[0] == bald[1] == bald[2]
