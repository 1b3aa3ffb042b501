"""Selections, graphs and comparisons as objects."""

import pickle

import numpy as np
import pith
import pytest


@pytest.fixture(scope="module")
def chosen(data):
    return pith.select(data.embeddings, data.probs[0], budget=30)


def test_a_selection(chosen):
    assert len(chosen) == 30 and list(chosen) == chosen.indices.tolist()
    assert chosen.gains is chosen.table["gain"]
    assert set(map(len, chosen.table.values())) == {30}
    assert chosen.summary["version"] == pith.__version__
    assert str(chosen).startswith("Chose 30 of 300 items with submod-bal")
    assert repr(chosen) == "<pith.Selection: 30 of 300 items>"


def test_what_is_not_measured_is_nan(data):
    light = pith.select(data.embeddings, data.probs[0], strategy="random", measure="light")
    assert np.isnan(light.gains).all() and np.isnan(light.table["represents"]).all()
    assert light.summary["objective"] is None
    assert light.table["boundary"].dtype.kind == "U"


def test_options_that_make_no_difference_are_told(data):
    told = str(pith.select(data.embeddings, data.probs[0], budget=30, similarity=0.9))
    assert "not used     --similarity: it is for strategy dedup" in told
    assert "not used" not in str(pith.select(data.embeddings, data.probs[0], budget=30, class_slack=2))


def test_a_comparison_tells_of_options_that_make_no_difference(data):
    def told(strategies):
        return str(pith.compare(data.embeddings, data.probs[0], strategies, budget=30, similarity=0.9))

    assert "note: --similarity is used by none of these: it is for strategy dedup" in told(["margin", "random"])
    assert "note:" not in told(["margin", "dedup"])


def test_a_pickle(chosen):
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(chosen))))
    assert again.indices.tolist() == chosen.indices.tolist() and again.summary == chosen.summary
    assert (repr(again), str(again), len(again)) == (repr(chosen), str(chosen), 30)
    assert isinstance(again, pith.Selection)
    with pytest.raises(pith.OptionError, match="pickle"):
        again.save("somewhere")


def test_to_pandas(chosen, data):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = chosen.to_pandas()
    assert list(frame.columns) == list(chosen.table) and frame["index"].tolist() == list(chosen)
    assert isinstance(frame, pandas.DataFrame)
    compared = pith.compare(data.embeddings, data.probs[0], ["margin", "random"]).to_pandas()
    assert compared.index.tolist() == ["margin", "random"]


def test_plot(chosen, tmp_path):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    classes, gains = chosen.plot()
    assert sum(bar.get_height() for bar in classes.patches) == 30
    assert len(gains.lines[0].get_xdata()) == 30
    classes.figure.savefig(tmp_path / "picks.png")


def test_a_graph(data, tmp_path):
    graph = pith.build_graph(data.embeddings, neighbors=5, metric="l2")
    starts, neighbors, dissimilarities = graph.csr()
    assert len(graph) == 300 and len(starts) == 301 and len(neighbors) == 2 * graph.edges == starts[-1]
    own = slice(starts[4], starts[5])
    distances = np.linalg.norm(data.embeddings[neighbors[own]] - data.embeddings[4], axis=1)
    np.testing.assert_allclose(dissimilarities[own], distances, rtol=1e-5)
    assert not neighbors.flags.writeable
    assert graph.search["method"] == "exact" and "300 items" in repr(graph)
    graph.save(tmp_path / "g.pith")
    loaded = pith.Graph.load(tmp_path / "g.pith")
    assert loaded.fingerprint == graph.fingerprint and loaded.edges == graph.edges
    np.testing.assert_array_equal(loaded.csr()[1], neighbors)
    del graph
    assert neighbors.max() == 299  # the arrays keep the graph alive


def test_appending_is_the_same_as_from_scratch(data):
    first = pith.build_graph(data.embeddings[:200], neighbors=5)
    longer = first.append(data.embeddings[:200], data.embeddings[200:])
    whole = pith.build_graph(data.embeddings, neighbors=5)
    for ours, theirs in zip(longer.csr(), whole.csr()):
        np.testing.assert_array_equal(ours, theirs)


def test_tables(data):
    assert len(pith.strategies()) == len({strategy.name for strategy in pith.strategies()}) > 20
    names = [option.name for option in pith.options()]
    assert "class_cap" in names and "lambda_" in names and "budget" in names
    for option in pith.options():
        if option.name not in ("budget", "strategy"):
            assert f"    {option.name} : " in pith.select.__doc__
    # Every default, said aloud, changes nothing.
    said = {option.name: option.default for option in pith.options() if option.name != "budget"}
    assert (pith.select(data.embeddings, data.probs[0], **said).indices.tolist()
            == pith.select(data.embeddings, data.probs[0]).indices.tolist())
