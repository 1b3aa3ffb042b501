"""What the machine is, and running one contender in a clean process of its own."""
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / "build/release/bin"
PROGRAM = BIN / "bench_graph_peers"
KERNELS = ["amx", "avx512bf16", "avx512", "avx2", "blas"]
# What the caller's environment may hold and no contender may inherit.
SWITCHES = ["OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OMP_WAIT_POLICY", "PITH_KERNEL"]


def cpu():
    """Model name and the features that decide on kernels, in order."""
    text = Path("/proc/cpuinfo").read_text()
    fields = dict(line.split("\t: ", 1) for line in text.replace("\t\t:", "\t:").splitlines() if "\t: " in line)
    flags = set(fields.get("flags", "").split())
    wanted = ["avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_bf16"]
    return fields.get("model name", "unknown"), [flag for flag in wanted if flag in flags]


class Failed(Exception):
    """A contender that ended badly; the message is its last word."""


def run(command, environment=None, limit=None):
    """Standard output of a contender. Past `limit` seconds it is stopped and what it had printed counts."""
    clean = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    process = subprocess.Popen([str(word) for word in command], env={**clean, **(environment or {})}, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0]
    except BaseException:
        process.kill()
        raise
    if process.returncode != 0:
        words = (err.strip() or out.strip() or f"ended with {process.returncode}").splitlines()
        raise Failed(words[-1])
    return out


def records(text):
    """The JSON lines of a contender."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]


def tune(features, probe):
    """The OpenBLAS core type and OpenMP waiting that suit faiss flat best here, and the core type that suits
    the bare products best, measured on `probe`. None is what OpenBLAS chooses by itself."""
    cores = [None]
    if "amx_bf16" in features:
        cores.append("SapphireRapids")
    if "avx512_bf16" in features:
        cores.append("Cooperlake")
    if "avx512f" in features:
        cores.append("SkylakeX")
    if "avx2" in features:
        cores.append("Haswell")

    def measure(who, core, waiting):
        environment = {"OMP_WAIT_POLICY": waiting}
        if core:
            environment["OPENBLAS_CORETYPE"] = core
        try:
            found = records(run([PROGRAM, "exact", who, probe, str(probe) + ".lists"], environment))[0]
        except Failed as failure:
            print(f"  probe {who}: core {core} left out: {failure}", flush=True)
            return float("inf"), None, environment
        print(f"  probe {who}: core {core or 'not told'} ({found['core']}), OpenMP waiting {waiting}: "
              f"{found['seconds']:.3f} s", flush=True)
        return found["seconds"], found["core"], environment

    best = lambda found: min(found, key=lambda measured: measured[0])
    flat = best([measure("flat", core, "passive") for core in cores])
    flat = best([flat, measure("flat", flat[2].get("OPENBLAS_CORETYPE"), "active")])
    bare = best([measure("bare", core, "passive") for core in cores])
    return {"flat": flat[2], "flat_core": flat[1], "bare": bare[2], "bare_core": bare[1]}


def find_python_with(module):
    """An interpreter that has the module: Debian's own, or the one that runs this."""
    for python in ["/usr/bin/python3", sys.executable]:
        if Path(python).exists() and subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
            return python
    return None


def in_use(seconds=2.0):
    """Share of all processors' time that is in use while we do nothing. The load would also count what has just ended."""
    def spent():
        user, nice, system, idle, waiting, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
        working = user + nice + system + irq + softirq + steal
        return working, working + idle + waiting
    working, whole = spent()
    time.sleep(seconds)
    working_then, whole_then = spent()
    return (working_then - working) / max(1, whole_then - whole)


def is_busy(share):
    """Others use the machine, too: timings then mean little."""
    return share > 0.1


def stamp():
    return time.strftime("%H:%M:%S")
