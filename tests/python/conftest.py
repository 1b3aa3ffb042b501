"""What the tests of the Python module share. ctest sets PITH_COMMAND and PITH_SOURCE_DIR."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

SOURCE = pathlib.Path(os.environ.get("PITH_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
COMMAND = os.environ.get("PITH_COMMAND", str(SOURCE / "build/release/bin/pith"))


class Data:
    """300 items in 5 classes by two models, and the same as files."""

    def __init__(self, folder):
        rng = np.random.default_rng(7)
        centres = rng.normal(size=(5, 8))
        classes = rng.integers(0, 5, size=300)
        self.embeddings = (centres[classes] + rng.normal(size=(300, 8))).astype(np.float32)
        logits = rng.normal(size=(2, 300, 5)) + 2 * np.eye(5)[classes]
        probs = np.exp(logits)
        self.probs = list(probs / probs.sum(axis=2, keepdims=True))
        self.folder = folder
        self.files = ["--embeddings", str(folder / "e.npy"), "--probs", str(folder / "p0.npy")]
        np.save(folder / "e.npy", self.embeddings)
        for at, member in enumerate(self.probs):
            np.save(folder / f"p{at}.npy", member)


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    return Data(tmp_path_factory.mktemp("data"))


def run_pith(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pytest_sessionfinish(session, exitstatus):
    """A file of which everything was skipped is reported to ctest as skipped, not as passed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    ran = any(reporter.stats.get(kind) for kind in ("passed", "failed", "error"))
    if reporter.stats.get("skipped") and not ran:
        session.exitstatus = 77
