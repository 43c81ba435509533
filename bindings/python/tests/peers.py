"""The packages whose dictionaries are compared, each installed from PyPI into a directory of its own."""

import inspect
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

VERSIONS = {"v8": "python-hcl2==8.1.4", "v7": "python-hcl2==7.3.1", "bc": "bc-python-hcl2==0.4.3", "pygohcl": "pygohcl==1.2.9"}
CACHE = Path(os.environ.get("HCLKIT_PEERS", Path(__file__).parent / ".peers"))


def plain(value: Any) -> Any:
    """The same form for all dictionaries. The peers run this function as well."""
    if isinstance(value, dict):
        return {str(name): plain(it) for name, it in value.items()}
    if isinstance(value, list):
        return [plain(it) for it in value]
    if isinstance(value, float):
        return {"float": repr(value)}
    return value


PROGRAM = (
    "import json, sys, hcl2\nfrom typing import Any\n"
    + inspect.getsource(plain)
    + """
for line in sys.stdin:
    text, options = json.loads(line)
    try:
        if options and "with_meta" not in options:
            options = {"serialization_options": hcl2.SerializationOptions(**options)}
        print(json.dumps(plain(hcl2.loads(text, **options))), flush=True)
    except Exception as error:
        print(json.dumps(None), flush=True)
"""
)


@cache
def directory(peer: str) -> Path:
    """The directory of a package."""
    target = CACHE / VERSIONS[peer]
    if not target.exists():
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(target), VERSIONS[peer]]
        if subprocess.run(command, check=False).returncode != 0:
            pytest.skip(f"{VERSIONS[peer]} cannot be installed")
    return target


def ask(peer: str, texts: list[str], options: dict[str, Any] | None = None) -> list[Any]:
    """What a package makes of texts, or `None` for an error."""
    environment = os.environ | {"PYTHONPATH": str(directory(peer))}
    lines = "".join(json.dumps([text, options or {}]) + "\n" for text in texts)
    command = [sys.executable, "-c", PROGRAM]
    found = subprocess.run(command, input=lines, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in found.stdout.splitlines()]


DUMPS = """
import json, sys, hcl2
for line in sys.stdin:
    data, deserializer, formatter = json.loads(line)
    try:
        options = {"deserializer_options": hcl2.DeserializerOptions(**deserializer), "formatter_options": hcl2.FormatterOptions(**formatter)}
        print(json.dumps(hcl2.dumps(data, **options)), flush=True)
    except Exception as error:
        print(json.dumps(None), flush=True)
"""

GO = """
import json, sys, pygohcl
for line in sys.stdin:
    text, keep = json.loads(line)
    try:
        print(json.dumps(pygohcl.loads(text, keep)), flush=True)
    except Exception as error:
        print(json.dumps(type(error).__name__), flush=True)
"""


def answers(peer: str, program: str, questions: list[Any]) -> list[Any]:
    """What a program with a package prints for questions."""
    environment = os.environ | {"PYTHONPATH": str(directory(peer))}
    lines = "".join(json.dumps(it) + "\n" for it in questions)
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, input=lines, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in found.stdout.splitlines()]
