"""Memory, threads, processes and hostile input."""

import gc
import multiprocessing
import os
import random
import subprocess
import sys
import sysconfig
import threading
import time
import tracemalloc
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hclkit
from hclkit.compat import bc_hcl2, hcl2, hcl2_v7

TEXT = Path(__file__).parents[3].joinpath("examples/infrastructure/main.tf").read_text()


def memory() -> int:
    """The resident memory in KiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux only")
def test_memory_stays_flat() -> None:
    """2,000 rounds of everything take no more memory than 200."""
    text = 'a = [1, 2.5, "x${y}"]\nb "c" {\n  d = { e = f }\n}\nx = \n'
    good = text.removesuffix("x = \n")

    def one(at: int) -> None:
        document = hclkit.parse(text)
        assert document.diagnostics
        body = hclkit.parse(good).body
        assert body["a"].expression.evaluate({"y": at}, functions={"f": str})
        hclkit.loads(good)
        hcl2.loads(good)
        bc_hcl2.loads(good)
        hcl2_v7.loads(good)
        with pytest.raises(hclkit.HclError):
            hclkit.loads(text)
        hclkit.edit.edit(good).set("b.c.d.g", {"h": [at]}).apply()

    for at in range(200):
        one(at)
    gc.collect()
    before = memory()
    for at in range(2_000):
        one(at)
    gc.collect()
    assert memory() - before < 2_000


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux only")
def test_parses_leak_nothing() -> None:
    """100,000 parses take neither memory of Python nor other memory."""
    text = 'a = [1, "x${y}"]\nb "c" {\n  d = { e = f } # g\n}\n'

    def parse(times: int) -> tuple[int, int]:
        for _ in range(times):
            document = hclkit.parse(text)
            assert document.body["a"].comments is not None
        del document
        gc.collect()
        return tracemalloc.get_traced_memory()[0], memory()

    tracemalloc.start()
    try:
        traced, resident = parse(1_000)
        traced_after, resident_after = parse(100_000)
    finally:
        tracemalloc.stop()
    assert traced_after - traced < 4_096
    assert resident_after - resident < 1_000


def test_documents_are_freed() -> None:
    """Nothing keeps a document but its parts."""
    document = hclkit.parse("a = 1")
    reference = weakref.ref(document)
    del document
    gc.collect()
    assert reference() is None


def test_threads_share_documents() -> None:
    """Objects are used and dropped on any thread."""
    document = hclkit.parse(TEXT)
    context = hclkit.Context({"var": {"x": 1}}, functions=["terraform", len])

    def work(at: int) -> Any:
        blocks = document.body.blocks()
        return len(blocks), context.evaluate("len([1, var.x])"), hclkit.loads(TEXT) is not None

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(work, range(200)))) == 1


def test_parsing_needs_no_interpreter_lock() -> None:
    """Another thread runs before the result is there. How much faster two threads are is measured by bench.py."""
    text = TEXT * 300

    def runs_meanwhile() -> bool:
        started, ended = threading.Event(), threading.Event()

        def work() -> None:
            started.set()
            hclkit.parse(text)
            ended.set()

        worker = threading.Thread(target=work)
        worker.start()
        started.wait()
        found = not ended.is_set()
        worker.join()
        return found

    interval = sys.getswitchinterval()
    # Only who waits, or needs no lock, lets others run.
    sys.setswitchinterval(60)
    try:
        # This thread may wake up too late on a busy machine.
        assert any(runs_meanwhile() for _ in range(100))
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="Python has the interpreter lock")
def test_lock_stays_off() -> None:
    """Importing the package does not turn the interpreter lock on. pytest and its plugins may."""
    program = "import sys, hclkit; hclkit.evaluate('1 + 1'); sys.exit(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def forked(queue: Any) -> None:
    """The work of a child process."""
    queue.put((hclkit.evaluate("1 + 1"), len(hclkit.parse(TEXT).body)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork() -> None:
    """A child process evaluates, too."""
    wanted = (hclkit.evaluate("1 + 1"), len(hclkit.parse(TEXT).body))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=forked, args=(queue,))
    process.start()
    assert queue.get(timeout=30) == wanted
    process.join()


def test_subinterpreters_are_refused() -> None:
    """Objects of one interpreter must not reach another one. Those with the same lock are refused by the package, others by Python."""
    try:
        import _interpreters  # type: ignore[import-not-found]
    except ImportError:
        import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]

        kinds: list[tuple[str, ...]] = [()]
    else:
        interpreters, kinds = _interpreters, [("legacy",), ("isolated",)]
    for kind in kinds:
        other = interpreters.create(*kind)
        program = "try:\n import hclkit\nexcept ImportError as error:\n assert 'subinterpreters' in str(error)\nelse:\n raise SystemError('imported')"
        # Newer versions return the exception, older ones raise it.
        assert interpreters.run_string(other, program) is None
        interpreters.destroy(other)
    assert hclkit.evaluate("1 + 1") == 2


def test_mutated_text_never_aborts() -> None:
    """Damaged files end in diagnostics, in all shapes."""
    random.seed(1)
    pieces = ["{", "}", "[", "(", '"', "${", "%{", "<<E\n", "#", "\\", "\0", "\ufeff", "é", "=", "\n", "~}", "*", "."]
    shapes: list[Callable[[str], Any]] = [hclkit.loads, hcl2.loads, hcl2_v7.loads, bc_hcl2.loads]
    for _ in range(400):
        text = TEXT[: random.randrange(2_000)]
        for _ in range(random.randrange(1, 6)):
            at = random.randrange(len(text) + 1)
            text = text[:at] + random.choice(pieces) + text[at + random.randrange(4) :]
        document = hclkit.parse(text)
        for item in document.body:
            assert item.text is not None and item.comments is not None
        for loads in shapes:
            try:
                loads(text)
            except hclkit.HclError as error:
                assert error.diagnostics


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_bytes(data: bytes) -> None:
    """Any bytes are a document."""
    document = hclkit.parse(data)
    assert document.has_errors or not document.diagnostics or document.diagnostics
    json = hclkit.parse(data, syntax="json")
    repr((document, json, document.body, json.body))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from(list('ab1.[]{}()"$%<>=!&|?:*+-/,\n #é\\')), max_size=40))
def test_expressions(text: str) -> None:
    """Any expression has a value or an error of ours."""
    try:
        hclkit.evaluate(text, {"a": {"b": [1]}}, functions="terraform", limits=hclkit.Limits(steps=10_000))
    except hclkit.HclError:
        pass


def test_limits_of_size() -> None:
    """Large output stops at a limit."""
    with pytest.raises(hclkit.LimitError):
        hclkit.evaluate('join("", [for i in range(1000): x])', {"x": "a" * 10**6}, functions="terraform")


def test_import_is_small() -> None:
    """Importing takes a few milliseconds (bench.py measures them), because it imports little of the library and no other packages."""
    program = "import sys; a = set(sys.modules); import hclkit; print(*sorted(set(sys.modules) - a))"
    found = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    others = [name for name in found if name.split(".")[0] != "hclkit"]
    assert set(others) <= set(sys.stdlib_module_names) | {"collections.abc"}
    assert len(others) < 20


class Changing(Mapping[str, Any]):
    """A mapping that changes what contains it when it is read."""

    def __init__(self, outer: Any) -> None:
        self.outer = outer

    def items(self) -> Any:
        if isinstance(self.outer, dict):
            self.outer["b"] = 1
        elif isinstance(self.outer, set):
            self.outer.add("b")
        else:
            self.outer.clear()
        return [("c", 1)]

    def __getitem__(self, name: str) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter("c")

    def __len__(self) -> int:
        return 1

    def __hash__(self) -> int:
        return 1


def test_objects_that_change_while_they_are_read() -> None:
    """They are converted as they were before."""
    mapping: dict[str, Any] = {}
    mapping["a"] = Changing(mapping)
    for convert in (
        hclkit.dumps,
        hcl2.dumps,
        hclkit.Value,
        lambda it: hclkit.edit.edit("x = 1").set("x", it).apply().text,
    ):
        mapping.pop("b", None)
        assert "b" not in str(convert(mapping))
    items: list[Any] = [1, 2]
    items.insert(0, Changing(items))
    assert hclkit.Value(items).to_python() == [{"c": 1}]
    elements: set[Any] = set()
    elements.add(Changing(elements))
    assert hclkit.Value(elements).to_python() == [{"c": 1}]


def test_numbers_with_other_texts() -> None:
    """What subclasses of numbers print is not what they are."""

    class Int(int):
        def __repr__(self) -> str:
            return '"'

        def bit_length(self) -> int:
            raise OSError

    class Float(float):
        def __str__(self) -> str:
            return "}"

        __repr__ = __str__

    class Digits(Decimal):
        def __str__(self) -> str:
            return "{"

    assert hclkit.loads(hclkit.dumps({"a": Int(3), "b": Float(2.5), "c": Digits("0.1")})) == {
        "a": 3,
        "b": Decimal("2.5"),
        "c": Decimal("0.1"),
    }
    large = 10**5_000
    assert hclkit.loads(hclkit.dumps({"a": large, "b": -large})) == {"a": large, "b": -large}
    assert hclkit.Value([Int(2**70), Float(2.5)]).to_python() == [2**70, Decimal("2.5")]


def on_small_stack(work: Callable[[], Any]) -> Any:
    """The result of work on a thread with the least stack that people use."""
    before = threading.stack_size(256 << 10)
    try:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(work).result()
    finally:
        threading.stack_size(before)


def nest(make: Callable[[Any], Any], inner: Any, levels: int) -> Any:
    """An object in as many objects of one kind."""
    for _ in range(levels):
        inner = make(inner)
    return inner


@pytest.mark.parametrize(
    "make", [lambda it: [it], lambda it: {"a": it}, lambda it: (it,), lambda it: hclkit.Sensitive([it])]
)
def test_deep_objects_are_converted_or_refused(make: Callable[[Any], Any]) -> None:
    """Also on a thread with little stack."""
    for levels in (400, 899, 100_000):
        value = nest(make, 1, levels)

        def work(value: Any = value) -> None:
            for convert in (
                hclkit.Value,
                lambda it: hclkit.dumps({"a": it}),
                lambda it: hclkit.edit.edit("x = 1").set("x", it).apply(),
            ):
                try:
                    convert(value)
                except (hclkit.HclError, TypeError):
                    pass

        on_small_stack(work)
        if levels > 1_000:
            with pytest.raises(hclkit.HclError, match="nested too deeply"):
                hclkit.Value(value)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 3_000,
        "a = " + '"${' * 900,
        "a = " + '"${' * 900 + "1" + '}"' * 900,
        "a {\n" * 900 + "}\n" * 900,
        "[" * 900 + "]" * 900,
    ],
)
def test_deep_texts_are_read_with_little_stack(text: str) -> None:
    """Threads of Python may have less stack than the parser needs."""

    def work() -> None:
        for syntax in ("native", "json"):
            document = hclkit.parse(text, syntax=syntax)
            assert len(document.diagnostics) < 200 and repr(document)
        for loads in (hclkit.loads, hcl2.loads, hcl2_v7.loads, bc_hcl2.loads, hclkit.format, hclkit.parse_type):
            try:
                loads(text)
            except hclkit.HclError:
                pass

    on_small_stack(work)


def test_deep_types_and_values_are_refused() -> None:
    """Types and values in objects cannot be made so deep that dropping or comparing them takes the stack."""
    kinds: list[Callable[[Any], Any]] = [
        hclkit.Type.list,
        hclkit.Type.set,
        hclkit.Type.map,
        lambda it: hclkit.Type.tuple([it]),
        lambda it: hclkit.Type.object({"a": it}),
    ]
    for make in kinds:
        with pytest.raises(hclkit.HclError, match="the type is nested too deeply"):
            nest(make, hclkit.Type.STRING, 100_000)
    for wrap in (lambda it: hclkit.Value([it]), lambda it: hclkit.Value({"a": it})):
        with pytest.raises(hclkit.HclError, match="the value is nested too deeply"):
            nest(wrap, 1, 100_000)
    shared = nest(lambda it: hclkit.Type.tuple([it, it]), hclkit.Type.STRING, 200)
    assert len(shared.elements) == 2


def test_deep_values_are_compared_on_a_large_stack() -> None:
    """Values of any depth that limits allow are compared, hashed, converted and printed on a thread with little stack."""
    levels = 5_000
    limits = hclkit.Limits(nesting=2 * levels, value_depth=2 * levels, depth=2 * levels)
    expression = hclkit.parse_expression("[" * levels + "]" * levels, limits=limits)

    def work() -> None:
        context = hclkit.Context(limits=limits)
        one, other = context.evaluate_value(expression), context.evaluate_value(expression)
        assert one == other and hash(one) == hash(other) and str(one) == str(other)
        one.convert(hclkit.Type.ANY)
        one.to_python()
        with pytest.raises(hclkit.HclError, match="the type is nested too deeply"):
            assert one.type
        with pytest.raises(hclkit.HclError, match="the value is nested too deeply"):
            hclkit.evaluate("a", {"a": one})

    on_small_stack(work)


def test_marks_of_marks() -> None:
    """A sensitive value of a sensitive value has the marks of both, and no levels that could be too many to drop."""
    assert hclkit.Sensitive(hclkit.Sensitive(1, ["a"]), ["b"]) == hclkit.Sensitive(1, ["a", "b"])
    assert nest(hclkit.Sensitive, 1, 300_000).value == 1


def test_cycles_through_marks_are_freed() -> None:
    """A list that contains itself with a mark is collected."""

    class Item:
        pass

    item = Item()
    reference = weakref.ref(item)
    items: list[Any] = [item]
    items.append(hclkit.Sensitive(items))
    del items, item
    gc.collect()
    assert reference() is None


def test_evaluation_in_evaluation_ends() -> None:
    """A callable that evaluates itself without an end is an error soon, and its message stays short."""

    def again(it: int) -> Any:
        return hclkit.evaluate("again(1)", functions={"again": again})

    start = time.perf_counter()
    with pytest.raises(hclkit.HclError) as caught:
        again(1)
    assert len(str(caught.value)) < 10_000
    # It took 9 seconds.
    assert time.perf_counter() - start < 5


def test_dumps_of_other_packages_refuse_what_is_not_data() -> None:
    """As `hclkit.dumps` does."""
    wrong: list[Any] = [1, None, [], "a", {1: 2}, {"a": {None: 1}}, {"a": [{("b",): 1}]}]
    for data in wrong:
        with pytest.raises(TypeError):
            hcl2.dumps(data)
    items: list[Any] = []
    items.append(items)
    with pytest.raises(hclkit.HclError, match="contains itself"):
        hcl2.dumps({"a": items})
