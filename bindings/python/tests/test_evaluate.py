"""Contexts, functions, limits and signals."""

import os
import signal
import subprocess
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import pytest

import hclkit
from hclkit import Context, Limits, Type

LONG = "[for a in range(1024): [for b in range(1024): [for c in range(1024): a * b * c]]]"
HUGE = Limits(steps=10**15, elements=10**15, bytes=10**15)


def test_libraries(tmp_path: Path) -> None:
    """Functions by the name of their library, with what is granted."""
    (tmp_path / "a.txt").write_text("hello")
    assert hclkit.evaluate('join("-", ["a", "b"])', functions="terraform") == "a-b"
    assert Context(functions="terraform", directory=tmp_path).evaluate('file("a.txt")') == "hello"
    with pytest.raises(hclkit.HclError):
        hclkit.evaluate('file("a.txt")', functions="terraform")
    with pytest.raises(hclkit.HclError):
        Context(functions="terraform", directory=tmp_path).evaluate('file("../a.txt")')
    with pytest.raises(hclkit.HclError):
        hclkit.evaluate("upper(1)", functions="none such")  # type: ignore[arg-type]
    assert "upper" in Context(functions="cty").function_names()


def test_own_functions() -> None:
    """Annotations are types."""

    def add(a: int, b: Decimal) -> Decimal:
        """Add two numbers."""
        return a + b

    def names(items: list[str], *, sep: str = ",") -> str:
        return sep.join(items)

    def count(*items: Any) -> int:
        return len(items)

    def maybe(value: str | None) -> bool:
        return value is None

    def typed(value: Annotated[Any, Type.set(Type.STRING)]) -> list[str]:
        return list(value)

    context = Context(functions=["terraform", add, names, count, maybe, typed])
    assert context.evaluate('add("1", 2.5)') == Decimal("3.5")
    assert context.evaluate("names([1, true])") == "1,true"
    assert context.evaluate("count(1, [], null)") == 3
    assert context.evaluate("maybe(null)") is True
    assert context.evaluate('typed(["a", "a"])') == ["a"]
    assert Context(functions={"size": len}).evaluate("size([1])") == 1
    assert hclkit.evaluate("f(1)", functions={"f": lambda x: {"x": [x]}}) == {"x": [1]}
    with pytest.raises(hclkit.HclError) as caught:
        context.evaluate('add("x", 1)')
    assert caught.value.diagnostics[0].range is not None


def test_sensitive_arguments() -> None:
    """A function sees the value, and its result is sensitive."""
    found = hclkit.evaluate("f(x)", {"x": hclkit.Sensitive("a")}, functions={"f": lambda x: x + "b"})
    assert found == hclkit.Sensitive("ab")


def test_exceptions_of_functions() -> None:
    """An exception is an error at its place, and the cause."""

    def fail(x: int) -> int:
        raise LookupError(f"no {x}")

    with pytest.raises(hclkit.HclError) as caught:
        hclkit.evaluate("1 + fail(2)", functions=[fail])
    assert isinstance(caught.value.__cause__, LookupError)
    assert "LookupError: no 2" in str(caught.value)
    assert caught.value.diagnostics[0].range is not None
    assert caught.value.diagnostics[0].range.start.column > 1
    assert hclkit.evaluate("try(fail(2), 5)", functions=["terraform", fail]) == 5


def test_exits_of_functions() -> None:
    """What ends the program is not caught by expressions."""

    def stop() -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hclkit.evaluate("try(stop(), 5)", functions=["terraform", stop])


def test_wrong_results() -> None:
    """A result must have the type that is declared."""

    def number() -> int:
        return "x"  # type: ignore[return-value]

    with pytest.raises(hclkit.HclError):
        hclkit.evaluate("number()", functions=[number])
    with pytest.raises(hclkit.HclError):
        hclkit.evaluate("f()", functions={"f": object})


def test_functions_may_evaluate() -> None:
    """Functions run on the thread of the caller, and may evaluate."""
    threads = []

    def inner(text: str) -> Any:
        threads.append(threading.get_ident())
        return hclkit.evaluate(text)

    assert hclkit.evaluate('inner("1 + 1")', functions=[inner]) == 2
    assert threads == [threading.get_ident()]


def test_limits() -> None:
    """Each limit stops the evaluation."""
    for limits in [Limits(steps=1000), Limits(elements=1000), Limits(timeout=0.05)]:
        start = time.monotonic()
        with pytest.raises(hclkit.LimitError):
            hclkit.evaluate(LONG, functions="terraform", limits=limits)
        assert time.monotonic() - start < 5
    document = hclkit.parse("a = [[[1]]]", limits=Limits(nesting=2))
    assert document.diagnostics[0].code == "nesting-too-deep"
    with pytest.raises(hclkit.HclError):
        Limits(timeout=-1)
    with pytest.raises(hclkit.HclError):
        Limits(nesting=2**31)


def test_deep_input() -> None:
    """Depth ends in an error or works, and never in the stack."""
    for text in ["[" * 100_000, "(" * 100_000, "a = " + "{ a = " * 100_000, '"${' * 100_000, "-" * 100_000]:
        assert hclkit.parse(text).has_errors
    text = "a = " + "[" * 20_000 + "]" * 20_000
    assert not hclkit.parse(text, limits=Limits(nesting=30_000)).has_errors
    results = []
    thread = threading.Thread(target=lambda: results.append(hclkit.parse(text)))
    thread.start()
    thread.join()
    assert results[0].has_errors


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("work", ["evaluate(LONG, functions='terraform', limits=HUGE)", "Module(D, limits=HUGE)['output.x']"])
def test_interrupt(work: str, tmp_path: Path) -> None:
    """Ctrl-C stops long work with KeyboardInterrupt."""
    (tmp_path / "main.tf").write_text(f'output "x" {{\n  value = {LONG}\n}}\n')
    program = f"""
import signal, hclkit
from hclkit import *
# Processes in the background of a shell ignore it, and so do those that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
LONG, D = {LONG!r}, {str(tmp_path)!r}
HUGE = Limits(steps=10**15, elements=10**15, bytes=10**15)
print("start", flush=True)
try:
    hclkit.{work}
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "start\n"
        time.sleep(0.5)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.communicate(timeout=20)[0] == "interrupted\n"
        assert time.monotonic() - start < 5
    finally:
        process.kill()


def test_other_threads_run() -> None:
    """The interpreter lock is released."""
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(hclkit.LimitError):
        hclkit.evaluate(LONG, functions="terraform", limits=Limits(timeout=0.3))
    done.set()
    thread.join()
    assert ticks > 20


def test_explain() -> None:
    """The text of the program."""
    text = Context({"a": 1}).explain("a + 2")
    assert "3" in text and "a" in text
