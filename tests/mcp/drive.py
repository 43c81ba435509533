"""Drives each tool of `hcl mcp` with the Python SDK of the Model Context Protocol: pip install mcp, then
python tests/mcp/drive.py PROGRAM. It prints what each tool returns, and how long the server takes to start."""

import asyncio
import json
import pathlib
import statistics
import sys
import tempfile
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from calls import CALLS, write_modules


async def session(program: str, directory: str, repeats: int) -> None:
    server = StdioServerParameters(command=program, args=["mcp"], cwd=directory)
    started = time.perf_counter()
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        await client.initialize()
        print(f"ready after {1000 * (time.perf_counter() - started):.0f} ms")
        tools = [tool.name for tool in (await client.list_tools()).tools]
        assert sorted(tools) == sorted(CALLS), tools
        for name in tools:
            result = await client.call_tool(name, CALLS[name])
            content = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
            assert content["exit_code"] in (0, 1), (name, content)
            print(name, json.dumps(content)[:160])
        times = []
        for at in range(repeats):
            name = tools[at % len(tools)]
            begun = time.perf_counter()
            await client.call_tool(name, CALLS[name])
            times.append(time.perf_counter() - begun)
        if times:
            print(f"{repeats} more calls, median {1000 * statistics.median(times):.1f} ms")
            print(memory())


def memory() -> str:
    """The memory of the child processes that still run, on Linux."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if "Name:\thcl\n" in text:
            found += [line for line in text.splitlines() if line.startswith(("VmRSS", "VmHWM"))]
    return ", ".join(" ".join(line.split()) for line in found)


def main() -> None:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory() as directory:
        write_modules(directory)
        asyncio.run(session(program, directory, repeats))


main()
