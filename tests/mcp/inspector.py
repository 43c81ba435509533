"""Drives each tool of `hcl mcp` with the official inspector of the Model Context Protocol, which npm brings:
python tests/mcp/inspector.py PROGRAM. It fails if a tool is not listed, refuses its call or returns no structured content."""

import json
import pathlib
import subprocess
import sys
import tempfile

from calls import CALLS, write_modules

# The newest that runs with Node 20.
INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"


def inspect(program: str, directory: str, *arguments: str) -> dict:
    command = ["npx", "--yes", INSPECTOR, "--cli", program, "mcp", *arguments]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def main() -> None:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as directory:
        write_modules(directory)
        tools = [tool["name"] for tool in inspect(program, directory, "--method", "tools/list")["tools"]]
        assert sorted(tools) == sorted(CALLS), tools
        for name in tools:
            arguments = [
                part
                for key, value in CALLS[name].items()
                for part in ("--tool-arg", f"{key}={value if isinstance(value, str) else json.dumps(value)}")
            ]
            result = inspect(program, directory, "--method", "tools/call", "--tool-name", name, *arguments)
            assert result["isError"] is False, (name, result)
            assert result["structuredContent"]["exit_code"] in (0, 1), (name, result)
            print(name, json.dumps(result["structuredContent"])[:160])


main()
