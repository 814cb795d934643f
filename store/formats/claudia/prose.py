"""What the librarian's pages are made of: headings, and lines with a bold name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from store.files.fences import fenced

_HEADING = re.compile(r"(#{1,6})\s+(.+?)(?:\s+#+)?\s*$")
_FIELD = re.compile(r"\s*\*\*([^*:]{1,40})(?::\*\*|\*\*:)\s*(.*)")


class Line(NamedTuple):
    """One line of a page."""

    number: int
    text: str
    is_code: bool
    """Whether it stands within a fence, or is one."""


class Heading(NamedTuple):
    """A heading."""

    level: int
    text: str


class Field(NamedTuple):
    """A line such as `**Mood:** calm`."""

    name: str
    value: str


def lines_of(body: str, first: int) -> Iterator[Line]:
    """The lines of a text whose first line has this number."""
    lines = body.splitlines()
    code = fenced(lines)
    for number, text in enumerate(lines):
        yield Line(first + number, text, number in code)


def heading_of(line: Line) -> Heading | None:
    """The heading that a line is."""
    found = None if line.is_code else _HEADING.match(line.text)
    return Heading(len(found[1]), found[2]) if found else None


def field_of(line: Line) -> Field | None:
    """The field that a line is; back quotes around its value aside."""
    found = None if line.is_code else _FIELD.match(line.text)
    return Field(found[1].strip(), found[2].strip().strip("`")) if found else None
