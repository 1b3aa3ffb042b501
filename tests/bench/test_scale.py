#!/usr/bin/env python3
"""bench/scale without a run of pith: the formulas of ranks, the page that shows them, and watching processes."""
import importlib.machinery
import importlib.util
import random
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
SCALE = ROOT / "bench/scale"


def load_script():
    loader = importlib.machinery.SourceFileLoader("scale", str(SCALE))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("scale", loader))
    loader.exec_module(module)
    return module


scale = load_script()
import formulas  # noqa: E402
import watching  # noqa: E402


def costs(n, ranks, **more):
    return formulas.rank_costs(n, ranks, 64, 10, **more)


class Formulas(unittest.TestCase):
    def test_exact_up_to_a_minute_of_one_machine(self):
        most = (2 * 60e11 / 64) ** 0.5
        for ranks in (1, 8):
            self.assertEqual(costs(0.99 * most, ranks).method, "exact")
            self.assertEqual(costs(1.01 * most, ranks).method, "approximate")
        self.assertEqual(costs(1e5, 2, method="approximate").method, "approximate")

    def test_more_ranks_need_less_each(self):
        for n in (1e5, 1e6, 1e9):
            for few, many in ((2, 4), (4, 8), (8, 64), (64, 512)):
                less, more = costs(n, many), costs(n, few)
                for name in ("inputs", "memory", "graph", "rest"):
                    self.assertLess(getattr(less, name), getattr(more, name), f"{name}, {n:g} items, {few} to {many} ranks")

    def test_what_ranks_receive_falls_once_there_are_many(self):
        for n in (1e6, 1e9):
            for few, many in ((16, 64), (64, 512)):
                self.assertLess(costs(n, many).received, costs(n, few).received, f"{n:g} items, {few} to {many} ranks")

    def test_ghosts_are_as_many_as_neighbours_at_random_make(self):
        chance, n = random.Random(1), 3000
        for ranks in (2, 4, 16, 60):
            own = n // ranks
            seen = {chance.randrange(n) for _ in range(own * formulas.ENTRIES)}
            self.assertAlmostEqual(sum(item >= own for item in seen) / formulas.ghosts(n, ranks), 1, delta=0.05)
        self.assertEqual(formulas.ghosts(n, 1), 0)

    def test_one_rank_receives_nothing_and_what_all_hold_stays(self):
        self.assertEqual(costs(1e6, 1).received, 0)
        self.assertGreater(costs(1e9, 10 ** 6).memory, 70 * 1e9)

    def test_seconds_by_cores(self):
        two, one, half = (costs(1e6, 4, cores=cores) for cores in (2, 1, 0.5))
        for name in ("graph", "rest"):
            self.assertAlmostEqual(getattr(one, name), 2 * getattr(two, name))
            self.assertAlmostEqual(getattr(half, name), 4 * getattr(two, name))
        self.assertEqual(half.memory, two.memory)

    def test_a_machine_is_known_by_runs_of_one_rank(self):
        def runs(machine, cores):
            for n, method in scale.YARDSTICKS:
                foreseen = costs(n, 1, cores=cores, method=method, machine=machine)
                yield formulas.RankRun(n, 64, method, cores, foreseen.graph, foreseen.rest)

        for true in (formulas.Machine(), formulas.Machine(1e12, 0.7e-5, 1.2e11, 0.8), formulas.Machine(4e10, 2e-5, 3e10, 2)):
            for cores in (1, 2):
                found = formulas.machine_of(list(runs(true, cores)))
                for name, value in true._asdict().items():
                    self.assertAlmostEqual(getattr(found, name), value, delta=1e-6 * value + 1e-12, msg=name)

    def test_runs_that_contradict_each_other_give_no_negative_seconds(self):
        exact = [formulas.RankRun(n, 64, "exact", 1, seconds, 0.1) for n, seconds in ((50_000, 1.0), (150_000, 1.5))]
        found = formulas.machine_of([*exact, formulas.RankRun(1_000_000, 64, "approximate", 1, 9, 0.5)])
        for items in (1e4, 1e5, 3e5, 1e6, 1e7):
            self.assertGreater(costs(items, 4, machine=found).graph, 0)

    def test_a_machine_twice_as_fast_takes_half_as_long(self):
        usual = formulas.Machine()
        fast = formulas.Machine(2 * usual.multiply_adds, usual.row / 2, 2 * usual.in_cells, 0.5)
        for n in (1e5, 1e6):
            self.assertAlmostEqual(2 * costs(n, 1, machine=fast).graph, costs(n, 1).graph)
            self.assertAlmostEqual(2 * costs(n, 4, machine=fast).rest, costs(n, 4).rest)

    def test_the_method_asked_for(self):
        self.assertEqual(scale.asked_method(["--knn", "approximate"]), "approximate")
        self.assertEqual(scale.asked_method(["--seed", "1", "--knn=exact"]), "exact")
        self.assertIsNone(scale.asked_method(["--knn", "auto"]))
        self.assertIsNone(scale.asked_method([]))

    def test_the_page_has_what_the_command_prints(self):
        page = (ROOT / "docs/scale.md").read_text()
        ranks = re.search(r"bench/scale --model --ranks ([\d,]+)", page)[1]
        said = subprocess.run([SCALE, "--model", "--ranks", ranks, "--items", ",".join(str(10 ** power) for power in range(6, 11))],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(len(said.splitlines()), 2 + 5 * len(ranks.split(",")))
        self.assertIn(said, page)


HOLD = "import time; kept = b'x' * {}; time.sleep(0.5)"


class Watching(unittest.TestCase):
    def test_the_most_that_a_process_held(self):
        most = watching.run_watched([sys.executable, "-c", HOLD.format(100_000_000)])
        self.assertGreater(most, 100e6)
        self.assertLess(most, 150e6)

    def test_the_most_of_one_rank(self):
        command = ["sh", "-c", '"$0" -c "$1" & "$0" -c "$2" & wait', sys.executable, HOLD.format(20_000_000), HOLD.format(100_000_000)]
        most = watching.run_ranks_watched(command, 2, Path(sys.executable).name[:15])
        self.assertGreater(most, 100e6)
        self.assertLess(most, 150e6)

    def test_ranks_that_were_not_seen_are_told(self):
        with self.assertRaisesRegex(watching.Failed, "saw 0 processes pith-mpi, not 2"):
            watching.run_ranks_watched(["sleep", "0.1"], 2, "pith-mpi")
        with self.assertRaisesRegex(watching.Failed, "ended with 1"):
            watching.run_watched(["false"])


if __name__ == "__main__":
    unittest.main()
