"""Running a command to its end while looking at the memory that it, or ranks that it starts, hold."""
import subprocess
import time
from pathlib import Path


class Failed(Exception):
    """A command that ended badly, or could not be watched."""


def anonymous_bytes(pid):
    """What a process holds beyond mapped files; 0 where it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return 0


def descendants(pid):
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found = children.read_text().split()
        except OSError:
            continue
        for child in found:
            yield int(child)
            yield from descendants(child)


def program_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def run_looking(command, interval, look):
    """Runs it to its end, with look(pid) every `interval` seconds."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            look(process.pid)
            time.sleep(interval)
    finally:
        process.terminate()
        process.wait()
    if process.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {process.returncode}")


def run_watched(command):
    """The most anonymous memory that it held."""
    most = 0

    def look(pid):
        nonlocal most
        most = max(most, anonymous_bytes(pid))
    run_looking(command, 0.02, look)
    return most


def run_ranks_watched(command, ranks, program):
    """The most that any one of the ranks held, which are the processes of that program below the command."""
    most = {}

    def look(pid):
        if len(most) < ranks:
            for child in descendants(pid):
                if program_of(child) == program:
                    most.setdefault(child, 0)
        for rank in most:
            most[rank] = max(most[rank], anonymous_bytes(rank))
    run_looking(command, 0.03, look)
    if len(most) != ranks:
        raise Failed(f"{' '.join(command)}: saw {len(most)} processes {program}, not {ranks}")
    return max(most.values())
