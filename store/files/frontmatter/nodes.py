"""The tree of a header: every value with the bytes that it occupies in the file."""

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from store.findings import Value


class Style(Enum):
    """How a scalar is written."""

    PLAIN = ""
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"


class Scalar(Struct, frozen=True):
    """One string."""

    start: int
    end: int
    line: int
    value: str
    style: Style


class Sequence(Struct, frozen=True):
    """A list; `flow` when it is written in brackets."""

    start: int
    end: int
    line: int
    items: tuple["Node", ...]
    flow: bool


class Mapping(Struct, frozen=True):
    """Keys and values in the order of the file; `flow` when it is written in braces."""

    start: int
    end: int
    line: int
    pairs: tuple[tuple[Scalar, "Node"], ...]
    flow: bool

    def get(self, key: str) -> "Node | None":
        """The value of a key; the first one where it stands twice."""
        return next((node for name, node in self.pairs if name.value == key), None)

    def duplicates(self) -> Iterator[Scalar]:
        """The keys that stood before already."""
        seen: set[str] = set()
        for key, _ in self.pairs:
            if key.value in seen:
                yield key
            seen.add(key.value)


Node = Scalar | Sequence | Mapping


def value_of(node: Node) -> Value:
    """What a node says, without where and how."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [value_of(item) for item in node.items]
        case Mapping():
            return fields_of(node)


def fields_of(mapping: Mapping) -> dict[str, Value]:
    """What a mapping says; the first of two equal keys is kept."""
    fields: dict[str, Value] = {}
    for key, node in mapping.pairs:
        fields.setdefault(key.value, value_of(node))
    return fields
