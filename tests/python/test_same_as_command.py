"""pith.select gives what pith select gives: picks, table and summary, bit for bit."""

import csv
import json

import numpy as np
import pith
import pytest
from conftest import run_pith


def run_select(data, tmp_path, *arguments, files=None):
    out = tmp_path / "out"
    run_pith("select", *(files or data.files), "--out", out, "--quiet", *arguments)
    with open(out / "selection.csv") as file:
        rows = list(csv.DictReader(file))
    return np.load(out / "indices.npy"), rows, json.loads((out / "summary.json").read_text())


def comparable(summary):
    """All but times, memory and where the data came from."""
    kept = {key: value for key, value in summary.items() if key not in ("seconds", "peak_rss_bytes", "inputs")}
    kept["inputs"] = {role: [note["shape"], note["checksum"]] for role, note in summary["inputs"].items()
                      if "shape" in note}
    return kept


def as_text(value):
    return {"True": "1", "False": "0", "nan": ""}.get(str(value), str(value))


def expect_same(chosen, indices, rows, summary):
    np.testing.assert_array_equal(chosen.indices, indices)
    assert list(chosen.table) == list(rows[0])
    for name, column in chosen.table.items():
        expected = [row[name] for row in rows]
        if column.dtype.kind == "f" and expected[0] != "":
            assert column.tolist() == [float(text) for text in expected], name
        else:
            assert [as_text(value) for value in column] == expected, name
    assert comparable(chosen.summary) == comparable(summary)


@pytest.mark.parametrize("strategy", pith.strategies(), ids=lambda strategy: strategy.name)
def test_every_strategy(data, tmp_path, strategy):
    several = strategy.models > 1
    files = data.files + (["--probs", data.folder / "p1.npy"] if several else [])
    expected = run_select(data, tmp_path, "--strategy", strategy.name, "--budget", 40, "--seed", 5, files=files)
    chosen = pith.select(data.embeddings, data.probs if several else data.probs[0], budget=40,
                         strategy=strategy.name, seed=5)
    expect_same(chosen, *expected)


OPTIONS = [
    ({"budget": 0.07}, ["--budget", "7%"]),
    ({"budget": "7%"}, ["--budget", "7%"]),
    ({"budget": np.array(11), "seed": np.array(4)}, ["--budget", "11", "--seed", "4"]),
    ({"budget": np.int64(9), "preset": "paper"}, ["--budget", "9", "--preset", "paper"]),
    ({"lambda_": (0.1, 0.2, np.float32(0.5))}, ["--lambda", "0.1,0.2,0.5"]),
    ({"lambda": "auto", "gamma": "auto"}, ["--lambda", "auto", "--gamma", "auto"]),
    ({"term": {"diversity": 1 / 3, "facility-location": 2}},
     ["--term", "diversity=0.3333333333333333", "--term", "facility-location=2"]),
    ({"term": ["diversity=0.5", "graph-cut=1"], "graph_cut_lambda": 0.25},
     ["--term", "diversity=0.5,graph-cut=1", "--graph-cut-lambda", "0.25"]),
    ({"strategy": "margin", "measure": "light"}, ["--strategy", "margin", "--measure", "light"]),
    ({"class_cap": 3, "boundary_cap": "proportional", "tau": 0.2},
     ["--class-cap", "3", "--boundary-cap", "proportional", "--tau", "0.2"]),
    ({"metric": "l1", "neighbors": 4, "symmetry": "mutual"},
     ["--metric", "l1", "--neighbors", "4", "--symmetry", "mutual"]),
    ({"optimizer": "stochastic", "stochastic_epsilon": 0.3, "seed": 3},
     ["--optimizer", "stochastic", "--stochastic-epsilon", "0.3", "--seed", "3"]),
    ({"uncertainty": "entropy", "boundaries_per_item": 2, "clique_size": 4},
     ["--uncertainty", "entropy", "--boundaries-per-item", "2", "--clique-size", "4"]),
]


@pytest.mark.parametrize("keywords, arguments", OPTIONS, ids=lambda value: "" if isinstance(value, list) else
                         ",".join(value))
def test_options(data, tmp_path, keywords, arguments):
    if "budget" not in keywords:
        arguments = [*arguments, "--budget", "10%"]
    expect_same(pith.select(data.embeddings, data.probs[0], **keywords),
                *run_select(data, tmp_path, *arguments))


def test_items_that_are_labelled_excluded_scored_and_named(data, tmp_path):
    rng = np.random.default_rng(1)
    scores = rng.random(300)
    names = [f"image, {at}.png" for at in range(300)]
    np.save(tmp_path / "scores.npy", scores)
    (tmp_path / "labelled.csv").write_text("index,label\n3,1\n8,\n11,4\n")
    (tmp_path / "exclude.txt").write_text("5\n6\n")
    (tmp_path / "ids.txt").write_text("\n".join(names) + "\n")
    expected = run_select(data, tmp_path, "--budget", 20, "--labelled", tmp_path / "labelled.csv", "--exclude",
                          tmp_path / "exclude.txt", "--scores", tmp_path / "scores.npy", "--ids",
                          tmp_path / "ids.txt", "--term", "scores=1,uncertainty=0.5")
    common = dict(budget=20, scores=scores, ids=names, term={"scores": 1, "uncertainty": 0.5})
    mask = np.zeros(300, dtype=bool)
    mask[[5, 6]] = True
    for labelled in ({"labelled": [3, 8, 11], "labels": [1, -1, 4]}, {"labelled": {3: 1, 8: None, 11: 4}}):
        for exclude in ([5, 6], mask):
            chosen = pith.select(data.embeddings, data.probs[0], exclude=exclude, **labelled, **common)
            expect_same(chosen, *expected)


def test_costs_and_logits(data, tmp_path):
    costs = np.random.default_rng(2).random(300) + 0.1
    np.save(tmp_path / "costs.npy", costs)
    np.save(tmp_path / "logits.npy", 3 * data.embeddings[:, :5])
    files = [*data.files[:2], "--probs", tmp_path / "logits.npy", "--logits"]
    expected = run_select(data, tmp_path, "--strategy", "submod", "--costs", tmp_path / "costs.npy",
                          "--budget-cost", "5.5", files=files)
    expect_same(pith.select(data.embeddings, 3 * data.embeddings[:, :5], logits=True, strategy="submod",
                            costs=costs, budget_cost=5.5), *expected)


def test_a_saved_graph_is_one_for_both(data, tmp_path):
    path = tmp_path / "g.pith"
    pith.build_graph(data.embeddings, neighbors=6).save(path)
    run_pith("graph", *data.files[:2], "--neighbors", 6, "--out", tmp_path / "theirs.pith", "--quiet")
    assert path.read_bytes() == (tmp_path / "theirs.pith").read_bytes()
    expected = run_select(data, tmp_path, "--graph", path, "--budget", "10%")
    for graph in (path, pith.Graph.load(path)):
        expect_same(pith.select(data.embeddings, data.probs[0], graph=graph), *expected)
    np.testing.assert_array_equal(pith.select(None, data.probs[0], graph=path).indices, expected[0])


def test_saved_outputs_are_the_same_files(data, tmp_path):
    run_select(data, tmp_path, "--budget", "10%")
    pith.select(data.embeddings, data.probs[0]).save(tmp_path / "ours")
    for name in ("indices.npy", "selection.csv"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_paths_instead_of_arrays(data, tmp_path):
    expected = run_select(data, tmp_path, "--budget", "10%")
    expect_same(pith.select(data.folder / "e.npy", str(data.folder / "p0.npy")), *expected)


def test_compare(data):
    names = "submod-bal,margin,k-center,random"
    theirs = json.loads(run_pith("compare", *data.files, "--budget", 30, "--strategies", names, "--json"))
    compared = pith.compare(data.embeddings, data.probs[0], names.split(","), budget=30)
    for at, row in enumerate(theirs["strategies"]):
        assert compared[row["strategy"]].indices.tolist() == row["indices"]
        for name in row.keys() - {"indices", "seconds", "memory_bytes"}:
            assert compared.table[name][at] == row[name], name
    assert compared.overlap.tolist() == theirs["jaccard"]
    assert str(compared).count("\n") > 8
