"""Dictionaries of bodies, made block by block: what the builders of both versions of python-hcl2 share."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self


class BuilderOf:
    """Builds a body. A version has its own marks, which each body begins with."""

    marks: ClassVar[dict[str, Any]] = {}

    def __init__(self, attributes: dict[str, Any] | None = None) -> None:
        self.blocks: dict[str, list[tuple[list[str], Self, Self | None]]] = defaultdict(list)
        self.attributes: dict[str, Any] = attributes or {}

    def block(
        self,
        block_type: str,
        labels: list[str] | None = None,
        __nested_builder__: Self | None = None,
        **attributes: Any,
    ) -> Self:
        """Add a block, and return the builder of its content."""
        if __nested_builder__ is self:
            raise ValueError("a block cannot contain itself")
        block = type(self)(attributes)
        self.blocks[block_type].append((list(labels or []), block, __nested_builder__))
        return block

    def build(self) -> dict[str, Any]:
        """Return the dictionary."""
        body: dict[str, Any] = {**self.marks, **self.attributes}
        for block_type, blocks in self.blocks.items():
            for labels, builder, nested in blocks:
                block = builder.build()
                for name, value in nested.build().items() if nested else ():
                    if name not in self.marks:
                        block.setdefault(name, []).extend(value)
                for label in reversed(labels):
                    block = {label: block}
                body.setdefault(block_type, []).append(block)
        return body
