"""The examples in docstrings run."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import hclkit

NAMES = ["hclkit", *(it.name for it in pkgutil.walk_packages(hclkit.__path__, "hclkit.") if it.name != "hclkit._hclkit")]


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str) -> None:
    """Each example prints what it says."""
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


PAGES = ["bindings/python/README.md", "docs/book/src/python.md"]


@pytest.mark.parametrize("page", PAGES)
def test_pages(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The README and the guide, with paths relative to the repository."""
    repository = Path(__file__).parents[3]
    monkeypatch.chdir(repository)
    result = doctest.testfile(str(repository / page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 5


def test_there_are_examples() -> None:
    """Otherwise the test above says nothing."""
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in NAMES) > 20
