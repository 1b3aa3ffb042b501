"""How far a call has come: nothing, a bar of tqdm, or a function of the caller's."""

from __future__ import annotations

import contextlib

from . import _core


class _Bars:
    """One bar a stage."""

    def __init__(self, tqdm):
        self._tqdm = tqdm
        self._bar = None
        self._stage = None

    def __call__(self, stage, done, total):
        if self._bar is None or self._stage != stage or done < self._bar.n:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(total=total, desc=stage, unit_scale=True)
        self._bar.update(done - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()


@contextlib.contextmanager
def reporting(progress):
    """What the library may call with (stage, done, total), or None."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    elif progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise _core.OptionError("progress: True needs tqdm, which is not installed; "
                                    "install it, or pass a function of (stage, done, total)") from None
        bars = _Bars(tqdm)
        try:
            yield bars
        finally:
            bars.close()
    else:
        raise _core.OptionError(f"progress: a {type(progress).__name__} given; "
                                "pass True for a bar, or a function of (stage, done, total)")
