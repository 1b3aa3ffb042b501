"""What is written runs: docstrings, the tutorial as script and as notebook, the type stubs. The pages are run by tests/docs/run_blocks."""

import ast
import doctest
import importlib
import inspect
import json
import os
import runpy
import subprocess
import sys

import pith
import pytest
from conftest import SOURCE

MODULES = ["pith", "pith._export", "pith._graph", "pith._options", "pith._query", "pith._select", "pith._selection"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0 and found.attempted > 0


def test_docstrings_of_the_selector():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    found = doctest.testmod(importlib.import_module("pith._subset_selector"))
    assert found.failed == 0 and found.attempted > 0


def test_docstrings_may_be_left_out():
    subprocess.run([sys.executable, "-OO", "-c", "import pith"], check=True)


def run_tutorial(path, folder):
    for module in ("sklearn", "matplotlib"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert "Chose 100 of" in done.stdout and (folder / "tutorial.png").stat().st_size > 10000


def test_the_tutorial(tmp_path):
    run_tutorial(SOURCE / "examples/tutorial.py", tmp_path)


def test_the_notebook(tmp_path):
    """Its code cells, in order; and it is the one that the script makes."""
    notebook = json.loads((SOURCE / "examples/tutorial.ipynb").read_text())
    make = runpy.run_path(str(SOURCE / "scripts/notebook"))["notebook_of"]
    assert notebook == make((SOURCE / "examples/tutorial.py").read_text())
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    (tmp_path / "cells.py").write_text("\n\n".join(code))
    run_tutorial(tmp_path / "cells.py", tmp_path)


def test_option_types_are_those_of_the_table():
    made = subprocess.run([sys.executable, SOURCE / "scripts/option_types"], capture_output=True, text=True, check=True)
    assert made.stdout == (SOURCE / "python/pith/_option_types.pyi").read_text()


def stub_signatures():
    """Name (Class.method) and the names of the parameters, of every function in the stub."""
    tree = ast.parse((SOURCE / "python/pith/__init__.pyi").read_text())
    for outer in tree.body:
        for node in outer.body if isinstance(outer, ast.ClassDef) else [outer]:
            if isinstance(node, ast.FunctionDef) and not any(
                    isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list):
                a = node.args
                names = [x.arg for x in a.posonlyargs + a.args]
                names += [a.vararg.arg] if a.vararg else []
                names += [x.arg for x in a.kwonlyargs] + ([a.kwarg.arg] if a.kwarg else [])
                prefix = f"{outer.name}." if node is not outer else ""
                yield prefix + node.name, names


def test_stubs_tell_the_truth():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    stub = ast.parse((SOURCE / "python/pith/__init__.pyi").read_text())
    defined = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {*pith.__all__, "SubsetSelector"} == defined
    for name, parameters in stub_signatures():
        function = pith
        for part in name.split("."):
            function = inspect.getattr_static(function, part) if inspect.isclass(function) else getattr(function, part)
        function = getattr(function, "__func__", function)
        if name == "SubsetSelector.__init__":  # one parameter an option; the stub has them as Options
            assert set(parameters) - {"options"} <= set(inspect.signature(function).parameters)
        elif name.startswith("SubsetSelector.") and name.endswith("params"):
            continue  # scikit-learn's
        else:
            assert parameters == list(inspect.signature(function).parameters), name


def test_everything_public_is_documented():
    for name in pith.__all__:
        public = getattr(pith, name)
        assert inspect.getdoc(public), name
        for method, function in vars(public).items() if inspect.isclass(public) else ():
            if not method.startswith("_") and inspect.isfunction(function):
                assert inspect.getdoc(function), f"{name}.{method}"


TYPED = """
import numpy as np
import pith

embeddings, probs = np.zeros((3, 2)), np.full((3, 2), 0.5)
chosen = pith.select(embeddings, probs, budget=2, metric="l2", lambda_=(1, 2, 3), term={"diversity": 1.0})
first: int = list(chosen)[0]
pith.build_graph(embeddings, neighbors=3).save("g.pith")
pith.SubsetSelector(budget=3, metric="l1").fit(embeddings).get_support()
pith.select(embeddings, probs, metric="l3")
pith.select(embeddings, probs, neigbors=3)
"""


def test_a_type_checker_finds_slips(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "typed.py").write_text(TYPED)
    checked = subprocess.run([sys.executable, "-m", "mypy", "--enable-incomplete-feature=Unpack", "--cache-dir", tmp_path,
                              "typed.py"], cwd=tmp_path, capture_output=True, text=True,
                             env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
    errors = [line for line in checked.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 2, checked.stdout
    assert "typed.py:10" in errors[0] and "l3" in errors[0] and "typed.py:11" in errors[1] and "neigbors" in errors[1]
