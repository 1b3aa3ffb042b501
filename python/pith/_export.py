"""Picks out to labelling tools."""

from __future__ import annotations

import os

from . import _core
from ._arrays import is_path
from ._selection import SavedSelection, Selection, class_names_of, warn_of, _refusal


def _paths_of(probs) -> list[str]:
    paths = [] if probs is None else [probs] if is_path(probs) else probs
    if not isinstance(paths, (list, tuple)) or not all(map(is_path, paths)):
        raise _core.OptionError(f"probs: a {type(probs).__name__} given; pass the path of the file that the run was "
                                "made from, or a list of one a model")
    return [os.fspath(path) for path in paths]


def export(selection, to, path=None, *, probs=None, class_names=None, prefix="", data_key=None, from_name=None,
           to_name=None) -> str | None:
    """Hands the picks over to a labelling tool, with the predicted classes as pre-annotations: what
    `pith export` does.

    Parameters
    ----------
    selection : what `select` returned, or the path of a folder that it or the command saved
    to : 'label-studio', 'cvat', 'fiftyone', 'csv', 'jsonl', 'txt' or 'coco-image-list'
    path : the file to write; without it the text is returned
    probs : of a folder: where its file of class probabilities is now, if not where the run found it; several models
        as a list. Without it there are no scores, and a warning says so
    class_names : a name for each class, or the path of a file with one a line
    prefix : put before each id: a folder or an address
    data_key, from_name, to_name : what a project in Label Studio calls things

    >>> import numpy as np, pith
    >>> rng = np.random.default_rng(0)
    >>> embeddings, probs = rng.normal(size=(100, 8)), rng.dirichlet(np.ones(2), size=100)
    >>> chosen = pith.select(embeddings, probs, budget=3, ids=[f"{i}.png" for i in range(100)])
    >>> text = pith.export(chosen, "csv", class_names=["cat", "dog"], prefix="images/")
    >>> text.splitlines()[0]
    'rank,index,id,path,class,class_name,score,uncertainty,boundary,represents,label'
    """
    names = _core.ExportNames()
    for name, value in {"prefix": prefix, "data_key": data_key, "from_name": from_name, "to_name": to_name}.items():
        if value is not None:
            setattr(names, name, os.fspath(value))
    target = "" if path is None else os.fspath(path)
    if path is not None and not target:
        raise _core.OptionError("path: '' given; name a file, or leave it out for the text")
    if isinstance(selection, SavedSelection):
        raise _refusal("export")
    if isinstance(selection, Selection):
        if probs is not None:
            raise _core.OptionError("probs: this selection has its own; leave it out")
        text, notes = _core.export_selection(selection._core, to, target, class_names_of(class_names), names)
    elif is_path(selection):
        text, notes = _core.export_folder(os.fspath(selection), _paths_of(probs), to, target,
                                          class_names_of(class_names), names)
    else:
        raise _core.OptionError(f"selection: a {type(selection).__name__} given; pass what pith.select returned, "
                                "or the path of a saved one")
    warn_of(notes)
    return text.decode("utf-8", "replace") if path is None else None
