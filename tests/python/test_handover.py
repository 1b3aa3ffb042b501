"""Reports and exports: those of the command, without files in between."""

import json
import pickle
import re
import shutil
import warnings

import numpy as np
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


def make_lost_run(data, folder, members=1):
    """A run whose probabilities have gone to folder/moved, and what an export with them says."""
    (folder / "moved").mkdir()
    (folder / "data").mkdir()
    files = [folder / "data" / f"p{at}.npy" for at in range(members)]
    for at, file in enumerate(files):
        shutil.copy(data.folder / file.name, file)
    pith.select(data.embeddings, files if members > 1 else files[0], budget=30).save(folder / "run")
    with_scores = pith.export(folder / "run", "csv")
    return with_scores, [shutil.move(file, folder / "moved" / file.name) for file in files]


def test_an_export_without_scores_says_so(data, tmp_path):
    with_scores, (moved,) = make_lost_run(data, tmp_path)
    with pytest.warns(UserWarning, match=r"^probs \(.*p0.npy\) are not .*; say probs=FILE for the scores$"):
        without = pith.export(tmp_path / "run", "csv")
    scores = [line.split(",")[6] for line in without.splitlines()[1:]]
    assert scores == [""] * 30 and without != with_scores
    with pytest.warns(UserWarning, match="^probs ") as caught:
        pith.export(tmp_path / "run", "csv", tmp_path / "picks.csv")
    assert [warning.filename for warning in caught] == [__file__]
    assert (tmp_path / "picks.csv").read_text() == without


@pytest.mark.parametrize("members", [1, 2])
def test_an_export_is_told_where_the_probabilities_are(data, tmp_path, members):
    with_scores, moved = make_lost_run(data, tmp_path, members)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pith.export(tmp_path / "run", "csv", probs=moved if members > 1 else moved[0]) == with_scores


def test_an_export_refuses_other_probabilities(data, chosen, saved):
    assert pith.export(saved, "csv", probs=data.folder / "p0.npy") == pith.export(chosen, "csv")
    with pytest.raises(pith.InputError, match="p1.npy: is not the probs .*give the right file, or leave out probs$"):
        pith.export(saved, "csv", probs=data.folder / "p1.npy")
    with pytest.raises(pith.OptionError, match="^probs: a ndarray given; pass the path"):
        pith.export(saved, "csv", probs=data.probs[0])
    with pytest.raises(pith.OptionError, match="^probs: this selection has its own; leave it out$"):
        pith.export(chosen, "csv", probs=data.folder / "p0.npy")


@pytest.mark.parametrize("changed", ["embeddings", "probs[0]", "probs[1]"])
def test_arrays_that_changed_are_refused(data, tmp_path, changed):
    embeddings, probs = data.embeddings.copy(), [member.copy() for member in data.probs]
    compared = pith.compare(embeddings, probs, ["margin", "random"], budget=30)
    for chosen in (pith.select(embeddings, probs, budget=30), compared["margin"]):
        before = pith.export(chosen, "csv")
        array = {"embeddings": embeddings, "probs[0]": probs[0], "probs[1]": probs[1]}[changed]
        kept = array.copy()
        array[:] = array[::-1].copy()
        refusal = re.escape(f"{changed}: changed since select(); select again, or put its numbers back")
        with pytest.raises(pith.InputError, match=refusal):
            chosen.report(tmp_path / "page.html", map="pca")
        if changed == "embeddings":
            assert pith.export(chosen, "csv") == before
        else:
            with pytest.raises(pith.InputError, match=refusal):
                pith.export(chosen, "csv", tmp_path / "picks.csv")
        assert list(tmp_path.iterdir()) == []
        array[:] = kept
        assert pith.export(chosen, "csv") == before


def test_a_file_that_changed_is_refused(data, tmp_path):
    np.save(tmp_path / "p.npy", data.probs[0])
    chosen = pith.select(data.embeddings, tmp_path / "p.npy", budget=30)
    mapped = np.load(tmp_path / "p.npy", mmap_mode="r+")
    mapped[0] = mapped[0, ::-1].copy()
    mapped.flush()
    with pytest.raises(pith.InputError, match="p.npy: changed since select"):
        pith.export(chosen, "csv")


def test_notes_name_keywords(data, tmp_path):
    chosen = pith.select(data.embeddings, data.probs[0], budget=30, ids=[f"{at}.png" for at in range(300)])
    with pytest.warns(UserWarning, match="pictures was found.* Say images=DIR if they lie elsewhere"):
        chosen.report(tmp_path / "page.html", map="pca", images=tmp_path)


def write_names(folder):
    path = folder / "names.txt"
    path.write_text("\n".join(NAMES) + "\n")
    return path


def test_an_export_tells_what_is_wrong(chosen):
    with pytest.raises(pith.OptionError, match="^to: .* did you mean 'label-studio'"):
        pith.export(chosen, "label-studi")
    with pytest.raises(pith.OptionError, match="selection: a list given"):
        pith.export([1, 2], "csv")
    with pytest.raises(pith.OptionError, match="^path: '' given; name a file"):
        pith.export(chosen, "csv", "")
    with pytest.raises(OSError):
        pith.export("/no/such/folder", "csv")
    again = pickle.loads(pickle.dumps(chosen))
    with pytest.raises(pith.OptionError, match="pickle"):
        pith.export(again, "csv")
    with pytest.raises(pith.OptionError, match="pickle"):
        again.report("page.html")
