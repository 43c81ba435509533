"""The program hq: its outputs and exit codes are those of python-hcl2's own, for the examples of its documentation and its tests."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from peers import directory

FILES = {
    "main.tf": """# The instance.
resource "aws_instance" "main" {
  ami           = "ami-12345"
  instance_type = "t3.small"
  count         = 2
  tags = {
    Name = "web"
    Env  = var.env
  }
  network {
    ip = "10.0.0.1"
  }
}
resource "aws_s3_bucket" "logs" {
  bucket = "logs-${var.env}"
}
variable "a" {
  default = 1
  type    = string
}
variable "b" {}
module "docker" {
  source = "registry/docker"
  cpu    = 1024
  memory = 2048
}
locals {
  n    = length(var.list)
  list = [1, "two", length([1, 2]), [3]]
  c    = var.on ? "yes" : "no"
  m    = merge(local.a, local.b, local.rest...)
  z    = null
}
""",
    "two.tf": 'x = 1\ny = 2\nw = "it\'s"\no = { a = 1, "b c" = [1, 2] }\nvariable "z" {\n  default = 3\n}\n',
    "three.tf": 'x = 2\nvariable "z" {\n  default = 4\n  type = string\n}\nvariable "q" {}\n',
    "comments.tf": '# a comment\nx = 1 # inline\n\n# block\nb "l" {\n  y = 2 // z\n}\n',
    "bad.tf": "{invalid\n",
    "d/a.tf": "x = 7\n",
    "d/e/b.tfvars": "x = 8\n",
    "d/e/c.hcl": "x = 9\n",
}

QUERIES = [
    "*",
    "resource",
    "resource.aws_instance.main",
    "resource.aws_instance.main.ami",
    "resource~[*]",
    "resource~.ami",
    "variable[0]",
    "variable[5]",
    "locals.list",
    "locals.list.*[1]",
    "resource.*.*.tags",
    "*..function_call:length",
    "*..function_call:*[*] | .name",
    "*..function_call:merge.args[0]",
    "*..function_call:*[select(.args[2])]",
    "*..function_call:*[select(.args | length > 2)] | .name",
    "*..tuple:*[*] | select(any(.elements; .type == \"function_call\"))",
    "*..block:*",
    "*..object:*",
    "*..ami",
    "*..*",
    "attribute:*",
    "block:variable[*]",
    "resource[*] | .labels | length",
    "resource.aws_instance.main.tags | keys",
    "resource~[*] | .tags | keys[*]",
    "resource.aws_instance.main | keys",
    "resource[*] | {type: .block_type, name: .name_labels}",
    "module~[*] | {source, cpu, memory}",
    "module~[*] | .source | .value",
    "resource~[select(has(\"tags\"))] | {name: .name_labels, tags}",
    "variable~[select(.default)] | {name: .name_labels, default}",
    "variable[*] | select(.default)",
    "*[select(not .default)] | .labels",
    "*[select(.block_type == \"variable\")] | .labels",
    "*[select(.name_labels[0] == \"a\")] | .labels",
    "*[select(.source | contains(\"docker\"))] | .labels",
    "*[select(has(\"source\") or has(\"ami\"))] | .labels",
    "*[select(.tags | not)] | .labels",
    "*[select(.default == null)] | .labels",
    "locals.c | .condition",
    "locals | {list, n, z}",
    "variable | .body",
    "variable[*]::name_labels",
    "nope?",
    "nope",
]

COMMANDS = [
    "x two.tf three.tf",
    "x two.tf three.tf --json",
    "x two.tf three.tf --ndjson",
    "x two.tf three.tf --value",
    "x two.tf three.tf --no-filename",
    "'o | keys' two.tf three.tf --json",
    "'o | keys' two.tf three.tf --ndjson",
    "'*' two.tf three.tf --json --with-location",
    "'resource[*]' main.tf --json --with-location --with-comments",
    "'*' comments.tf --json --with-comments",
    "'o | keys' two.tf --json --with-location",
    "'variable[*] | {default, nope}' three.tf --json --with-location",
    "'o.a' two.tf",
    "'o | values[*]' two.tf --value",
    "'* | length' two.tf",
    "w two.tf --raw",
    "two.tf --diff three.tf",
    "two.tf --diff three.tf --json",
    "two.tf --diff two.tf",
    "x d --json",
    "x d --value",
    "x 'd/**/*.tf*' --value",
    "x missing.tf",
    "x missing.tf --json",
    "x two.tf missing.tf",
    "x bad.tf",
    "x bad.tf two.tf",
    "x bad.tf missing.tf",
    "'[[[' two.tf",
    "'x | | y' two.tf",
    "'*[select(.ami ==)]' two.tf",
    "'' two.tf",
    "x two.tf --value --json",
    "x two.tf --ndjson --raw",
    "x two.tf --with-location",
    "x two.tf --with-comments",
    "x two.tf --json --json-indent 3",
    "-j 4 x two.tf",
    "s",
    "s -",
]


PROGRAM = """
import contextlib, io, json, sys
from MODULE import main
for line in sys.stdin:
    sys.argv, out, error = ["hq", *json.loads(line)], io.StringIO(), io.StringIO()
    sys.stdin = io.StringIO("s = 1\\n")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            code = main()
        except SystemExit as exit:
            code = exit.code
    print(json.dumps([code, out.getvalue(), error.getvalue()]))
    sys.stdin = sys.__stdin__
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def run(module: str, path: list[str], commands: list[list[str]], root: Path) -> list[tuple[int, str, str]]:
    """The exit codes, outputs and errors of commands."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*path, *filter(None, [os.environ.get("PYTHONPATH")])])}
    program = [sys.executable, "-c", PROGRAM.replace("MODULE", module)]
    lines = "".join(json.dumps(it) + "\n" for it in commands)
    done = subprocess.run(program, cwd=root, env=environment, capture_output=True, text=True, input=lines, check=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


OURS = "hclkit.compat.hq"


def test_outputs_are_those_of_the_package(root: Path) -> None:
    commands = [[it, "main.tf", *option] for it in QUERIES for option in ([], ["--json"], ["--value"])]
    commands += [shlex.split(it) for it in COMMANDS]
    ours, theirs = run(OURS, [], commands, root), run("cli.hq", [str(directory("v8"))], commands, root)
    assert len(ours) == len(theirs) == len(commands)
    for command, own, other in zip(commands, ours, theirs, strict=True):
        # HCL is as in the file; the package writes it with other blanks.
        is_source = not {"--json", "--ndjson", "--value", "--raw", "--diff"} & {*command}
        texts = ["".join(it[1].split()) if is_source else it[1] for it in (own, other)]
        assert (own[0], texts[0], bool(own[2])) == (other[0], texts[1], bool(other[2])), command


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("resource~[select(.count == 2)] | .name_labels", ["aws_instance", "main"]),
        ("resource~[select(.ami | test(\"^ami-[0-9]+\"))] | .name_labels", ["aws_instance", "main"]),
        ("module~[select(.cpu >= 1024)] | .source | .value", '"registry/docker"'),
        ("resource[*] | select(.block_type == \"resource\" and has(\"tags\")) | .ami | .value", '"ami-12345"'),
    ],
)
def test_predicates_compare_values(query: str, found: object, root: Path) -> None:
    """As its documentation says. The package compares a dictionary of the attribute instead, or raises an error."""
    [(_, output, _)] = run(OURS, [], [[query, "main.tf", "--json"]], root)
    assert json.loads(output) == found


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["-e", "doc", "main.tf"], "no Python is run"),
        (["--eval", "doc", "main.tf"], "no Python is run"),
        (["--describe", "x", "main.tf"], "describes the classes"),
        (["--schema"], "describes the classes"),
        (["x::len(_.name)", "main.tf"], "which is not run"),
        (["*..node:*", "main.tf"], "is not supported"),
        (["main.tf"], "a QUERY is required"),
        (["--diff", "two.tf"], "--diff compares"),
    ],
)
def test_what_is_not_supported_is_refused(command: list[str], why: str, root: Path) -> None:
    [(code, output, error)] = run(OURS, [], [command], root)
    assert code in (2, 3) and why in " ".join(error.split()) and not output


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_closed_pipe_ends_it(root: Path) -> None:
    (root / "long.tf").write_text("".join(f"a{at} = 1\n" for at in range(20_000)))
    command = f"{sys.executable} -m hclkit.compat.hq '*' long.tf --ndjson | head -c 10"
    done = subprocess.run(["sh", "-c", command], cwd=root, capture_output=True, text=True, check=False)
    assert len(done.stdout) == 10 and done.stderr == ""
