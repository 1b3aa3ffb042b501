"""pip makes a wheel without a network, and it installs into a clean environment."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest
from conftest import SOURCE

BUILD = os.environ.get("PITH_BUILD_DIR", "build/release")
# No index to ask, whatever the machine's settings are.
OFFLINE = {**os.environ, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
OFFLINE.pop("PYTHONPATH", None)


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=OFFLINE, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("pip", reason="pip is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    # The tree that is built already: from scratch it takes minutes.
    run(sys.executable, "-m", "pip", "wheel", SOURCE, "--no-deps", "--wheel-dir", folder, "--config-settings",
        f"build-dir={BUILD}")
    return next(folder.glob("pith-*.whl"))


def test_what_is_in_it(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {f"pith/{path.name}" for path in (SOURCE / "python/pith").iterdir() if path.suffix in (".py", ".pyi")}
    assert package <= names and "pith/py.typed" in names
    assert any(name.startswith("pith/_core.") for name in names)


def test_it_installs_into_a_clean_environment(wheel, tmp_path):
    pytest.importorskip("venv", reason="venv is not installed")
    run(sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env")
    python = tmp_path / "env/bin/python"
    run(python, "-m", "pip", "install", "--no-index", wheel)
    assert "Requires: numpy" in run(python, "-m", "pip", "show", "pith")
    where, size = run(python, "-c", "import numpy, pith; rng = numpy.random.default_rng(0); "
                      "chosen = pith.select(rng.normal(size=(50, 4)), rng.dirichlet([1, 1, 1], size=50), budget=5); "
                      "print(pith.__file__, len(chosen))").split()
    assert pathlib.Path(where).is_relative_to(tmp_path / "env") and size == "5"


def test_a_source_archive_holds_what_building_needs(tmp_path):
    sys.path.insert(0, str(SOURCE / "python/backend"))
    try:
        import pith_build
    finally:
        sys.path.pop(0)
    import tarfile

    with tarfile.open(tmp_path / pith_build.build_sdist(tmp_path)) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert {"CMakeLists.txt", "pyproject.toml", "src/pipeline/select.cpp", "python/src/module.cpp",
            "cmake/PithPython.cmake", "PKG-INFO"} <= names
    assert not any(name.startswith(("build/", ".git/")) for name in names)
