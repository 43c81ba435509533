"""Type checkers see what users get, and find their mistakes."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "user_program.py"
WANTED = {at for at, line in enumerate(PROGRAM.read_text().splitlines(), 1) if line.endswith("# error")}


def complaints(command: list[str], directory: Path) -> set[int]:
    """The lines with errors."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    found = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, env=environment)
    output = found.stdout + found.stderr
    lines = re.findall(r"user_program\.py:(\d+)(?::\d+)?(?: - |: )error", output)
    assert lines or not found.returncode, output
    return set(map(int, lines))


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_user_program(checker: str, tmp_path: Path) -> None:
    """In another directory, where the installed package is seen."""
    if not importlib.util.find_spec(checker):
        pytest.skip(f"{checker} is not installed")
    program = tmp_path / PROGRAM.name
    program.write_text(PROGRAM.read_text())
    command = [sys.executable, "-m", checker, *(["--strict"] if checker == "mypy" else []), program.name]
    if checker == "pyright" and subprocess.run([*command[:3], "--version"], capture_output=True, check=False).returncode:
        pytest.skip("pyright cannot be started")
    assert complaints(command, tmp_path) == WANTED
