"""The program hcl2tojson: its outputs and exit codes are those of python-hcl2's own."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from peers import directory

ENTRY = "import sys; from {module} import main; sys.exit(main())"

FILES = {
    "a.tf": """a = 1
o = { cpu = 1, k = 2 }
resource "x" "y" {
  cpu = 1e3 # public
  obj = { cpu = 1, z = "\u00e9" }
  text = <<EOT
  a
  EOT
  inner "l" {
    cpu = (1 + 2) * 3
    u = 8
  }
  other {}
  tup = [{ cpu = 1 }, 2, [{ cpu = 1 }]]
  numbers = [1, 2]
  deep = [[{ cpu = 1 }]]
}
""",
    "b.tf": "b = 1\n",
    "bad.tf": "b = = 2\n",
    "latin.tf": "b = \"\udcff\"\n",
    "d/c.hcl": "c = 1\n",
    "d/sub/d.tf": "d = 1\n",
    "d/notes.txt": "no HCL\n",
    "mixed/bad.hcl": "x\n",
    "mixed/c.hcl": "c = 1\n",
}

COMMANDS = [
    "a.tf",
    "-q a.tf",
    "--compact a.tf",
    "--json-indent 3 a.tf",
    "--with-comments a.tf",
    "--with-meta a.tf",
    "--wrap-objects --wrap-tuples a.tf",
    "--no-explicit-blocks --no-preserve-heredocs a.tf",
    "--force-parens --no-preserve-scientific a.tf",
    "--strip-string-quotes a.tf",
    "--only resource,o a.tf",
    "--exclude resource a.tf",
    "--only resource --exclude o a.tf",
    "--fields cpu a.tf",
    "--fields cpu,inner --with-comments a.tf",
    "--fields tup --no-explicit-blocks a.tf",
    "--fields nothing a.tf",
    "a.tf b.tf",
    "d",
    "--ndjson a.tf",
    "--ndjson a.tf b.tf",
    "--ndjson d",
    "--ndjson d/*.hcl",
    "--ndjson **/*.hcl",
    "--ndjson bad.tf",
    "--ndjson -s bad.tf",
    "--ndjson -s bad.tf a.tf",
    "--ndjson missing.tf",
    "--ndjson mixed",
    "--ndjson -s mixed",
    "bad.tf",
    "-s bad.tf",
    "latin.tf",
    "-s latin.tf",
    "missing.tf",
    "-o out.json a.tf",
    "-o out a.tf d/c.hcl",
    "-o out d",
    "-o out -s mixed",
    "-o out -s a.tf bad.tf",
    "-",
    "- a.tf --ndjson",
    "--unknown a.tf",
]


def run(module: str, path: list[str], command: str, root: Path) -> tuple[int, str, list[str], dict[str, str]]:
    """The exit code, the output, the files that it names, and those that it writes."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    before = set(root.rglob("*"))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*path, *filter(None, [os.environ.get("PYTHONPATH")])])}
    program = [sys.executable, "-c", ENTRY.format(module=module), *command.split()]
    done = subprocess.run(program, cwd=root, env=environment, capture_output=True, text=True, input="s = 1\n", check=False)
    assert "Traceback" not in done.stderr
    errors = re.findall(r'^{"error": "(\w+)", "message": ".*", "file": "(.*)"}$', done.stderr, flags=re.MULTILINE)
    written = {str(it.relative_to(root)): it.read_text() for it in set(root.rglob("*")) - before if it.is_file()}
    names = [it for it in done.stderr.splitlines() if it.endswith((".tf", ".hcl")) and " " not in it]
    return done.returncode, done.stdout, [*names, *map(str, errors)], written


@pytest.mark.parametrize("command", COMMANDS)
def test_outputs_are_those_of_the_package(command: str, tmp_path: Path) -> None:
    found = run("hclkit.compat.hcl2tojson", [], command, tmp_path / "ours")
    assert found == run("cli.hcl_to_json", [str(directory("v8"))], command, tmp_path / "theirs")


def test_what_the_package_loses_is_said(tmp_path: Path) -> None:
    """It overwrites a file of the same name, and skips without a reason."""
    for name in ("a.tf", "a.hcl"):
        (tmp_path / name).write_text("a = 1\n")
    program = [sys.executable, "-m", "hclkit.compat.hcl2tojson"]
    done = subprocess.run([*program, "-o", "out", "a.tf", "a.hcl"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "would both be written to" in done.stderr and not (tmp_path / "out").exists()
    (tmp_path / "a.hcl").write_text("a = = 1\n")
    done = subprocess.run([*program, "-s", "a.hcl"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "error[" in done.stderr
    # Paths out of the directory that is written to.
    shutil.copy(tmp_path / "a.tf", tmp_path.parent / "up.tf")
    (tmp_path / "in").mkdir()
    done = subprocess.run([*program, "-q", "-o", "out", "../up.tf", "../a.tf"], cwd=tmp_path / "in", capture_output=True, text=True, check=False)
    assert all((tmp_path / "in/out") in it.parents for it in (tmp_path / "in").rglob("*.json"))


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_pipe_ends_it(tmp_path: Path) -> None:
    (tmp_path / "a.tf").write_text("".join(f"a{at} = 1\n" for at in range(50_000)))
    command = f"{sys.executable} -m hclkit.compat.hcl2tojson -q --ndjson a.tf a.tf a.tf | head -c 10"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == '{"__file__' and done.stderr == ""


def test_deep_files_are_errors(tmp_path: Path) -> None:
    (tmp_path / "a.tf").write_text("b {\n" * 900 + "}\n" * 900)
    program = [sys.executable, "-m", "hclkit.compat.hcl2tojson", "-q", "--fields", "a", "a.tf"]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2) and "Traceback" not in done.stderr
    assert done.returncode == 2 or json.loads(done.stdout)
