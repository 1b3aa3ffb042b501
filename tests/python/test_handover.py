"""Reports and exports: those of the command, without files in between."""

import json
import pickle

import pith
import pytest
from conftest import run_pith

NAMES = ["ant", "bee", "cat", "dog", "eel"]


@pytest.fixture(scope="module")
def ids():
    return [f"images/{at:03}.png" for at in range(300)]


@pytest.fixture(scope="module")
def chosen(data, ids):
    return pith.select(data.embeddings, data.probs[0], budget=30, ids=ids)


@pytest.fixture(scope="module")
def saved(chosen, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "chosen"
    chosen.save(folder)
    return folder


def files(data):
    return ["--probs", data.folder / "p0.npy"]


@pytest.mark.parametrize("options", [{}, {"map": "pca", "seed": 3}, {"points": 100}], ids=str)
def test_a_report_is_the_commands(data, chosen, saved, options, tmp_path):
    by_command = tmp_path / "by-command.html"
    given = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    run_pith("report", saved, "--embeddings", data.folder / "e.npy", *files(data), "--class-names",
             write_names(tmp_path), "--out", by_command, *given)
    page = tmp_path / "chosen.html"
    if "points" in options:
        with pytest.warns(UserWarning, match="100 of 300 items"):
            chosen.report(page, class_names=NAMES, **options)
    else:
        chosen.report(page, class_names=NAMES, **options)
    assert page.read_bytes() == by_command.read_bytes()


def test_a_report_of_a_graph_alone(data, tmp_path):
    graph = pith.build_graph(data.embeddings)
    pith.select(None, data.probs[0], budget=30, graph=graph).report(tmp_path / "page.html")
    assert "</html>" in (tmp_path / "page.html").read_text()


def test_reports_of_a_comparison(data, tmp_path):
    pith.compare(data.embeddings, data.probs[0], ["margin", "random"])["margin"].report(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 50_000


def test_a_report_tells_what_is_wrong(chosen, tmp_path):
    page = tmp_path / "page.html"
    for keywords, message in [({"map": "tsne"}, "^map: 'tsne' given"), ({"points": 5}, "^points: 5 given; write a number"),
                              ({"class_names": ["one"]}, "^class_names: 1 names for 5 classes")]:
        with pytest.raises(ValueError, match=message):
            chosen.report(page, **keywords)
    with pytest.raises(OSError):
        chosen.report(tmp_path / "no" / "page.html")
    assert not page.exists()


@pytest.mark.parametrize("to", ["label-studio", "cvat", "fiftyone", "csv", "jsonl", "txt", "coco-image-list"])
def test_an_export_is_the_commands(data, chosen, saved, to, tmp_path):
    by_command = run_pith("export", saved, "--to", to, "--prefix", "there/", *files(data))
    assert pith.export(chosen, to, prefix="there/") == by_command
    assert pith.export(chosen, to, tmp_path / "picks", prefix="there/") is None
    assert (tmp_path / "picks").read_text() == by_command


def test_an_export_of_a_folder(data, tmp_path):
    run_pith("select", *data.files, "--budget", 30, "--out", tmp_path / "run")
    text = pith.export(tmp_path / "run", "label-studio", class_names=NAMES, data_key="photo", from_name="kind")
    assert text == run_pith("export", tmp_path / "run", "--to", "label-studio", "--data-key", "photo", "--from-name",
                            "kind", "--class-names", write_names(tmp_path))
    first = json.loads(text)[0]
    assert "photo" in first["data"] and first["predictions"][0]["result"][0]["from_name"] == "kind"


def write_names(folder):
    path = folder / "names.txt"
    path.write_text("\n".join(NAMES) + "\n")
    return path


def test_an_export_tells_what_is_wrong(chosen):
    with pytest.raises(pith.OptionError, match="^to: .* did you mean 'label-studio'"):
        pith.export(chosen, "label-studi")
    with pytest.raises(pith.OptionError, match="selection: a list given"):
        pith.export([1, 2], "csv")
    with pytest.raises(OSError):
        pith.export("/no/such/folder", "csv")
    again = pickle.loads(pickle.dumps(chosen))
    with pytest.raises(pith.OptionError, match="pickle"):
        pith.export(again, "csv")
    with pytest.raises(pith.OptionError, match="pickle"):
        again.report("page.html")
