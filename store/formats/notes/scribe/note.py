"""A note as MEMORY.md lists it, and where its header says what it is."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from store.files.frontmatter import Page, read_page
from store.files.frontmatter.header import Header
from store.files.frontmatter.nodes import Scalar
from store.files.frontmatter.splice import with_scalar
from store.files.moments import moment_like
from store.formats.notes.memory import ARCHIVE, DEFAULT_TYPE
from store.formats.notes.roles import Role, role_of

_LONGEST_HOOK = 80
"""How much of its first line describes a note that has no description."""

_STAMPS: tuple[tuple[str, ...], ...] = (
    ("metadata", "modified"),
    ("modified",),
    ("updated",),
)
"""Where headers say when they were changed."""


class Listed(NamedTuple):
    """What the line of a note says."""

    path: str
    name: str
    description: str
    type: str


def listed(path: str, raw: bytes) -> Listed:
    """A note as the index lists it, by the rule of the program that makes indexes."""
    page = read_page(raw)
    name = _text(page.fields, "name") or _text(page.fields, "title")
    return Listed(
        path,
        on_one_line(name or PurePosixPath(path).stem),
        on_one_line(_text(page.fields, "description") or _hook(page)),
        type_of(page) or DEFAULT_TYPE,
    )


def type_of(page: Page) -> str | None:
    """The type that a header names, at its top or below `metadata`."""
    metadata = page.fields.get("metadata")
    below = _text(metadata, "type") if isinstance(metadata, Mapping) else ""
    return _text(page.fields, "type") or below or None


def is_listed(store: str, path: str) -> bool:
    """Whether an index ought to list a file: memories that were not put away."""
    is_memory = role_of(store, path) is Role.MEMORY
    return is_memory and ARCHIVE not in PurePosixPath(path).parts[:-1]


def stamped(header: Header, now: int) -> Header:
    """The header that says it was changed now, wherever it says when that was."""
    for path in _STAMPS:
        node = _at(header, path)
        if node is not None and node.value.strip():
            header = with_scalar(header, path, moment_like(node.value, now))
    return header


def on_one_line(text: str) -> str:
    """A text without breaks."""
    return " ".join(text.split())


def _hook(page: Page) -> str:
    lines = (line.strip() for line in page.body.split("\n"))
    return next(filter(None, lines), "")[:_LONGEST_HOOK]


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    return value.strip() if isinstance(value, str) else ""


def _at(header: Header, path: tuple[str, ...]) -> Scalar | None:
    fields: object = header.fields()
    for step in path:
        fields = fields.get(step) if isinstance(fields, Mapping) else None
    node = header.at(path) if isinstance(fields, str) else None
    return node if isinstance(node, Scalar) else None
