"""Bytes to text: UTF-8, else the likeliest of what editors have written."""

import locale
import re
from typing import NamedTuple

from store.files.frontmatter.flaws import EMPTY_FILE, NOT_TEXT, not_utf8
from store.findings import Flaw

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_HIGH_RUNS = re.compile(rb"[\x80-\xff]+")
_TEXT_FOR_A_NUL = 100
"""A stray NUL in so many characters leaves a text a text."""


class Decoded(NamedTuple):
    """A file's text, and how it was come by."""

    text: str
    """All of it, a byte order mark included."""
    encoding: str
    flaws: tuple[Flaw, ...] = ()


def decode(raw: bytes, *, whole: bool = True) -> Decoded:
    """Turn bytes into text; a file that is not text gives none and says so."""
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
    """The locale's own encoding, then Chinese where high bytes come in company."""
    own = locale.getencoding()
    guesses = [] if own.lower().replace("-", "") == "utf8" else [own]
    runs = [len(run) for run in _HIGH_RUNS.findall(raw)]
    if runs.count(1) * 2 < len(runs):
        guesses.append("gb18030")
    return guesses
