"""A file's header with the place of everything in it: what edits are made with."""

from collections.abc import Callable
from itertools import accumulate

from msgspec import Struct

from store.files.frontmatter.errors import EditRefusedError, HeaderError
from store.files.frontmatter.events import read_events
from store.files.frontmatter.nodes import Mapping, Node, Scalar, Sequence, fields_of
from store.files.frontmatter.split import split
from store.findings import Value

Path = tuple[str | int, ...]
"""Keys and positions that lead from the top of a header to one value."""


class Header(Struct, frozen=True):
    """The header of one file; all offsets are bytes of the file."""

    raw: bytes
    """The whole file."""
    start: int
    """Where the header's first line starts."""
    end: int
    """Where the closing fence starts."""
    body: int
    """Where the body starts."""
    newline: str
    """What ends a line here."""
    root: Mapping
    """The fields."""

    def fields(self) -> dict[str, Value]:
        """What the header says."""
        return fields_of(self.root)

    def at(self, path: Path) -> Node:
        """The value that a path leads to; raises `EditRefusedError` where none does."""
        node: Node = self.root
        for step in path:
            found = _child(node, step)
            if found is None:
                raise EditRefusedError(f"The header has no {_spoken(path)}.")
            node = found
        return node

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """Widen a span to the whole lines that it touches, last newline included."""
        line_end = self.raw.find(b"\n", max(start, end - 1), self.end)
        after = self.end if line_end < 0 else line_end + 1
        return self.raw.rfind(b"\n", 0, start) + 1, after

    def column(self, offset: int) -> int:
        """How many bytes stand before an offset on its line."""
        return offset - self.raw.rfind(b"\n", 0, offset) - 1


def locate(raw: bytes) -> Header:
    """Read a header for editing; raises a `HeaderError` where that is not safe."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise HeaderError("The file is not UTF-8; it is not edited here.") from error
    parts = split(text)
    if parts is None:
        raise HeaderError("The file has no header.")
    if parts.newline == "\r":
        raise HeaderError("The lines end with a lone carriage return; edit elsewhere.")
    start = len(text[: parts.start].encode())
    header = text[parts.start : parts.end]
    size = len(header.encode())
    fence = len(text[parts.end : parts.body].encode())
    root, _ = read_events(header, _places(header, start))
    root = root or Mapping(start + size, start + size, 2, (), flow=False)
    return Header(raw, start, start + size, start + size + fence, parts.newline, root)


def _places(text: str, start: int) -> Callable[[int], int]:
    """From an offset in the header's text to one in the file's bytes."""
    if text.isascii():
        return start.__add__
    widths = (len(char.encode()) for char in text)
    return list(accumulate(widths, initial=start)).__getitem__


def _child(node: Node, step: str | int) -> Node | None:
    match node:
        case Mapping() if isinstance(step, str):
            return node.get(step)
        case Sequence() if isinstance(step, int):
            return node.items[step] if 0 <= step < len(node.items) else None
        case Scalar() | Sequence() | Mapping():
            return None


def _spoken(path: Path) -> str:
    steps = (f"item {step + 1}" if isinstance(step, int) else step for step in path)
    return " → ".join(steps) or "fields"
