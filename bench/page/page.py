"""docs/benchmarks.md: the machine, the ratios, and what every benchmark said."""
import os
import re
import subprocess
import time
from pathlib import Path

from machine import is_busy
from ratios import Peer, read

PACKAGES = ["libfaiss-dev", "libhnswlib-dev", "python3-pynndescent", "python3-sklearn", "python3-numpy", "python3-torch",
            "libboost-graph-dev", "libopenblas-pthread-dev", "libtorch-dev"]
# What a benchmark says of its preparations, and the rows of a table that it did not fill.
NOISE = re.compile(r"^made \S+\.npy|^[a-z ]+ \d+%$|^ +probe \w+: core|^OpenBLAS and OpenMP settings that suit|\| (not run|no AMX here) \|")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def trim(output):
    """Without progress that overwrites itself, colours, the times of day and the noise."""
    lines = [ESCAPES.sub("", line.rstrip("\r").rsplit("\r", 1)[-1]).rstrip() for line in output.split("\n")]
    kept = [re.sub(r" \(\d\d:\d\d:\d\d\)$", "", line) for line in lines if not NOISE.search(line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n").replace("```", "'''")


def lacking(output):
    """Lines by which a benchmark says what it did without."""
    found = (re.sub(r"\s+", " ", line).strip() for line in output.splitlines() if re.search(r"left out|\bskipped\b", line))
    return list(dict.fromkeys(found))


def versions():
    """(package, version) of everything we are set against."""
    asked = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${db:Status-Status} ${Version}\n", *PACKAGES],
                           capture_output=True, text=True)
    return read_versions(asked.stdout)


def read_versions(text):
    found = dict(re.findall(r"^(\S+) installed (\S+)$", text, re.M))
    return [(package, found.get(package, "not installed")) for package in PACKAGES]


def memory_gib():
    match = re.search(r"MemTotal: +(\d+) kB", Path("/proc/meminfo").read_text())
    return int(match[1]) / 2**20 if match else 0


def system():
    release = Path("/etc/os-release")
    match = re.search(r'^PRETTY_NAME="?(.*?)"?$', release.read_text(), re.M) if release.exists() else None
    return match[1] if match else "unknown"


def machine_lines(facts):
    """`facts`: model, features, commit, in_use, versions, stale (a source younger than the build, or None)."""
    lines = [("machine", f"{facts['model']}, {len(os.sched_getaffinity(0))} cores, {memory_gib():.1f} GiB"),
             ("features", " ".join(facts["features"]) or "none of those that kernels ask for"),
             ("system", system()),
             ("date", time.strftime("%Y-%m-%d")),
             ("commit", facts["commit"]),
             ("in use by others at the start", f"{100 * facts['in_use']:.0f}% of the processors"
              + (": **not quiet, these figures mean little**" if is_busy(facts["in_use"]) else "")),
             ("against", ", ".join(f"{name} {version}" for name, version in facts["versions"]))]
    if facts["stale"]:
        lines.append(("build", f"**not up to date** ({facts['stale']}): these may be the figures of an earlier commit"))
    return ["| | |", "| --- | --- |"] + [f"| {name} | {text} |" for name, text in lines]


def faster(factor):
    if factor is None:
        return ""
    return f"**{factor:.3g} x faster**" if factor >= 1 else f"{1 / factor:.3g} x slower"


def ratio_tables(results):
    rows = [(row, result.benchmark.name) for result in results if result.status == "done"
            for row in read(result.benchmark.name, result.output)]
    peers = [(row, name) for row, name in rows if isinstance(row, Peer)]
    others = [(row, name) for row, name in rows if not isinstance(row, Peer)]
    lines = ["## Against peers", ""]
    if peers:
        lines += ["| work | ours | peer | it takes | ours is | from |", "| --- | --- | --- | --- | --- | --- |"]
        lines += [f"| {row.work} | {row.ours} | {row.peer} | {row.theirs} | {faster(row.factor)} | [{name}](#{name}) |"
                  for row, name in peers]
    else:
        lines.append("None was run.")
    lines += ["", "## In units of a yardstick", ""]
    if others:
        lines += ["| work | ours | is so many times | yardstick | from |", "| --- | --- | --- | --- | --- |"]
        lines += [f"| {row.work} | {row.ours} | {'' if row.multiple is None else f'{row.multiple:.3g}'} | {row.yardstick} | [{name}](#{name}) |" for row, name in others]
    else:
        lines.append("None was run.")
    return lines


def left_out_lines(results):
    lines = []
    for result in results:
        if result.status != "done":
            lines.append(f"- {result.benchmark.name}: {result.status}. {result.reason}")
        else:
            lines += [f"- {result.benchmark.name}, a part: {line}" for line in lacking(result.output)]
    return ["## Left out", ""] + (lines or ["Nothing."])


def section(result, command, commit):
    lines = ["", f"### {result.benchmark.name}", "", result.benchmark.question, "",
             "<!-- not run: minutes, on a quiet machine -->", "```sh", command, "```", ""]
    if result.status == "done" or result.output.strip():
        lines += ["```text", trim(result.output), "```", ""]
    if result.status != "done":
        return lines + [f"{result.status.capitalize()}: {result.reason}"]
    told = f"Took {result.seconds / 60:.1f} minutes, until {time.strftime('%Y-%m-%d %H:%M', time.localtime(result.finished))}."
    if result.others is not None and result.others > 0.05:
        told += f" **Others used {100 * result.others:.0f}% of the processors meanwhile.**"
    if result.tree and result.tree != commit:
        told += f" On commit {result.tree}."
    if result.reason:
        told += f" Its verdict: {result.reason}."
    return lines + [told]


def write_page(path, results, commands, facts, toys=False):
    made_by = "`scripts/benchmarks --quick` at sizes that mean nothing" if toys else "`scripts/benchmarks`"
    lines = ["# Benchmarks", "", f"Made by {made_by}; change nothing by hand. Every benchmark runs us and what we are set against in "
             "one run, so ratios say more than times.", ""]
    lines += machine_lines(facts) + [""] + ratio_tables(results) + [""] + left_out_lines(results) + ["", "## What each one said"]
    for result in results:
        if result.seconds or result.output:
            lines += section(result, commands[result.benchmark.name], facts["commit"])
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text("\n".join(lines) + "\n")
    part.replace(path)
