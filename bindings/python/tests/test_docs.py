"""The examples in docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import hclkit

NAMES = ["hclkit", *(it.name for it in pkgutil.walk_packages(hclkit.__path__, "hclkit.") if it.name != "hclkit._hclkit")]


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str) -> None:
    """Each example prints what it says."""
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def test_there_are_examples() -> None:
    """Otherwise the test above says nothing."""
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in NAMES) > 20
