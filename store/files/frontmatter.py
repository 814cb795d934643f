"""Read Markdown with a YAML header: bytes in; fields, body and flaws out."""

import locale
import re
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from store.errors import RecollectError
from store.findings import Flaw, Severity, Value
from store.text import regex

# Why a header cannot be read or changed; the error message is shown to the user.


class HeaderError(RecollectError):
    """A header cannot be read as YAML, or cannot be changed."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line


class InvalidHeaderError(HeaderError):
    """The header is not valid YAML, or is YAML without fields."""


class UnsafeHeaderError(HeaderError):
    """The header is YAML that could expand or execute when loaded; it is not loaded."""


class EditRefusedError(HeaderError):
    """A change would affect more than its target; nothing was changed."""


# Everything that can be wrong with a page: each code and its message.

_FLAWS_LISTED = 50
_KEY_SHOWN = 40
"""Characters of a key shown in a message."""

EMPTY_FILE = Flaw(code="empty-file", message="The file is empty.")
NOT_TEXT = Flaw(
    code="not-text",
    message="Not a text file; its content isn't shown.",
    severity=Severity.ERROR,
)
TOO_LARGE = Flaw(
    code="too-large",
    message="The file is too large for a memory; only the beginning was read.",
)
UNCLOSED = Flaw(
    code="unclosed-header",
    message="The front matter has no end; everything is read as text.",
    severity=Severity.ERROR,
    line=1,
)
LONE_CR = Flaw(
    code="lone-cr",
    message="The lines end with a lone carriage return.",
)
HEADER_TOO_LARGE = Flaw(
    code="header-too-large",
    message="The front matter is too large for YAML; parsed line by line.",
    line=1,
)


def not_utf8(encoding: str) -> Flaw:
    """The bytes were decoded with another encoding."""
    message = f"Not valid UTF-8; read as {encoding}."
    return Flaw(code="not-utf8", message=message)


def duplicate_key(key: str, line: int) -> Flaw:
    """A mapping has a duplicate key."""
    message = f"Duplicate key “{_short(key)}”; the first value is used."
    return Flaw(code="duplicate-key", message=message, line=line)


def hash_in_value(key: str, line: int) -> Flaw:
    """An unquoted text holds ` #`, which YAML takes for the start of a comment."""
    message = f'Unquoted "#" in “{_short(key)}”; YAML would cut the text there.'
    return Flaw(
        code="hash-in-value", message=message, severity=Severity.NOTE, line=line
    )


def value_too_long(key: str, line: int) -> Flaw:
    """The line reader cut a value."""
    message = f"The value of “{_short(key)}” is too long; only the beginning was read."
    return Flaw(code="value-too-long", message=message, line=line)


def too_many_lines(line: int) -> Flaw:
    """The line reader stopped."""
    message = "The front matter has too many lines; the rest was not read."
    return Flaw(code="header-too-large", message=message, line=line)


def listed(found: list[Flaw]) -> tuple[Flaw, ...]:
    """The first flaws of a header, and the number of further ones."""
    more = len(found) - _FLAWS_LISTED
    if more <= 0:
        return tuple(found)
    problems = "1 more problem isn't" if more == 1 else f"{more:,} more problems aren't"
    message = f"{problems} listed for this front matter."
    return (*found[:_FLAWS_LISTED], Flaw(code="more-flaws", message=message))


def read_by_lines(error: HeaderError) -> Flaw:
    """YAML rejected the header or loading it was unsafe; it was read line by line."""
    return _broken(error, f"{error} Parsed line by line.")


def no_fields(error: HeaderError) -> Flaw:
    """The text between the fences holds no fields."""
    return _broken(error, f"{error} Everything is shown as text.")


def _broken(error: HeaderError, message: str) -> Flaw:
    unsafe = isinstance(error, UnsafeHeaderError)
    return Flaw(
        code="unsafe-yaml" if unsafe else "invalid-yaml",
        message=message,
        severity=Severity.ERROR,
        line=error.line,
    )


def _short(key: str) -> str:
    return key if len(key) <= _KEY_SHOWN else f"{key[:_KEY_SHOWN]}…"


# Decode bytes: UTF-8, or else the most likely encoding of an editor.

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HIGH_RUNS = regex(rb"[\x80-\xff]+")
_TEXT_FOR_A_NUL = 100
"""One stray NUL per this many characters still counts as text."""


class Decoded(NamedTuple):
    """A file's text, and the encoding it was decoded with."""

    text: str
    """The whole text, byte order mark included."""
    encoding: str
    flaws: tuple[Flaw, ...] = ()


def decode(raw: bytes, *, whole: bool = True) -> Decoded:
    """Decode bytes; a file that is not text yields an empty text and a flaw."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        if not whole and error.end == len(raw) and error.start >= len(raw) - 3:
            return decode(raw[: error.start])
        return _foreign(raw)
    if not raw:
        return Decoded("", "utf-8", (EMPTY_FILE,))
    headless = not text.startswith(("---", "\ufeff---"))
    if headless and text.count("\0") * _TEXT_FOR_A_NUL > len(text):
        return Decoded("", "binary", (NOT_TEXT,))
    return Decoded(text, "utf-8")


def _foreign(raw: bytes) -> Decoded:
    if raw.startswith(_UTF16_MARKS):
        text = raw.decode("utf-16", "replace")
        return Decoded(text, "utf-16", (not_utf8("UTF-16"),))
    if b"\0" in raw:
        return Decoded("", "binary", (NOT_TEXT,))
    for encoding in _guesses(raw):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return Decoded(text, encoding, (not_utf8(encoding),))
    return Decoded(raw.decode("latin-1"), "latin-1", (not_utf8("latin-1"),))


def _guesses(raw: bytes) -> list[str]:
    """The locale's encoding, then GB18030 if high bytes mostly come in runs."""
    own = locale.getencoding()
    guesses = [] if own.lower().replace("-", "") == "utf8" else [own]
    runs = [len(run) for run in _HIGH_RUNS.findall(raw)]
    if runs.count(1) * 2 < len(runs):
        guesses.append("gb18030")
    return guesses


# The position of a text's header: between two fences, the first on line 1.

_OPEN = regex(r"\ufeff?---[ \t]*(\r?\n|\r)")
_CLOSE = regex(r"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_CLOSE_LONE_CR = regex(r"\r(?:---|\.\.\.)[ \t]*(?:\r|\Z)")


class Split(Struct, frozen=True):
    """The position of the header, as offsets into the text."""

    start: int
    """The start of the header's first line, after the opening fence."""
    end: int
    """The start of the closing fence."""
    body: int
    """The start of the text after the closing fence."""
    newline: str
    """The line ending of the opening fence: `\\n`, `\\r\\n` or a lone `\\r`."""


def opens(text: str) -> bool:
    """Whether the first line is a fence, so that a header should follow."""
    return _opening(text) is not None


def split(text: str) -> Split | None:
    """Find the header; None unless both fences are there."""
    opening = _opening(text)
    if opening is None:
        return None
    newline = opening[1]
    closing = (_CLOSE_LONE_CR if newline == "\r" else _CLOSE).search(
        text, opening.end() - 1
    )
    if closing is None:
        return None
    return Split(opening.end(), closing.start() + 1, closing.end(), newline)


def _opening(text: str) -> re.Match[str] | None:
    opening = _OPEN.match(text)
    if opening is not None and opening[1] == "\r" and "\n" in text:
        return None
    return opening


# A fast path for headers as programs write them: same fields, no YAML parser.
#
# Reads `key: value`, lists on one line, lists of dashes with texts or flat mappings,
# and one level of `key: value` beneath a key. Anything doubtful is left to a YAML
# parser; whatever this accepts means the same to YAML.

_LINE = regex(
    r"^( *)(- )?"
    r"(?:([A-Za-z_][\w-]{0,99}):(?: |$))?"
    r'("[^"\\\n]*"'
    r"|'[^'\n]*'"
    r"|\[(?:\w[\w ./+@-]*(?:, *\w[\w ./+@-]*)*)?\]"
    r"|[\w/(.~+][^:\n]*(?::[^ \n][^:\n]*)*(?<! ))?$",
    re.MULTILINE,
)
_Line = tuple[str, str, str, str]
_MARKS = frozenset("[\"'")
"""What a list or a quoted text starts with."""


class _DoubtError(Exception):
    """A line that needs a YAML parser."""


def read_regular(header: str) -> dict[str, Value] | None:
    """The fields of a regular header; None if any line is doubtful."""
    if "\r" in header:
        header = header.replace("\r\n", "\n")
    text = header.removesuffix("\n")
    if " #" in text or not text.replace("\n", "").isprintable():
        return None
    lines: list[_Line] = _LINE.findall(text)
    if len(lines) != text.count("\n") + 1:
        return None
    try:
        return _fields(lines)
    except _DoubtError:
        return None


def _fields(lines: list[_Line]) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    children = _CHILDLESS
    for indent, dash, key, value in lines:
        if key and not indent and not dash:
            if key in fields:
                raise _DoubtError
            fields[key] = _plain(value) if value else value
            children = _CHILDLESS if value else _Children(fields, key)
        elif dash:
            children.item(len(indent), key, value)
        else:
            children.entry(len(indent), key, value)
    return fields


class _Children:
    """The values beneath one key: empty at first, then a list or a mapping."""

    __slots__ = ("_fields", "_indent", "_items", "_key", "_mapping")

    def __init__(self, fields: dict[str, Value] | None = None, key: str = "") -> None:
        self._fields = fields
        self._key = key
        self._indent = -1
        self._items: list[Value] | None = None
        self._mapping: dict[str, Value] | None = None

    def item(self, indent: int, key: str, value: str) -> None:
        """Add a line with a dash."""
        if self._items is None:
            if self._fields is None or self._mapping is not None:
                raise _DoubtError
            self._items = self._fields[self._key] = []
            self._indent = indent + 2
        if indent + 2 != self._indent or not (key or value):
            raise _DoubtError
        self._mapping = {key: _plain(value)} if key else None
        self._items.append(_plain(value) if self._mapping is None else self._mapping)

    def entry(self, indent: int, key: str, value: str) -> None:
        """Add an indented line without a dash."""
        if self._indent < 0 < indent and self._fields is not None:
            self._mapping = self._fields[self._key] = {}
            self._indent = indent
        if self._mapping is None or indent != self._indent or not key:
            raise _DoubtError
        if key in self._mapping:
            raise _DoubtError
        self._mapping[key] = _plain(value)


_CHILDLESS = _Children()
"""What is beneath a key with a value: nothing, so that any line is doubtful."""


def _plain(value: str) -> Value:
    first = value[:1]
    if first not in _MARKS:
        return value
    if first == "[":
        inner = value[1:-1]
        return [item.strip() for item in inner.split(",")] if inner else []
    return value[1:-1]


# A cheap check of a header before libyaml builds anything from it.
#
# The C loader recurses for every level and expands aliases and merge keys: 200 KB of
# brackets crash the process, and 400 bytes of merge keys take seconds. Headers that may
# contain any of that, or a ` #` at which YAML would cut a value, are left to the event
# reader.

SIZE_LIMIT = 1 << 20
"""In characters; a larger header is not read as YAML at all."""
_LOADER_SIZE_LIMIT = 1 << 16
_FLOW_LIMIT = 32
_DOUBTFUL = ("&", "*", "!", "<<", " #", "\t#", "\\u", "\\U")
"""Anchors, aliases, tags, merge keys, trailing comments, lone surrogates."""
_DEEP = regex(r"\n[ \t?:-]{40}")
"""Block nesting: every level takes a column, or shares one with its mapping."""


def is_tame(header: str) -> bool:
    """Whether a header is safe for the loader: small, shallow, and nothing expands."""
    return (
        len(header) <= _LOADER_SIZE_LIMIT
        and not any(sign in header for sign in _DOUBTFUL)
        and header.count("[") + header.count("{") <= _FLOW_LIMIT
        and _DEEP.search(f"\n{header}") is None
    )


# Read the fields of a header with the fastest reader that can handle it.


def read_fields(header: str) -> tuple[dict[str, Value] | None, tuple[Flaw, ...]]:
    """The fields and any flaws; None instead of fields if it is not a header."""
    fields = read_regular(header) if len(header) <= SIZE_LIMIT else None
    if fields is not None:
        return fields, ()
    from store.files.frontmatter_yaml import read_irregular  # noqa: PLC0415  # slow to load

    return read_irregular(header)


# The entry point: takes the bytes of a Markdown file, returns fields, body and flaws.


class Page(Struct, frozen=True):
    """A parsed Markdown file, as far as it could be parsed."""

    fields: Mapping[str, Value]
    """The header: every scalar as the string in the file; {} if there is no header."""
    body: str
    """The text after the header (all text without one), final newline included."""
    body_line: int
    """The 1-based line on which the body starts."""
    has_header: bool
    flaws: tuple[Flaw, ...]
    """What is wrong with the file; the fields are then what could be recovered."""
    header: str = ""
    """The text between the fences."""

    def line_of(self, key: str) -> int | None:
        """The 1-based line of a top-level key; None if it cannot be determined."""
        pattern = rf"^([\"']?){re.escape(key)}\1[ \t]*:(?=\s|$)"
        found = re.search(pattern, self.header, re.MULTILINE)
        return self.header.count("\n", 0, found.start()) + 2 if found else None


def read_page(raw: bytes, *, whole: bool = True) -> Page:
    """Parse a Markdown file; never raises because of its content.

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
