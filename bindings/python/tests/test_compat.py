"""The dictionaries of other packages, compared with what the packages say."""

import importlib
import io
import os
from pathlib import Path
from typing import Any

import pytest
from peers import ask, plain

import hclkit
from hclkit.compat import bc_hcl2, hcl2, hcl2_v7

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
OURS: dict[str, Any] = {"v8": hcl2.loads, "v7": hcl2_v7.loads, "bc": bc_hcl2.loads}
CASES = [case.lstrip("\n") for case in (HERE / "compat.hcl").read_text().rstrip("\n").split("\n---\n")]
FILES = sorted(
    path
    for folder in ["examples", "tests", "conformance", "crates"]
    for path in (REPOSITORY / folder).rglob("*")
    if path.suffix in {".tf", ".hcl", ".nomad", ".tfvars"} and "target" not in path.parts
)

# What the packages corrupt, and we do not. The guide has this table.
DEVIATIONS: dict[str, dict[str, Any]] = {
    "v8": {
        # Booleans in parentheses are Python's.
        "a = (true)": {"a": "${(true)}"},
        # Comments in objects within objects are lost.
        "a = {\n  b = {\n    # c\n    d = 1\n  }\n}": {"a": {"b": {"d": 1}}, "__inline_comments__": [{"value": "c"}]},
        # Not corrupt: our text of directives is that of the file.
        'a = "%{ for k,v in x }${k}%{ endfor }"': {"a": '"%{ for k,v in x }${k}%{ endfor }"'},
    },
    "v7": {
        # The outer quotes of an operation on two strings are removed.
        'a = "x" == "y"': {"a": '${"x" == "y"}'},
        'a = "a${x}" == "b"': {"a": '${"a${x}" == "b"}'},
        'a = "${a}" == "b" ? "c" : "d"': {"a": '${"${a}" == "b" ? "c" : "d"}'},
        # Strings in lists in expressions lose their quotes, references become templates.
        'a = f(["x"], [y])': {"a": '${f(["x"], [y])}'},
        'a = f(g("x"), [y])': {"a": '${f(g("x"), [y])}'},
        # `...` is lost.
        "a = f(x...)": {"a": "${f(x...)}"},
        # Booleans, lists and dictionaries are Python's.
        "a = (true)": {"a": "${(true)}"},
        "a = true ? 1 : 2": {"a": "${true ? 1 : 2}"},
        "a = x ? true : null": {"a": "${x ? true : null}"},
        "a = a ? [1] : {a=1}": {"a": '${a ? [1] : {"a": 1}}'},
        'a = { b = 1 }["b"]': {"a": '${{"b": 1}["b"]}'},
        # Numbers with exponents become templates.
        "a = x[1e5]": {"a": "${x[1e5]}"},
        # A backslash and an `n` become a backslash and a line break.
        r'a = "a\u00e9\\n"': {"a": r"a\u00e9\n"},
    },
    "bc": {},
}
# Escape sequences of strings are resolved in heredocs, too.
DEVIATIONS["v7"]['a = <<EOT\n  "q" \\n ${x}\n\n  EOT'] = {"a": '  "q" \\n ${x}'}


def blurred(text: str) -> str:
    """A text without what python-hcl2 7 corrupts in the lists of expressions, in heredocs, and after backslashes."""
    text = text.replace("\\n", "\n").replace("\\", "")
    for old in ["\"", "'", "${", "}", "{"]:
        text = text.replace(old, "")
    return text.replace("True", "true").replace("False", "false").replace("None", "null")


def difference(ours: Any, theirs: Any, path: str = "", *, blur: bool = False) -> str | None:
    """The first place at which two dictionaries differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if list(ours) != list(theirs) and set(ours) != set(theirs):
            return f"{path}: keys {sorted(ours)} != {sorted(theirs)}"
        pairs = [(f"{path}.{name}", ours[name], theirs[name]) for name in ours]
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = [(f"{path}[{at}]", *pair) for at, pair in enumerate(zip(ours, theirs, strict=True))]
    else:
        if blur and isinstance(ours, str) and isinstance(theirs, str):
            ours, theirs = blurred(ours), blurred(theirs)
        return None if ours == theirs and type(ours) is type(theirs) else f"{path}: {ours!r} != {theirs!r}"
    return next(filter(None, (difference(one, other, where, blur=blur) for where, one, other in pairs)), None)


def compare(
    peer: str, texts: list[str], options: dict[str, Any] | None = None, *, blur: bool = False
) -> list[str]:
    """How we differ from a package on texts that it accepts."""
    wrong = []
    for text, theirs in zip(texts, ask(peer, texts, options), strict=True):
        expected = DEVIATIONS[peer].get(text) if not options else None
        if expected is not None:
            assert theirs != plain(expected), f"no longer a deviation: {text}"
            theirs = plain(expected)
        if theirs is None:
            continue
        try:
            if options and peer == "v8":
                ours = hcl2.loads(text, serialization_options=hcl2.SerializationOptions(**options))
            else:
                ours = OURS[peer](text, **(options or {}))
        except hclkit.HclError as error:
            wrong.append(f"{text}: {error}")
            continue
        found = difference(plain(ours), theirs, blur=blur)
        if found:
            wrong.append(f"{text[:200]!r}: {found}")
    return wrong


@pytest.mark.parametrize("peer", ["v8", "v7", "bc"])
def test_cases(peer: str) -> None:
    """One case for each kind of expression, and for comments and blocks."""
    assert len(CASES) > 100
    assert compare(peer, CASES) == []


@pytest.mark.parametrize("peer", ["v8", "v7", "bc"])
def test_files(peer: str) -> None:
    """All HCL files of the repository that the package accepts."""
    texts = [path.read_text() for path in FILES]
    if peer == "v7":
        # It loses them.
        texts = [text.replace("...)", ")") for text in texts]
    assert len(texts) > 20
    assert compare(peer, texts, blur=peer == "v7") == []


# What the packages accept, but HCL does not: the first syntax of HCL, arguments that are set twice, interpolations in labels.
NO_HCL = {
    "duplicate-attribute",
    "extra-in-interpolation",
    "invalid-block",
    "invalid-label",
    "missing-key-separator",
    "newline-in-string",
    "single-line-block",
    "wrong-character",
}


def corpus() -> list[str]:
    """The files of the corpus, each content once: `cargo xtask conformance --corpus` downloads them. `HCLKIT_CORPUS` is another."""
    root = Path(os.environ.get("HCLKIT_CORPUS", Path(os.environ.get("GOMODCACHE", Path.home() / "go/pkg/mod"))))
    paths = (path for path in sorted(root.rglob("*")) if path.suffix in {".tf", ".hcl", ".nomad", ".tfvars"} and path.is_file())
    texts = dict.fromkeys(path.read_bytes() for path in paths if path.stat().st_size < 60_000)
    return [text.decode() for text in texts if is_text(text)]


def is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def without_comments(value: Any) -> Any:
    """A dictionary without inline comments: version 8 loses those of objects within objects."""
    if isinstance(value, dict):
        return {name: without_comments(it) for name, it in value.items() if not name.startswith("__inline_comm")}
    return [without_comments(it) for it in value] if isinstance(value, list) else value


def without_lost(ours: Any, theirs: Any) -> Any:
    """A dictionary without the comments that version 8 loses: those after an operation such as ``a || b``."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        own = {name: without_lost(it, theirs.get(name)) for name, it in ours.items()}
        kept = [comment for comment in own.get("__comments__", []) if comment in theirs.get("__comments__", [])]
        return {name: it for name, it in own.items() if name != "__comments__"} | ({"__comments__": kept} if kept else {})
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [without_lost(own, their) for own, their in zip(ours, theirs, strict=True)]
    return ours


@pytest.mark.parametrize("peer", ["v8", "v7", "bc"])
def test_corpus(peer: str) -> None:
    """All files of the corpus that the package accepts: the same dictionary, or an error about what is not HCL."""
    texts = corpus()
    if not texts:
        pytest.skip("there is no corpus: run `cargo xtask conformance --corpus` or set HCLKIT_CORPUS")
    equal, accepted, wrong = 0, 0, []
    for text, theirs in zip(texts, ask(peer, texts), strict=True):
        if theirs is None:
            continue
        accepted += 1
        try:
            ours = plain(OURS[peer](text))
        except hclkit.HclError as error:
            if error.diagnostics[0].code not in NO_HCL:
                wrong.append(f"{text[:200]!r}: {error}")
            continue
        found = difference(ours, theirs, blur=peer == "v7")
        if found and peer == "v8":
            found = difference(without_lost(without_comments(ours), theirs), without_comments(theirs))
        if found:
            wrong.append(f"{text[:200]!r}: {found}")
        equal += not found
    assert wrong == []
    # A machine may have only the modules of the oracle, with many texts that no parser accepts.
    assert equal > (len(texts) if len(texts) > 1000 else accepted) // 2


@pytest.mark.parametrize(
    "options",
    [
        {"with_comments": False},
        {"explicit_blocks": False},
        {"wrap_objects": True},
        {"wrap_tuples": True},
        {"preserve_heredocs": False},
        {"strip_string_quotes": True},
        {"strip_string_quotes": True, "preserve_heredocs": False},
        {"preserve_scientific_notation": False},
        {"force_operation_parentheses": True},
    ],
)
def test_options(options: dict[str, Any]) -> None:
    """The options of python-hcl2 8."""
    # A string in parentheses loses its quotes.
    left_out = ['a = ("x")'] if "strip_string_quotes" in options else []
    assert compare("v8", [case for case in CASES if case not in [*DEVIATIONS["v8"], *left_out]], options) == []


def test_meta() -> None:
    """The lines of blocks."""
    assert compare("v7", [case for case in CASES if case not in DEVIATIONS["v7"]], {"with_meta": True}) == []


def test_install() -> None:
    """Other code imports `hcl2` and gets ours."""
    import sys

    before = sys.modules.get("hcl2")
    with bc_hcl2.install() as module:
        installed: Any = importlib.import_module("hcl2")
        assert installed is module
        assert installed.load(io.StringIO("a = 1"))["a"] == [1]
        assert installed.START_LINE == "__start_line__"
    assert sys.modules.get("hcl2") is before


def test_unclosed_string_is_quick() -> None:
    """The packages take exponential time, or refuse."""
    import time

    start = time.monotonic()
    with pytest.raises(hclkit.HclError):
        hcl2.loads('a = "' + "x$" * 32_768)
    assert time.monotonic() - start < 1


def test_dumps_reads_back() -> None:
    """What `loads` gives, `dumps` writes with the same meaning."""
    options = hcl2.SerializationOptions(with_comments=False)
    for case in CASES:
        if "%{" in case:
            continue
        try:
            data = hcl2.loads(case, serialization_options=options)
        except hclkit.HclError:
            continue
        again = hcl2.loads(hcl2.dumps(data), serialization_options=options)
        assert plain(again) == plain(data), case
