"""Arrays of any library as what the C++ side looks at, without a copy wherever that can be."""

from __future__ import annotations

import os
import sys

import numpy as np

from . import _core

_MAIN_MEMORY = (1, 3)  # DLPack's numbers for it: plain, and pinned for a GPU


def is_path(value) -> bool:
    return isinstance(value, (str, os.PathLike))


def rows_of(data, indices):
    """Rows of an array, a frame or a list."""
    if hasattr(data, "iloc"):
        return data.iloc[indices]
    return np.asarray(data)[indices]


def _refuse_unlike_arrays(value, name) -> None:
    """What numpy would not look at, or only without telling its numbers from others."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise _core.InputError(f"{name}: {np.ma.count_masked(value)} of its {value.size} numbers are masked; pass "
                               f"{name}.filled(value) with one that may stand for them, or leave their rows out")
    if hasattr(value, "toarray"):
        raise _core.InputError(f"{name}: a sparse {type(value).__name__} given; pass {name}.toarray()")
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return
    if value.layout != torch.strided:
        raise _core.InputError(f"{name}: a tensor of layout {value.layout} given; pass {name}.to_dense()")
    if value.is_neg():
        raise _core.InputError(f"{name}: the tensor is a negated view; pass {name}.resolve_neg()")


def _without_bfloat16(value):
    """Torch's bfloat16, which numpy has no name for, as the 16-bit integers behind it; others as they are."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor) and value.dtype == torch.bfloat16:
        return value.view(torch.int16), True
    return value, False


def _in_main_memory(value) -> bool:
    try:
        return value.__dlpack_device__()[0] in _MAIN_MEMORY
    except (ValueError, BufferError):  # a device that DLPack has no number for
        return False


def _as_ndarray(value, name):
    """Any array as a numpy array that looks at the same memory, where it has memory to look at."""
    _refuse_unlike_arrays(value, name)
    if isinstance(value, np.ndarray):
        return value
    if getattr(value, "requires_grad", False):
        raise _core.InputError(f"{name}: the tensor records gradients; pass {name}.detach()")
    if hasattr(value, "__dlpack_device__") and not _in_main_memory(value):
        where = getattr(value, "device", "another device")
        raise _core.InputError(f"{name}: on {where}, not in main memory; pass {name}.cpu()")
    try:
        if hasattr(value, "__array__") or not hasattr(value, "__dlpack__"):
            return np.asarray(value)
        return np.from_dlpack(value)
    except (ValueError, TypeError, RuntimeError, BufferError) as problem:
        remedy = "rows of the same length" if isinstance(value, (list, tuple)) else "a numpy array of floats"
        raise _core.InputError(f"{name}: no array can be made of it ({str(problem).partition(chr(10))[0]}); "
                               f"pass {remedy}") from None


def as_matrix(value, name: str) -> _core.Matrix:
    """A matrix of floats by the name errors call it. Floats of 16, 32 and 64 bits are looked at where they
    are, whatever their strides; integers, booleans and longer floats become a copy of floats."""
    if is_path(value):
        return _core.Matrix.of_file(os.fspath(value))
    _refuse_unlike_arrays(value, name)
    value, bfloat16 = _without_bfloat16(value)
    array = _as_ndarray(value, name)
    if array.dtype.name == "bfloat16":
        array, bfloat16 = array.view(np.uint16), True
    kind, size = array.dtype.kind, array.dtype.itemsize
    if not bfloat16 and (kind in "biu" or (kind == "f" and size > 8)):
        array = array.astype(np.float32 if kind in "biu" and size <= 2 else np.float64)
    return _core.Matrix(array, name, bfloat16)


def as_models(value, name: str) -> list[_core.Matrix]:
    """One matrix a model: of one matrix, of a list of them, or of an array (models, items, classes)."""
    if isinstance(value, (list, tuple)) and len(value) > 0 and _is_matrix(value[0]):
        members = list(value)
    elif getattr(value, "ndim", None) == 3 and len(value) > 0:
        members = [value[at] for at in range(len(value))]
    else:
        members = [value]
    names = [name if len(members) == 1 else f"{name}[{at}]" for at in range(len(members))]
    return [as_matrix(member, own) for member, own in zip(members, names)]


def _is_matrix(value) -> bool:
    return is_path(value) or getattr(value, "ndim", None) == 2


def as_indices(value, items: int, name: str) -> np.ndarray | None:
    """Items by index, or by a mask of all items."""
    if value is None:
        return None
    array = _as_ndarray(value, name)
    if array.dtype.kind == "b":
        if array.shape != (items,):
            raise _core.InputError(f"{name}: a mask of shape {array.shape} for {items} items; "
                                   "give one truth an item, or the items' indices")
        return np.flatnonzero(array)
    return _as_integers(array, name, "the items' indices")


def as_labels(value, name: str) -> np.ndarray | None:
    """Classes of the labelled items, -1 or None where one is not known."""
    if value is None:
        return None
    array = _as_ndarray(value, name)
    if array.dtype.kind == "O":
        array = _as_ndarray([-1 if label is None else label for label in array], name)
    return _as_integers(array, name, "the class's column in probs")


def _as_integers(array, name, wanted):
    if array.size == 0:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise _core.InputError(f"{name}: an array of shape {array.shape} and dtype {array.dtype} given; "
                               f"pass a list of whole numbers, {wanted}")
    return array.astype(np.int64)


def as_numbers(value, items: int, name: str) -> np.ndarray | None:
    """A number an item."""
    if value is None:
        return None
    array = _as_ndarray(value, name)
    if array.shape != (items,) or array.dtype.kind not in "biuf":
        raise _core.InputError(f"{name}: an array of shape {array.shape} and dtype {array.dtype} given "
                               f"for {items} items; pass one number an item")
    return array.astype(np.float64)
