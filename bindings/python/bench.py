"""Speed beside other packages, in one run: `python bench.py` prints a table.

The packages are installed from PyPI into tests/.peers. Each reads the same text in a process of its own, in turns; the best of
the turns counts, because other work on the machine can only slow down. For two threads, it must have both processors: where other
work runs, `chrt -f 50 python bench.py threads` measures only these, for less than a second, before all other work.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "tests"))
from peers import VERSIONS, directory  # noqa: E402

VERSIONS["pygohcl"] = "pygohcl==1.2.9"
EXAMPLES = Path(__file__).parents[2] / "examples"
ONE = "".join((EXAMPLES / "infrastructure" / name).read_text() for name in ["main.tf", "variables.tf", "outputs.tf"])
TEXT, LONG = ONE * 8, ONE * 400

PROGRAM = """
import json, sys, time
text, work, least = json.load(sys.stdin)
{setup}
def once():
    start = time.perf_counter()
    {call}
    return time.perf_counter() - start
once()
times, end = [], time.perf_counter() + least
while not times or time.perf_counter() < end:
    times.append(once())
print(min(times))
"""
OURS = {
    "hclkit.parse": ("import hclkit", "hclkit.parse(text)"),
    "hclkit.loads": ("import hclkit", "hclkit.loads(text)"),
    "hclkit.compat.hcl2.loads": ("from hclkit.compat import hcl2", "hcl2.loads(text)"),
    "hclkit.compat.hcl2_v7.loads": ("from hclkit.compat import hcl2_v7", "hcl2_v7.loads(text)"),
    "hclkit.compat.bc_hcl2.loads": ("from hclkit.compat import bc_hcl2", "bc_hcl2.loads(text)"),
    "hclkit.compat.pygohcl.loads": ("from hclkit.compat import pygohcl", "pygohcl.loads(text)"),
}
THEIRS = {
    "v8": ("import hcl2", "hcl2.loads(text)"),
    "v7": ("import hcl2", "hcl2.loads(text)"),
    "bc": ("import hcl2", "hcl2.loads(text)"),
    "pygohcl": ("import pygohcl", "pygohcl.loads(text)"),
}


def measure(setup: str, call: str, text: str, path: Path | None) -> float:
    """The megabytes that a package reads in a second."""
    environment = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    program = PROGRAM.format(setup=setup, call=call)
    request = json.dumps([text, call, 0.5])
    found = subprocess.run(
        [sys.executable, "-c", program], input=request, env=environment, capture_output=True, text=True, check=True
    )
    return len(text.encode()) / float(found.stdout) / 1e6


def main() -> None:
    """Print the table."""
    best: dict[str, float] = {}
    for _ in range(3):
        for name, (setup, call) in OURS.items():
            best[name] = max(best.get(name, 0), measure(setup, call, TEXT, None))
        for peer, (setup, call) in THEIRS.items():
            name = VERSIONS[peer].replace("==", " ")
            best[name] = max(best.get(name, 0), measure(setup, call, TEXT, directory(peer)))
    print("| | MB/s |\n| --- | --- |")
    for name, speed in best.items():
        print(f"| `{name}` | {speed:.2f} |" if name.startswith("hclkit") else f"| {name} | {speed:.2f} |")
    pairs = [
        ("hclkit.compat.hcl2.loads", "python-hcl2 8.1.4"),
        ("hclkit.compat.hcl2_v7.loads", "python-hcl2 7.3.1"),
        ("hclkit.compat.bc_hcl2.loads", "bc-python-hcl2 0.4.3"),
        ("hclkit.compat.pygohcl.loads", "pygohcl 1.2.9"),
        ("hclkit.compat.hcl2.loads", "pygohcl 1.2.9"),
        ("hclkit.loads", "pygohcl 1.2.9"),
    ]
    for ours, theirs in pairs:
        print(f"{ours}: {best[ours] / best[theirs]:.0f} times {theirs}")
    imported = "import time; a = time.perf_counter(); import hclkit; print(time.perf_counter() - a)"
    times = [float(subprocess.check_output([sys.executable, "-c", imported])) for _ in range(10)]
    print(f"import hclkit: {min(times) * 1000:.1f} ms")

    print(f"an unclosed string of 64 kB: {min(unclosed() for _ in range(5)) * 1000:.1f} ms")
    threads()


def unclosed() -> float:
    """The seconds until an unclosed string is an error."""
    import hclkit

    start = time.perf_counter()
    try:
        hclkit.loads('a = "' + "x" * 64_000)
    except hclkit.HclError:
        pass
    return time.perf_counter() - start


def threads() -> None:
    """Print how much sooner two threads parse two documents than one."""
    import threading

    import hclkit

    def parse(count: int) -> float:
        workers = [threading.Thread(target=hclkit.parse, args=(LONG,)) for _ in range(count)]
        start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return (time.perf_counter() - start) / count

    gains = sorted(parse(1) / parse(2) for _ in range(41))
    load = Path("/proc/loadavg").read_text().split()[0]
    print(f"two threads: {gains[len(gains) // 2]:.2f} times one, the median of {len(gains)} pairs; the load is {load}")


if __name__ == "__main__":
    threads() if sys.argv[1:] == ["threads"] else main()
