"""Headers that YAML refuses, or would cut: values that lack their quotes get them."""

import re

from store.files.frontmatter.errors import EditRefusedError, HeaderError
from store.files.frontmatter.header import locate
from store.files.frontmatter.page import read_page
from store.files.frontmatter.quoting import quote, unquote
from store.files.frontmatter.split import split
from store.files.frontmatter.tree import WHOLE_LINE_KEYS

_ENTRY = re.compile(r"([A-Za-z_][\w-]*):[ \t]+([^\r\n]*\S)[ \t]*\r?", re.ASCII)
_OPENED = ("[", "{", "|", ">")
_TAGGED = frozenset({"=", "<<"})
"""Plain scalars that YAML means something by, and that its readers stumble over."""
_UNLIKE = "The header cannot be mended without changing what it says."


def with_quotes(raw: bytes) -> bytes:
    """The file with its doubtful values in quotes, if that is all that is wrong.

    What the tolerant reader had made of the header is what it says then. Raises
    EditRefusedError where that cannot be done.
    """
    before = read_page(raw)
    parts = split(raw.decode(errors="surrogateescape"))
    if parts is None:
        raise EditRefusedError("The file has no header.")
    text = raw.decode(errors="surrogateescape")
    lines = text[parts.start : parts.end].split("\n")
    mended = "\n".join(map(_mended, lines))
    encoded = f"{text[: parts.start]}{mended}{text[parts.end :]}"
    after = encoded.encode(errors="surrogateescape")
    try:
        header = locate(after)
    except HeaderError as error:
        raise EditRefusedError(_UNLIKE) from error
    page = read_page(after)
    if header.fields() != before.fields or page.body != before.body:
        raise EditRefusedError(_UNLIKE)
    return after


def _mended(line: str) -> str:
    """A line of the header; its value is quoted where plain YAML would not have it."""
    entry = _ENTRY.fullmatch(line)
    if entry is None:
        return line
    value = entry[2]
    if value.startswith(_OPENED) or (value[:1] in "\"'" and unquote(value) != value):
        return line
    doubtful = ": " in value or value.endswith(":") or value[:1] in "\"'%@`&*!#"
    doubtful = doubtful or value in _TAGGED
    if not doubtful and not (entry[1] in WHOLE_LINE_KEYS and " #" in value):
        return line
    start, end = entry.span(2)
    return f"{line[:start]}{quote(value)}{line[end:]}"
