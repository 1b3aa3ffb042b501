"""Makes the wheel: CMake builds, this packs. Needs nothing but Python's own library, so that `pip install .`
works without a network.

Settings (`pip install . --config-settings NAME=VALUE`): build-dir, where to build (build/python; a tree that
is configured already is used as it is, so that build/release saves most of the work).
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "pith"
# Left out of a source archive.
NOT_SOURCE = {".git", ".cache", "build", "out", "node_modules", "__pycache__", "env"}


def _version() -> str:
    return re.search(r"project\(pith VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata() -> str:
    return "\n".join([
        "Metadata-Version: 2.1",
        "Name: pith",
        f"Version: {_version()}",
        "Summary: Chooses the small subset of a large dataset worth labelling or training on",
        "License: Apache-2.0",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "docs" / "python.md").read_text(),
    ])


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _build_module(settings) -> pathlib.Path:
    """Compiles the extension module and returns its path."""
    folder = ROOT / ((settings or {}).get("build-dir") or "build/python")
    if not (folder / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release",
                        "-DPITH_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}", "-DPITH_TESTS=OFF",
                        "-DPITH_BENCH=OFF", "-DPITH_TRAIN=OFF"], check=True)
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", folder, "--target", "pith_python", "--parallel", jobs], check=True)
    name = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
    module = folder / "python" / "pith" / name
    if not module.exists():
        raise SystemExit(f"{module} is missing: {folder} was configured for another Python than "
                         f"{sys.executable}; choose another build-dir")
    return module


class _Wheel:
    """A zip file that keeps the record wheels need."""

    def __init__(self, path):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record = []

    def _write(self, name: str, contents, mode):
        info = zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0))  # the same input, the same wheel
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, contents)

    def add(self, name: str, contents: bytes, mode=0o644):
        self._write(name, contents, mode)
        digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(contents)}\n")

    def close(self, info: str):
        self._write(f"{info}/RECORD", "".join(self._record) + f"{info}/RECORD,,\n", 0o644)
        self._zip.close()


def _stripped(module: pathlib.Path, folder: pathlib.Path) -> bytes:
    """Without debug information, where the tool for it is there."""
    if shutil.which("strip") is None:
        return module.read_bytes()
    small = folder / (module.name + ".small")
    subprocess.run(["strip", "--strip-unneeded", "-o", small, module], check=True)
    try:
        return small.read_bytes()
    finally:
        small.unlink()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    module = _build_module(config_settings)
    folder = pathlib.Path(wheel_directory)
    name = f"pith-{_version()}-{_tag()}.whl"
    wheel = _Wheel(folder / name)
    for path in sorted(PACKAGE.iterdir()):
        if path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed":
            wheel.add(f"pith/{path.name}", path.read_bytes())
    wheel.add(f"pith/{module.name}", _stripped(module, folder), 0o755)
    info = f"pith-{_version()}.dist-info"
    wheel.add(f"{info}/METADATA", _metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: pith_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
              .encode())
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close(info)
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"pith-{_version()}"
    path = pathlib.Path(sdist_directory) / f"{base}.tar.gz"

    def keep(member):
        return None if NOT_SOURCE & set(pathlib.PurePath(member.name).parts) else member

    with tarfile.open(path, "w:gz") as archive:
        info = pathlib.Path(sdist_directory) / "PKG-INFO"
        info.write_text(_metadata())
        archive.add(info, f"{base}/PKG-INFO")
        info.unlink()
        for entry in sorted(ROOT.iterdir()):
            archive.add(entry, f"{base}/{entry.name}", filter=keep)
    return path.name


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
