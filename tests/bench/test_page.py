#!/usr/bin/env python3
"""scripts/benchmarks without its benchmarks: reading ratios out of saved outputs, running and resuming small commands, the page.

The samples have the layout that the programs print, with figures chosen to be told apart: they are no measurements."""
import contextlib
import importlib.machinery
import importlib.util
import io
import re
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
SAMPLES = Path(__file__).resolve().parent / "samples"


def load_script():
    loader = importlib.machinery.SourceFileLoader("benchmarks", str(ROOT / "scripts/benchmarks"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("benchmarks", loader))
    loader.exec_module(module)
    return module


benchmarks = load_script()
import page  # noqa: E402
import ratios  # noqa: E402
import running  # noqa: E402

QUIET = {"model": "a machine", "features": ["avx2"], "commit": "abc", "in_use": 0.01, "stale": None,
         "versions": [("libfaiss-dev", "1.7.3-2")]}


def rows_of(name, sample=None):
    return ratios.read(name, (SAMPLES / f"{sample or name}.txt").read_text())


class Readers(unittest.TestCase):
    def test_every_benchmark_with_a_reader_has_a_sample_and_rows(self):
        for name in sorted({reader.name for reader in benchmarks.BENCHMARKS} & set(ratios.READERS)):
            sample = {"approximate_graph_gaussian": "approximate_graph_64"}.get(name, name)
            with self.subTest(name):
                self.assertTrue(rows_of(name, sample))

    def test_every_reader_is_of_a_benchmark(self):
        self.assertLessEqual(set(ratios.READERS), {benchmark.name for benchmark in benchmarks.BENCHMARKS})

    def test_nothing_is_read_from_other_words(self):
        for name in ratios.READERS:
            with self.subTest(name):
                self.assertEqual(ratios.read(name, "left out\n\nTraceback (most recent call last):\n  1.5 s\n"), [])
                self.assertEqual(ratios.read(name, ""), [])

    def test_exact_graph(self):
        rows = rows_of("exact_graph")
        first = rows[0]
        self.assertEqual(first[:4], ("exact 10-NN graph, 50,000 x 64, mixture", "0.69 s", "faiss flat, tuned", "5.66 s"))
        self.assertAlmostEqual(first.factor, 8.2, 1)
        self.assertEqual([row.peer for row in rows if isinstance(row, ratios.Peer)],
                         ["faiss flat, tuned", "scikit-learn", "faiss flat, tuned"])
        bare = [row for row in rows if isinstance(row, ratios.Yardstick)]
        self.assertAlmostEqual(bare[0].multiple, 0.75, 2)

    def test_approximate_graph(self):
        by_peer = {row.peer: row for row in rows_of("approximate_graph")}
        self.assertAlmostEqual(by_peer["faiss IVF"].factor, 2.0 / 0.5, 6)  # the fastest that reaches what was asked
        self.assertEqual(by_peer["faiss IVF"].ours, "0.5 s, recall 0.962")  # the median
        self.assertIsNone(by_peer["hnswlib"].factor)
        self.assertIn("recall 0.930: below the 0.95 asked", by_peer["hnswlib"].theirs)
        self.assertIn("nothing finished", by_peer["pynndescent"].theirs)
        self.assertNotIn("faiss HNSW", by_peer)  # left out

    def test_triangles_of_the_approximate_graph(self):
        rows = [row for row in rows_of("approximate_graph_64") if isinstance(row, ratios.Yardstick)]
        self.assertEqual([(row.work, row.multiple) for row in rows], [("all triangles, 1,000,000 x 64, mixture", 0.084)])

    def test_others(self):
        self.assertEqual(rows_of("k_center_numpy")[0], ("k-center, 50,000 x 64, 10%", "0.12 s", "numpy", "0.708 s", 5.9))
        self.assertEqual(rows_of("k_center")[0].peer, "straightforward BLAS")
        self.assertEqual([row.factor for row in rows_of("caps")], [12.5, 30.1, 4.0, 9.9])
        self.assertEqual(rows_of("train_throughput")[0],
                         ("training, cnn", "2,390 images/s", "Python's torch, a batch that is ready", "1,927 images/s", 1.24))
        self.assertEqual(rows_of("train")[0][1:], ("10,800 images/s", "images/s of the bare network", 1.01))
        self.assertEqual(rows_of("select")[0].multiple, 9.4)
        self.assertEqual(rows_of("cold_start")[0][1:], ("0.860 s", "its exact graph alone", 1.26))
        self.assertEqual([row.work for row in rows_of("strategies")], ["strategy dpp", "strategy mmd", "strategy herding"])
        self.assertEqual([row.multiple for row in rows_of("facility")], [47.0, 20.1, 15.2])
        self.assertEqual([row.multiple for row in rows_of("python_overhead")], [0.92, 0.98])  # on the wall
        self.assertEqual([row.multiple for row in rows_of("scale")], [1.03, 0.98])


def run_quietly(command, answers=None, limit=500):
    benchmark = running.Benchmark("toy", "Does it run?", 0.1, command, command, answers=answers or {})
    return running.run(benchmark, command, limit, lambda line: None)


class Running(unittest.TestCase):
    def test_how_it_ended(self):
        for command, status, reason in [("echo 1; echo 2", "done", ""),
                                        ("echo one; echo 'x: needs numpy'; exit 1", "left out", "needs numpy"),
                                        ("echo 'bench_probe: left out, needs data'", "left out", "needs data"),
                                        ("echo boom >&2; exit 3", "failed", "ended with 3: boom"),
                                        ("exit 3", "failed", "ended with 3: without a word")]:
            with self.subTest(command):
                result = run_quietly(command)
                self.assertEqual((result.status, result.reason), (status, reason))
        self.assertEqual(run_quietly("echo off; exit 1", {1: "off"})[1:3], ("done", "off"))

    def test_one_that_hangs_is_stopped_with_what_it_started(self):
        result = run_quietly("sleep 600 | cat", limit=0.5)
        self.assertEqual(result.status, "failed")
        self.assertIn("stopped", result.reason)

    def test_resuming(self):
        result = run_quietly("echo 1; echo 2")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            running.keep(result, "c", "tree", folder)
            self.assertEqual((folder / "toy.txt").read_text(), "1\n2\n")
            again = lambda command="c", tree="tree", hours=1: running.kept(result.benchmark, command, tree, folder, hours)
            self.assertEqual(again(), result._replace(tree="tree"))
            self.assertIsNone(again(tree="another"))
            self.assertEqual(again(tree=None).tree, "tree")
            self.assertIsNone(again(command="another"))
            self.assertIsNone(again(hours=0))
            running.keep(result._replace(status="failed"), "c", "tree", folder)
            self.assertIsNone(again())


class Page(unittest.TestCase):
    def test_noise_is_trimmed(self):
        noisy = "made /tmp/x.npy: 5 centres\nmade out/y.npy\ngreedy       100%\n  probe flat: core Haswell (Haswell), OpenMP waiting passive: 1.0 s\n" \
                "1%\r50%\r\x1b[1mdone\x1b[0m \n\n\n\nexact 1x1 mixture (02:03:04)\n| a | b | not run | >= 8 | >= 12 |\n"
        self.assertEqual(page.trim(noisy), "done\n\nexact 1x1 mixture")

    def test_versions(self):
        found = dict(page.read_versions("libfaiss-dev installed 1.7.3-2\npython3-numpy config-files 1:1.24\n"))
        self.assertEqual(found["libfaiss-dev"], "1.7.3-2")
        self.assertEqual(found["python3-numpy"], "not installed")  # removed, but for its settings
        self.assertEqual(found["libhnswlib-dev"], "not installed")

    def write(self, results, facts=QUIET):
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "page.md"
            page.write_page(path, results, {result.benchmark.name: "the command" for result in results}, facts)
            return path.read_text()

    def result(self, name, **changes):
        benchmark = next(benchmark for benchmark in benchmarks.BENCHMARKS if benchmark.name == name)
        sample = SAMPLES / f"{name}.txt"
        return running.Result(benchmark, "done", "", sample.read_text() if sample.exists() else "", 60, time.time(), 0.0)._replace(**changes)

    def test_what_stands_where(self):
        text = self.write([self.result("exact_graph"), self.result("select"),
                           self.result("caps", status="failed", reason="ended with 1: DIFFERENT", output="half\n")])
        peers, rest = text.split("## In units of a yardstick")
        self.assertRegex(peers, r"\| 0\.69 s \| faiss flat, tuned \| 5\.66 s \| \*\*8\.2 x faster\*\* \| \[exact_graph\]")
        self.assertIn("std::sort", rest)
        self.assertIn("- caps: failed. ended with 1: DIFFERENT", rest)
        self.assertIn("- exact_graph, a part: scikit-learn left out: not installed (scripts/setup peers)", rest)
        self.assertIn("```text\nhalf\n```", rest)
        # The tests of the pages run what is in a block, unless it says why not.
        self.assertEqual(rest.count("<!-- not run: minutes, on a quiet machine -->\n```sh\nthe command\n```"), 3)
        self.assertIn(time.strftime("%Y-%m-%d"), peers)
        self.assertNotIn("not quiet", text)

    def test_what_spoils_figures_is_said(self):
        text = self.write([self.result("select", others=0.31)], {**QUIET, "in_use": 0.42, "stale": "src/a.cpp"})
        for words in ["42% of the processors: **not quiet", "**not up to date** (src/a.cpp)", "Others used 31%"]:
            self.assertIn(words, text)

    def test_the_commit_is_said_where_it_is_another(self):
        text = self.write([self.result("select", tree="abc"), self.result("exact_graph", tree="def")])
        self.assertNotIn("On commit abc", text)
        self.assertIn("On commit def.", text.split("### exact_graph")[1])

    def test_what_was_not_run_has_a_reason(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            benchmarks.parse(["--only", "nonsense"])
        options = benchmarks.parse(["--only", "select"])
        work = {benchmark.name: result for benchmark, _, result in benchmarks.plan(options, "tree")}
        self.assertEqual(set(work), {benchmark.name for benchmark in benchmarks.BENCHMARKS})
        self.assertEqual(work["caps"].reason, "not asked for (--only)")
        everything = {benchmark.name: result for benchmark, _, result in benchmarks.plan(benchmarks.parse([]), "tree")}
        self.assertIn("--only imagenet", everything["imagenet"].reason)


class List(unittest.TestCase):
    def test_names_are_unique_and_everything_in_bench_is_run(self):
        names = [benchmark.name for benchmark in benchmarks.BENCHMARKS]
        self.assertEqual(len(names), len(set(names)))
        commands = " ".join(benchmark.command for benchmark in benchmarks.BENCHMARKS)
        programs = {f"bench_{path.name.removesuffix('_bench.cpp')}" for path in (ROOT / "bench").glob("*_bench.cpp")}
        programs -= {"bench_graph_peers"}  # one contender of bench/graph_peers
        scripts = {f"bench/{path.name}" for path in (ROOT / "bench").iterdir() if path.is_file() and not path.suffix}
        for program in programs | scripts:
            self.assertTrue(re.search(rf"{program}(?!\w)", commands), f"{program} is not on the list of scripts/benchmarks")

    def test_it_takes_about_40_minutes(self):
        self.assertLess(sum(benchmark.minutes for benchmark in benchmarks.BENCHMARKS if not benchmark.by_name), 42)


if __name__ == "__main__":
    unittest.main()
