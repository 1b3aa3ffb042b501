"""The ratios in what the benchmarks print. Each reader takes the output of one benchmark and gives its rows for the two tables
on top of the page; a line that it does not know is no row, so a benchmark without rows is told apart from one that failed."""
import re
import statistics
from collections import namedtuple

# What someone else's program needs for the same work: factor > 1 is ours being faster; None where it did not get there.
Peer = namedtuple("Peer", "work ours peer theirs factor")
# Ours in units of something everyone knows the time of, or of a part of the work.
Yardstick = namedtuple("Yardstick", "work ours yardstick multiple")

NUMBER = r"([\d.]+)"


def size_text(size):
    """50000x64 as it is written in sentences."""
    return " x ".join(f"{int(part):,}" for part in size.split("x"))


def in_seconds(seconds):
    """Three digits, and never fewer than those before the point."""
    return f"{seconds:.0f} s" if seconds >= 100 else f"{seconds:.3g} s"


def over(seconds, others):
    """A ratio; none where toys are too quick to tell."""
    return seconds / others if others > 0 else None


def blocks(text, header):
    """(match of the header, lines up to the next header) of a text in which blocks of lines follow headers."""
    found = []
    for line in text.splitlines():
        match = re.match(header, line)
        if match:
            found.append((match, []))
        elif found:
            found[-1][1].append(line)
    return found


def exact_graph(text):
    rows = []
    for header, lines in blocks(text, r"exact (\d+x\d+) (\w+)"):
        work = f"exact 10-NN graph, {size_text(header[1])}, {header[2]}"
        seconds = {}
        for line in lines:
            match = re.match(rf"  (ours auto|faiss flat, tuned|scikit-learn|bare sgemm tiles) +{NUMBER} s ", line)
            if match:
                seconds[match[1]] = float(match[2])
        ours = seconds.pop("ours auto", None)
        for name, theirs in seconds.items() if ours is not None else ():
            if name == "bare sgemm tiles":
                rows.append(Yardstick(work, in_seconds(ours), "bare sgemm tiles, which find no neighbours", over(ours, theirs)))
            else:
                rows.append(Peer(work, in_seconds(ours), name, in_seconds(theirs), over(theirs, ours)))
    return rows


def approximate_graph(text):
    rows = []
    for header, lines in blocks(text, rf"approximate (\d+x\d+) (\w+), recall {NUMBER}"):
        work, asked = f"approximate 10-NN graph, {size_text(header[1])}, {header[2]}", float(header[3])
        ours, peers = approximate_runs(lines)
        if not ours:
            continue
        median = statistics.median(seconds for seconds, _ in ours)
        ours_text = f"{in_seconds(median)}, recall {ours[0][1]:.3f}"
        for name, settings in peers.items():
            rows.append(approximate_row(work, asked, median, ours_text, name, settings))
        for line in lines:
            match = re.match(rf"  triangles of a graph of as many items: {NUMBER} s, {NUMBER} of", line)
            if match:
                rows.append(Yardstick(work.replace("approximate 10-NN graph", "all triangles"), f"{match[1]} s",
                                      "the approximate graph", float(match[2])))
    return rows


def approximate_runs(lines):
    """(seconds, recall) of every run of ours and of every setting of each peer; no settings where a peer finished none."""
    ours, peers = [], {}
    for line in lines:
        match = re.match(rf"  (\S.*?) +{NUMBER} s  recall {NUMBER}", line)
        stopped = re.match(r"  (\S.*?) +stopped at the cap", line)
        if match and match[1] == "ours":
            ours.append((float(match[2]), float(match[3])))
        elif match:
            peers.setdefault(match[1], []).append((float(match[2]), float(match[3])))
        elif stopped:
            peers.setdefault(stopped[1], [])
    return ours, peers


def approximate_row(work, asked, ours, ours_text, name, settings):
    """The peer's fastest setting that gives the recall asked for; else the one that comes nearest to it."""
    if not settings:
        return Peer(work, ours_text, name, "nothing finished within its time", None)
    good = [setting for setting in settings if setting[1] >= asked]
    seconds, recall = min(good) if good else max(settings, key=lambda setting: setting[1])
    text = f"{in_seconds(seconds)}, recall {recall:.3f}"
    if good:
        return Peer(work, ours_text, name, text, over(seconds, ours))
    return Peer(work, ours_text, name, f"{text}: below the {asked:g} asked, its best within its time", None)


def k_center(text):
    found = re.finditer(rf"^k-center, (\d+) x (\d+), 10%: ours {NUMBER} s, (.+?) {NUMBER} s: {NUMBER} x faster", text, re.M)
    return [Peer(f"k-center, {size_text(f'{m[1]}x{m[2]}')}, 10%", in_seconds(float(m[3])), m[4], in_seconds(float(m[5])),
                 float(m[6])) for m in found]


def caps(text):
    rows = []
    for header, lines in blocks(text, r"(.+): \d+ cells, feasible"):
        match = re.match(rf"  ours {NUMBER} ms .*?; Boykov-Kolmogorov {NUMBER} ms: {NUMBER} x; push-relabel {NUMBER} ms: {NUMBER} x",
                         "\n".join(lines))
        if match:
            work = f"can the caps meet the budget: {header[1]}"
            rows += [Peer(work, f"{match[1]} ms", f"Boost.Graph, {name}", f"{match[at]} ms", float(match[at + 1]))
                     for name, at in (("Boykov-Kolmogorov", 2), ("push-relabel", 4))]
    return rows


def train_throughput(text):
    found = re.finditer(rf"^(\w+) +(\d+) +{NUMBER}% +(\d+) +(\d+) +{NUMBER}$", text, re.M)
    return [Peer(f"training, {m[1]}", f"{int(m[2]):,} images/s", "Python's torch, a batch that is ready",
                 f"{max(int(m[4]), int(m[5])):,} images/s", float(m[6])) for m in found]


def train(text):
    found = re.finditer(rf"^(\w+) +\d+ +{NUMBER}% +(\d+) +(\d+) +{NUMBER}$", text, re.M)
    return [Yardstick(f"embedding images, {m[1]}", f"{int(m[3]):,} images/s", "images/s of the bare network", float(m[5]))
            for m in found]


def pattern(expression, make):
    """A reader that makes a row of every match."""
    return lambda text: [make(match) for match in re.finditer(expression, text, re.M)]


SORT = "std::sort of 1,000,000 pairs"


def select(text):
    items = re.search(r"^(\d+) items,", text, re.M)
    match = re.search(rf"^(\S+) with outputs: {NUMBER} s = {NUMBER} x std::sort", text, re.M)
    if not items or not match:
        return []
    return [Yardstick(f"everything after the graph, {int(items[1]):,} items, {match[1]}", in_seconds(float(match[2])), SORT,
                      float(match[3]))]


def triangles(text):
    items = re.search(r"^(\d+) items,", text, re.M)
    match = re.search(rf"find_triangles {NUMBER} s = {NUMBER} sorts", text)
    return [Yardstick(f"all triangles, {int(items[1]):,} items", f"{match[1]} s", SORT, float(match[2]))] if items and match else []


def cold_start(text):
    found = re.findall(rf"^pith select {NUMBER} s, of which the exact graph {NUMBER} s: ratio {NUMBER}", text, re.M)
    if not found:
        return []
    seconds, _, ratio = min(found, key=lambda run: float(run[0]))
    return [Yardstick("pith select from cold, files included", f"{seconds} s", "its exact graph alone", float(ratio))]


def strategies(text):
    """The slowest three; the whole list stands below."""
    found = re.findall(rf"^(\S+) +{NUMBER} s +{NUMBER} x the graph", text, re.M)
    slowest = sorted(found, key=lambda row: -float(row[1]))[:3]
    return [Yardstick(f"strategy {name}", in_seconds(float(seconds)), "the exact graph", float(ratio))
            for name, seconds, ratio in slowest]


READERS = {
    "exact_graph": exact_graph,
    "approximate_graph": approximate_graph,
    "approximate_graph_64": approximate_graph,
    "approximate_graph_512": approximate_graph,
    "approximate_graph_gaussian": approximate_graph,
    "k_center_numpy": k_center,
    "k_center": k_center,
    "caps": caps,
    "train_throughput": train_throughput,
    "train": train,
    "select": select,
    "select_real": select,
    "triangles": triangles,
    "cold_start": cold_start,
    "strategies": strategies,
    "facility": pattern(rf"^(lazy|stochastic|threshold) +{NUMBER} s = +{NUMBER} x std::sort",
                        lambda m: Yardstick(f"facility location on a graph, {m[1]}", f"{m[2]} s", SORT, float(m[3]))),
    "neighbors": pattern(rf"^(\d+) x (\d+) .*: products alone {NUMBER} s, exact 10 neighbours {NUMBER} s, ratio {NUMBER}",
                         lambda m: Yardstick(f"exact neighbours, {size_text(f'{m[1]}x{m[2]}')}", f"{m[4]} s",
                                             "the products alone, by OpenBLAS", float(m[5]))),
    "python_overhead": pattern(rf"^(\d+) x (\d+), (\S+), \w+, wall: pith select {NUMBER} s, pith.select {NUMBER} s: ratio {NUMBER}",
                               lambda m: Yardstick(f"pith.select from Python, {size_text(f'{m[1]}x{m[2]}')}, {m[3]}", f"{m[5]} s",
                                                   "pith select", float(m[6]))),
    "report": pattern(rf"^(\d+) items: page .*; made in {NUMBER} s, {NUMBER} x the selection",
                      lambda m: Yardstick(f"pith report, {int(m[1]):,} items", f"{m[2]} s", "the selection", float(m[3]))),
    "scale": pattern(rf"^total +{NUMBER} s +{NUMBER} s +{NUMBER}$",
                     lambda m: Yardstick("pith select, as planned", f"{m[2]} s", "the plan's time", float(m[3]))),
}


def read(name, text):
    return READERS.get(name, lambda _: [])(text)
