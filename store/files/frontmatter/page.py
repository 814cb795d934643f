"""The door: bytes of a markdown file in, header fields and body out, flaws named."""

import re
from collections.abc import Mapping

from msgspec import Struct

from store.files.frontmatter.encoding import decode
from store.files.frontmatter.fields import read_fields
from store.files.frontmatter.flaws import LONE_CR, TOO_LARGE, UNCLOSED
from store.files.frontmatter.split import opens, split
from store.findings import Flaw, Value


class Page(Struct, frozen=True):
    """A markdown file, understood as far as it can be."""

    fields: Mapping[str, Value]
    """The header: every scalar is the string that the file holds; {} without one."""
    body: str
    """The text after the header (all of it without one), final newline included."""
    body_line: int
    """The 1-based line of the file that the body starts at."""
    has_header: bool
    flaws: tuple[Flaw, ...]
    """What is wrong with the file; the fields are then what could be recovered."""
    header: str = ""
    """The text between the fences."""

    def line_of(self, key: str) -> int | None:
        """The 1-based line on which a top-level key stands, where that can be told."""
        pattern = rf"^([\"']?){re.escape(key)}\1[ \t]*:(?=\s|$)"
        found = re.search(pattern, self.header, re.MULTILINE)
        return self.header.count("\n", 0, found.start()) + 2 if found else None


def read_page(raw: bytes, *, whole: bool = True) -> Page:
    """Read a markdown file; never raises for what is in it.

    With `whole=False` the bytes are only the beginning of the file.
    """
    text, _, flaws = decode(raw, whole=whole)
    if not whole:
        flaws += (TOO_LARGE,)
    parts = split(text)
    if parts is None:
        if whole and opens(text):
            flaws += (UNCLOSED,)
        return Page({}, text, 1, has_header=False, flaws=flaws)
    header = text[parts.start : parts.end]
    newline = "\n"
    if parts.newline == "\r":
        newline = "\r"
        header = header.replace("\r", "\n")
        flaws += (LONE_CR,)
    fields, found = read_fields(header)
    if fields is None:
        return Page({}, text, 1, has_header=False, flaws=flaws + found)
    line = text.count(newline, 0, parts.body) + 1
    return Page(
        fields,
        text[parts.body :],
        line,
        has_header=True,
        flaws=flaws + found,
        header=header,
    )
