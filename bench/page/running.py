"""Running one benchmark, keeping what it said, and knowing later which commit it was said of."""
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import threading
import time
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# name, the question it answers in a line, minutes it takes on two quiet cores, its command at full and at toy size; files it
# needs (path: what to say where it is missing); why only by name; exit codes that are an answer and no failure.
Benchmark = namedtuple("Benchmark", "name question minutes command quick needs by_name answers",
                       defaults=({}, "", {}))
# status: done, left out, failed; reason: of the latter two, or an answer other than 0; tree: what it was run on, once it is kept.
Result = namedtuple("Result", "benchmark status reason output seconds finished others tree", defaults=("",))


def git(*words):
    found = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)
    return found.stdout if found.returncode == 0 else ""


def tree_state(page):
    """(commit as the page names it, fingerprint of the tree): the page itself is no change."""
    commit = git("rev-parse", "--short=12", "HEAD").strip() or "unknown"
    only = ["--", ".", f":(exclude){os.path.relpath(page, ROOT)}"] if page.is_relative_to(ROOT) else ["--", "."]
    changes = git("status", "--porcelain", *only)
    if not changes:
        return commit, commit
    digest = hashlib.sha256((changes + git("diff", "HEAD", *only)).encode()).hexdigest()[:12]
    return f"{commit} + changes", f"{commit} {digest}"


def stale_build():
    """Brings the build up to date; why that failed, if it did: figures would be those of another commit."""
    if not (ROOT / "build/release/build.ninja").exists():
        return None
    built = subprocess.run(["ninja", "-C", "build/release"], cwd=ROOT, capture_output=True, text=True)
    return None if built.returncode == 0 else built.stdout.strip().splitlines()[-1]


def missing(needs, command):
    """Why it cannot run, or nothing."""
    for path, reason in needs.items():
        if not (ROOT / path).exists():
            return f"no {path}: {reason}"
    for path in re.findall(r"build/release/bin/\w+", command):
        if not (ROOT / path).exists():
            return f"{path} is not built (scripts/bench builds everything that can be built here)"
    return ""


def busy_seconds():
    """Seconds that all processors have been busy with anything since the start; None where /proc tells of other processors."""
    fields = Path("/proc/stat").read_text().splitlines()
    if sum(1 for line in fields if re.match(r"cpu\d", line)) != os.cpu_count():
        return None
    user, nice, system, _, _, irq, softirq, steal = map(int, fields[0].split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(benchmark, command, limit, say):
    """Runs it at the root, shows its lines as they come, and stops it after `limit` seconds."""
    start, busy, own = time.monotonic(), busy_seconds(), own_seconds()
    process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                               env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"})

    def stop():  # a session of its own: what it started ends with it
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    watch = threading.Timer(limit, stop)
    watch.start()
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            say(line.rstrip("\n"))
        process.stdout.close()
        code = process.wait()
    except BaseException:
        stop()
        raise
    finally:
        watch.cancel()
    seconds = time.monotonic() - start
    others = None
    if busy is not None:
        others = max(0.0, (busy_seconds() - busy) - (own_seconds() - own)) / (seconds * os.cpu_count())
    output = "".join(lines)
    status, reason = judge(benchmark, code, output, seconds >= limit, limit)
    return Result(benchmark, status, reason, output, seconds, time.time(), others)


def judge(benchmark, code, output, late, limit):
    """(status, reason) by how it ended. Scripts that lack something say so in their last line."""
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "")
    lack = re.sub(r"^\S+: (left out, )?", "", last)
    if code == 0 and len(output.strip().splitlines()) == 1 and "left out" in last:
        return "left out", lack
    if code == 0:
        return "done", ""
    if late:
        return "failed", f"stopped after {limit / 60:.0f} minutes"
    if code in benchmark.answers:
        return "done", benchmark.answers[code]
    if re.search(r"left out|\bneeds\b|is not built", last):
        return "left out", lack
    return "failed", f"ended with {code}: {last or 'without a word'}"


def keep(result, command, fingerprint, folder):
    folder.mkdir(parents=True, exist_ok=True)
    name = result.benchmark.name
    (folder / f"{name}.txt").write_text(result.output)
    record = {"command": command, **result._asdict(), "tree": fingerprint}
    del record["benchmark"], record["output"]
    (folder / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")


def kept(benchmark, command, fingerprint, folder, hours):
    """The result of an earlier run of the same command on the same tree (on any, if that is None), if it was done less than `hours` ago."""
    try:
        record = json.loads((folder / f"{benchmark.name}.json").read_text())
        output = (folder / f"{benchmark.name}.txt").read_text()
    except (OSError, ValueError):
        return None
    same = fingerprint in (None, record.get("tree")) and record.pop("command", None) == command
    if not same or record.get("status") != "done" or time.time() - record["finished"] > 3600 * hours:
        return None
    return Result(benchmark=benchmark, output=output, **record)
