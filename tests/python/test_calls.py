"""While the library works: interrupts, progress, other threads."""

import io
import os
import signal
import threading
import time

import numpy as np
import pith
import pytest
from pith._progress import _Bars


@pytest.fixture(scope="module")
def large():
    """Work for many seconds."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(40000, 256)).astype(np.float32), np.full((40000, 2), 0.5)


def seconds_to_stop(call, after):
    """From the signal to the exception."""
    sent = []

    def send():
        time.sleep(after)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:  # a fast machine is through before the signal comes
                call()
        return time.perf_counter() - sent[0]
    finally:
        sender.join()


@pytest.mark.parametrize("keywords", [{"metric": "l1"}, {}, {"strategy": "k-center", "measure": "light", "budget": 0.5}],
                         ids=["l1", "cosine", "k-center"])
def test_an_interrupt_stops_a_selection(large, keywords):
    # The best of a few: other processes may hold the machine for longer than the library does.
    best = min(seconds_to_stop(lambda: pith.select(*large, **keywords), after) for after in (0.2, 0.35, 0.5))
    assert best < 0.1


@pytest.mark.parametrize("keywords", [{"strategy": "agglomerative"}, {"strategy": "facility-location", "facility": "dense"}],
                         ids=["agglomerative", "dense"])
def test_an_interrupt_stops_what_holds_much(keywords):
    rng = np.random.default_rng(1)
    embeddings, probs = rng.normal(size=(15000, 64)).astype(np.float32), np.full((15000, 2), 0.5)
    graph = pith.build_graph(embeddings)

    def call():
        while True:  # a quick machine may be done before the signal comes
            pith.select(embeddings, probs, graph=graph, **keywords)

    assert min(seconds_to_stop(call, after) for after in (0.1, 0.2, 0.3)) < 0.1


def test_an_interrupt_stops_a_graph(large):
    best = min(seconds_to_stop(lambda: pith.build_graph(large[0], metric="l1"), after) for after in (0.2, 0.4))
    assert best < 0.1


def test_progress_calls_a_function_of_the_caller(large):
    reports = []
    here = threading.get_ident()
    chosen = pith.select(large[0][:8000], large[1][:8000], progress=lambda *report: reports.append(
        (*report, threading.get_ident())))
    assert len(chosen) == 800 and reports
    for stage, done, total, thread in reports:
        assert isinstance(stage, str) and 0 <= done <= total and thread == here


def test_what_progress_raises_stops_the_call(large):
    def stop(stage, done, total):
        raise LookupError(stage)

    started = time.perf_counter()
    with pytest.raises(LookupError):
        pith.select(*large, metric="l1", progress=stop)
    assert time.perf_counter() - started < 10  # all of it takes a minute


def test_progress_as_a_bar(large, capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    pith.build_graph(large[0][:8000], progress=True)
    assert "%" in capsys.readouterr().err


def test_one_bar_a_stage():
    tqdm = pytest.importorskip("tqdm", reason="tqdm is not installed")
    made = []

    def make(**options):
        made.append(tqdm.tqdm(file=io.StringIO(), **options))
        return made[-1]

    bars = _Bars(make)
    for stage, done in [("read", 0), ("read", 3), ("read", 10), ("graph", 0), ("graph", 4), ("graph", 9)]:
        bars(stage, done, 10)
    bars.close()
    assert [(bar.desc, bar.n, bar.total) for bar in made] == [("read", 10, 10), ("graph", 9, 10)]


def test_other_threads_run_meanwhile(large):
    counted = [0]
    over = threading.Event()

    def count():
        while not over.wait(0.001):
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    pith.build_graph(large[0][:12000], threads=1)
    over.set()
    counter.join()
    assert counted[0] > 20


def test_calls_from_several_threads(data):
    expected = pith.select(data.embeddings, data.probs[0]).indices.tolist()
    found = []
    threads = [threading.Thread(target=lambda: found.append(
        pith.select(data.embeddings, data.probs[0]).indices.tolist())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


@pytest.mark.parametrize("threads", [1, 3])
def test_the_same_for_any_number_of_threads(data, threads):
    assert (pith.select(data.embeddings, data.probs[0], threads=threads).indices.tolist()
            == pith.select(data.embeddings, data.probs[0]).indices.tolist())
