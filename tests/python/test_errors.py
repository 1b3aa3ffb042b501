"""Errors by kind, in one line that names argument, value and remedy."""

import numpy as np
import pith
import pytest
from pith._core import in_keywords


def expect(kind, base, parts, call):
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, base) and isinstance(caught.value, pith.Error)
    message = str(caught.value)
    assert "\n" not in message and "--" not in message
    for part in parts:
        assert part in message, message


@pytest.mark.parametrize("keywords, parts", [
    ({"budget": 0}, ["budget", "0 given"]),
    ({"budget": 1.5}, ["budget", "150%"]),
    ({"budget": 301}, ["budget", "301", "only 300", "ask for fewer"]),
    ({"budget": True}, ["budget", "'true'"]),
    ({"budget": [1, 2]}, ["budget", "'1,2'"]),
    ({"budget": object()}, ["budget", "object"]),
    ({"strategy": "margins"}, ["'margins'", "did you mean 'margin'?"]),
    ({"neigbors": 3}, ["neigbors", "did you mean 'neighbors'?"]),
    ({"neighbors": 2.5}, ["neighbors", "'2.5'", "whole number"]),
    ({"metric": "cosin"}, ["metric", "'cosin'", "did you mean 'cosine'?"]),
    ({"lambda_": (1, 2)}, ["lambda_", "'1,2'", "three numbers"]),
    ({"gamma": 2.0}, ["gamma", "2", "[0,1]"]),
    ({"strategy": "margin", "class_cap": 3}, ["class_cap", "balance='class'"]),
    ({"threads": 0}, ["threads", "0 given"]),
    ({"preset": "peper"}, ["preset", "'peper'"]),
    ({"progress": 3}, ["progress", "int", "function"]),
    ({"budget_cost": 3.0}, ["costs and budget_cost belong together"]),
    ({"budget": 5, "budget_cost": 3.0, "costs": np.ones(300)}, ["budget_cost", "not both"]),
    ({"scores": np.ones(300)}, ["scores", "term='scores=WEIGHT'"]),
    ({"strategy": "bald"}, ["probs", "2 models, 1 given"]),
    ({"labels": [1]}, ["labels", "labelled"]),
    ({"graph": 3}, ["graph", "int", "build_graph"]),
])
def test_options(data, keywords, parts):
    expect(pith.OptionError, ValueError, parts, lambda: pith.select(data.embeddings, data.probs[0], **keywords))


def with_value(array, row, column, value):
    changed = np.array(array)
    changed[row, column] = value
    return changed


@pytest.mark.parametrize("change, parts", [
    (lambda d: (with_value(d.embeddings, 7, 3, np.nan), d.probs[0]), ["embeddings", "row 7", "column 3", "nan"]),
    (lambda d: (d.embeddings, with_value(d.probs[0], 9, 2, 5)), ["probs", "row 9", "sums to", "logits=True"]),
    (lambda d: (d.embeddings[:99], d.probs[0]), ["embeddings has 99 rows", "probs has 300"]),
    (lambda d: (d.embeddings[0], d.probs[0]), ["embeddings", "(8,)", "reshape(-1, 1)"]),
    (lambda d: (d.embeddings.reshape(300, 2, 4), d.probs[0]), ["embeddings", "(300, 2, 4)", "reshape(len(array), -1)"]),
    (lambda d: (d.embeddings[:0], d.probs[0]), ["embeddings", "(0, 8)", "nothing in it"]),
    (lambda d: (d.embeddings, d.probs[0][:, :1]), ["probs", "one class"]),
    (lambda d: (d.embeddings, [d.probs[0], d.probs[1][:9]]), ["probs[1] has 9 rows"]),
    (lambda d: ([[1.0, 2.0], [1.0]], d.probs[0]), ["embeddings"]),
])
def test_input(data, change, parts):
    expect(pith.InputError, ValueError, parts, lambda: pith.select(*change(data)))


@pytest.mark.parametrize("keywords, parts", [
    ({"labelled": [1, 300]}, ["labelled", "entry 1", "item 300", "300 items"]),
    ({"labelled": [-1]}, ["labelled", "entry 0", "item -1"]),
    ({"labelled": [0.5]}, ["labelled", "float64", "whole numbers"]),
    ({"labelled": [1, 1]}, ["item 1", "twice"]),
    ({"labelled": [1], "exclude": [1]}, ["item 1", "both labelled and excluded"]),
    ({"labelled": [1], "labels": [1, 2]}, ["labels", "2 given for 1"]),
    ({"labelled": [1], "labels": [5]}, ["item 1", "class 5", "5 columns"]),
    ({"labelled": [1], "labels": [-2]}, ["labels", "entry 0", "-2"]),
    ({"exclude": np.ones(7, dtype=bool)}, ["exclude", "(7,)", "300 items"]),
    ({"costs": [1.0], "budget_cost": 3}, ["costs", "(1,)", "300 items"]),
    ({"ids": ["a"]}, ["ids", "1 names for 300"]),
    ({"ids": ["a"] * 300}, ["ids", "items 0 and 1 have the same id", "unique"]),
    ({"ids": ["a", ""] + list("x" * n for n in range(1, 299))}, ["ids", "item 1: the id is empty"]),
    ({"ids": ["a\nb"] + list("x" * n for n in range(1, 300))}, ["ids", "item 0", "control character"]),
])
def test_lists(data, keywords, parts):
    expect(pith.InputError, ValueError, parts, lambda: pith.select(data.embeddings, data.probs[0], **keywords))


class Unreadable:
    def __init__(self, problem):
        self.problem = problem

    def __array__(self, dtype=None):
        raise self.problem


class UnreadableByDlpack:
    def __dlpack__(self, **arguments):
        raise BufferError("not today")

    def __dlpack_device__(self):
        return (1, 0)


@pytest.mark.parametrize("array, parts", [
    (Unreadable(RuntimeError("first line\nsecond line")), ["embeddings", "first line", "pass a numpy array of floats"]),
    (UnreadableByDlpack(), ["embeddings", "not today", "pass a numpy array of floats"]),
    ([[1.0, 2.0], [1.0]], ["embeddings", "pass rows of the same length"]),
])
def test_what_is_no_array(data, array, parts):
    expect(pith.InputError, ValueError, parts, lambda: pith.select(array, data.probs[0]))


def test_masked_arrays(data):
    masked = np.ma.array(data.embeddings, mask=np.zeros(data.embeddings.shape, dtype=bool))
    same = pith.select(data.embeddings, data.probs[0], budget=20).indices.tolist()
    assert pith.select(masked, np.ma.array(data.probs[0]), budget=20).indices.tolist() == same
    masked[3, 2:5] = np.ma.masked
    parts = ["3 of its 2400 numbers are masked", ".filled(value)"]
    expect(pith.InputError, ValueError, ["embeddings", *parts], lambda: pith.select(masked, data.probs[0]))
    models = np.ma.array(np.stack(data.probs))
    models[1, 0, 0] = np.ma.masked
    expect(pith.InputError, ValueError, ["probs[1]: 1 of its 1500", "probs[1].filled(value)"],
           lambda: pith.select(data.embeddings, models))
    expect(pith.InputError, ValueError, ["exclude", "1 of its 2"],
           lambda: pith.select(data.embeddings, data.probs[0], exclude=np.ma.array([1, 2], mask=[0, 1])))


def test_sparse_matrices(data):
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    for made in (sparse.csr_matrix, sparse.coo_array):
        expect(pith.InputError, ValueError, [f"embeddings: a sparse {made.__name__} given; pass embeddings.toarray()"],
               lambda: pith.select(made(data.embeddings), data.probs[0]))
    expect(pith.InputError, ValueError, ["probs[1]: a sparse", "pass probs[1].toarray()"],
           lambda: pith.select(data.embeddings, [data.probs[0], sparse.csr_matrix(data.probs[1])]))


def test_other_kinds(data, tmp_path):
    probs = data.probs[0]
    expect(pith.UnsupportedError, ValueError, ["embeddings", "complex", "astype('float32')"],
           lambda: pith.select(data.embeddings.astype(complex), probs))
    expect(pith.OptionError, ValueError, ["class_cap", "a dict given", "the path of a file"],
           lambda: pith.select(data.embeddings, probs, class_cap={0: 10}))
    expect(pith.InfeasibleError, ValueError, ["caps"],
           lambda: pith.select(data.embeddings, probs, budget=100, class_cap=2, shortfall="error"))
    expect(pith.IoError, OSError, ["missing.npy"], lambda: pith.select(tmp_path / "missing.npy", probs))
    expect(pith.IoError, OSError, ["g.pith"], lambda: pith.Graph.load(tmp_path / "g.pith"))
    expect(pith.IoError, OSError, ["no/g.pith"],
           lambda: pith.build_graph(data.embeddings).save(tmp_path / "no/g.pith"))
    (tmp_path / "file").write_text("")
    expect(pith.IoError, OSError, ["not a folder", "choose another folder"],
           lambda: pith.select(data.embeddings, probs, budget=5).save(tmp_path / "file"))
    expect(pith.InputError, ValueError, ["has no", "give the folder that save() or pith select wrote"],
           lambda: pith.export(tmp_path, "csv"))
    expect(pith.OptionError, ValueError, ["tau", "unknown"], lambda: pith.build_graph(data.embeddings, tau=1))
    expect(pith.OptionError, ValueError, ["strategies", "twice"],
           lambda: pith.compare(data.embeddings, probs, ["margin", "margin"]))
    expect(pith.OptionError, ValueError, ["measure"],
           lambda: pith.compare(data.embeddings, probs, ["margin"], measure="light"))
    expect(pith.OptionError, ValueError, ["probs is missing"], lambda: pith.select(data.embeddings, None))
    other = pith.build_graph(data.embeddings[::-1])
    expect(pith.InputError, ValueError, ["graph"], lambda: pith.select(data.embeddings, probs, graph=other))


@pytest.mark.parametrize("message, expected", [
    ("--class-cap: 0 given", "class_cap: 0 given"),
    ("add --balance class or both", "add balance='class' or both"),
    ("--lambda: write auto", "lambda_: write auto"),
    ("use --strategy submod (without caps)", "use strategy='submod' (without caps)"),
    ("pass --probs FILE once a model", "pass probs=FILE once a model"),
    ("if these are logits, say --logits, else", "if these are logits, say logits=True, else"),
    ("/a: exists and is not a folder; choose another --out", "/a: exists and is not a folder; choose another folder"),
    ("give the folder that pith select --out wrote", "give the folder that save() or pith select wrote"),
    ("/a --weird path: cannot open", "/a --weird path: cannot open"),
])
def test_words(message, expected):
    assert in_keywords(message) == expected
