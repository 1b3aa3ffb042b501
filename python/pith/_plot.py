"""Pictures of a selection, where matplotlib is installed."""

from __future__ import annotations

import numpy as np

from . import _core


def plot_selection(selection, axes=None):
    try:
        from matplotlib import pyplot
    except ImportError:
        raise _core.UnsupportedError("plot needs matplotlib, which is not installed; install it, "
                                     "or draw selection.table yourself") from None
    if axes is None:
        _, axes = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    classes, gains = axes
    groups = selection.summary["constraints"]["class"]
    available = np.array([group["available"] for group in groups], dtype=float)
    selected = np.array([group["selected"] for group in groups])
    places = np.arange(len(groups))
    classes.bar(places, selected, color="#2a6f97", label="picks")
    in_proportion = available * selected.sum() / max(available.sum(), 1)
    classes.step(places, in_proportion, where="mid", color="#999999", label="in proportion to the pool")
    classes.set(xlabel="predicted class", ylabel="picks",
                title=f"{len(selection)} picks, {selection.summary['strategy']}")
    classes.legend()
    gains.plot(selection.gains, color="#2a6f97")
    gains.set(xlabel="pick", ylabel="gain", title="what each pick added")
    return axes
