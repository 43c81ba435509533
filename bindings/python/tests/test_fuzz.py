"""The fuzzer, for some seconds and without atheris: `./fuzz` runs it with."""

import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).parents[1] / "fuzz.py"


def test_random_inputs(tmp_path: Path) -> None:
    """Each input ends in a result or a documented exception."""
    command = [sys.executable, str(FUZZ), "--random", "5", "1"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, (
        f"{run.stderr}\nthe input is {(tmp_path / 'fuzz-findings/last-input').read_bytes().hex()}"
    )
    count, *_ = run.stdout.splitlines()[-1].split()
    assert int(count) > 20
