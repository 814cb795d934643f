"""Text as it is compared: case, accents and forms of the same letter folded.

Folding goes character by character, so that what stands in a text also stands, folded,
in the folded text.
"""

import re
from unicodedata import normalize

_FORMS = re.compile(
    "[\u00aa-\u00ba\u00c0-\u036f\u1e00-\u1fff\u2070-\u20cf\u2100-\u218f"
    "\u2460-\u24ff\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff]+"
)
"""What has forms that are folded; all else is left as it is."""

_MARKS = re.compile("[\u0300-\u036f]+")
"""Accents that stand by themselves."""


def fold(text: str) -> str:
    """The text with case and accents folded."""
    return unmarked(text).casefold()


def unmarked(text: str) -> str:
    """The text without its accents, case kept."""
    if text.isascii() or not _FORMS.search(text):
        return text
    return _FORMS.sub(_plain, text)


def _plain(forms: re.Match[str]) -> str:
    """A run of letters in their plainest form."""
    return _MARKS.sub("", normalize("NFKD", forms[0]))


def is_exact(needle: str) -> bool:
    """Whether somebody who types this means its case: it has a capital letter."""
    return needle != needle.lower()


def compared(text: str, needle: str) -> str:
    """The text as it is held against what somebody typed."""
    return unmarked(text) if is_exact(needle) else fold(text)


def holds(text: str, needle: str) -> bool:
    """Whether a text holds what somebody typed."""
    return compared(needle, needle) in compared(text, needle)
