"""Untrusted text made fit to show: the one place where that happens.

What a terminal would act on or a reader would not see becomes a visible mark: controls
their picture (`␛`), everything else its number (`⟨U+202E⟩`), lone surrogates `U+FFFD`.
Joiners and selectors stay where they shape what is seen: within emoji, between Arabic
letters, after a virama.
"""

import re
import unicodedata
from functools import cache
from itertools import groupby

TAB_WIDTH = 4
"""How wide a tab stop is where lines stay lines."""
MARKS_PER_BASE = 8
"""How many combining marks may be stacked upon one character."""
_JOINED = 7
"""How many further emoji one emoji may be joined with."""
_SPELT_OUT = 3
"""How many hidden characters in a row are spelt out; longer runs are summed up."""

_C1 = "\x80-\x9f"
_SURROGATES = "\ud800-\udfff"
_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What Unicode lets a font ignore, bidi controls included, and interlinear notes."""
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}"
    for plane in range(17)
)
_ODD = "\u2028\u2029" + _NONCHARACTERS
"""Seen or harmless in themselves, but not by every terminal and editor."""

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe"
    "\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_ONE_EMOJI = f"[{_EMOJI}][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_ARABIC = "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff"
_VIRAMA = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
_SHAPED = (
    rf"{_ONE_EMOJI}(?:\u200d{_ONE_EMOJI}){{0,{_JOINED}}}"
    r"|[0-9#*]\ufe0f\u20e3"
    rf"|[{_ARABIC}]\u200c(?=[{_ARABIC}])"
    rf"|\w[{_VIRAMA}][\u200c\u200d]"
)
_STACK = (
    rf"[^\w\s\0-\u02ff\u2000-\u20cf\u2100-\u2bff\ue000-\uf8ff\U0001f000-\U0001faff"
    rf"{_SURROGATES}{_IGNORABLE}{_NONCHARACTERS}]{{{MARKS_PER_BASE + 1},}}"
)
"""Where more combining marks than allowed may be found: not letters, nor symbols."""


_CONTROLS = r"\0-\x08\x0b-\x1f\x7f"
"""Line feeds and tabs are none: what they become depends on the place."""

_PICTURES = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}


def clean(text: str, *, multiline: bool = False) -> str:
    """Show every control and hidden character as a visible mark; idempotent.

    With `multiline` line feeds stay, CR LF counts as one and tabs reach to the next
    stop; otherwise line feeds become a mark and a tab one space, since a row has no
    columns that it could line up with.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = text.replace("\r\n", "\n") if multiline else text
    if not _ordinary(shown):
        shown = _parts().sub(_shown, shown)
    if not multiline:
        return shown.replace("\n", "␊").replace("\t", " ")
    return shown.expandtabs(TAB_WIDTH) if "\t" in shown else shown


def hides_text(text: str) -> bool:
    """Whether the text holds characters that a reader would not see."""
    plain = text.replace("\r", "\n")
    return not _ordinary(plain) and any(
        part.lastgroup in {"control", "hidden"} for part in _parts().finditer(plain)
    )


def _ordinary(text: str) -> bool:
    """Whether nothing in the text needs a second look, line feeds and tabs aside."""
    if text.isascii():
        return text.replace("\n", "").replace("\t", "").isprintable()
    return not any(kind.search(text) for kind in _suspect())


@cache
def _suspect() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where a second look is due; made for the first text that is not ASCII."""
    one = f"[{_CONTROLS}{_C1}{_IGNORABLE}{_ODD}{_SURROGATES}]"
    return re.compile(one), re.compile(_STACK)


@cache
def _parts() -> re.Pattern[str]:
    """What is shown otherwise, by kinds; made for the first text that needs it."""
    return re.compile(
        f"(?P<control>[{_CONTROLS}]+)|(?P<hidden>[{_C1}{_IGNORABLE}]+)"
        f"|(?P<odd>[{_ODD}]+)|(?P<surrogate>[{_SURROGATES}]+)"
        f"|(?P<stack>{_STACK})|(?P<shaped>{_SHAPED})"
    )


def _shown(part: re.Match[str]) -> str:
    text = part[0]
    match part.lastgroup:
        case "control":
            return text.translate(_PICTURES)
        case "hidden" | "odd":
            return _numbered(text)
        case "surrogate":
            return "\ufffd" * len(text)
        case "stack":
            return _unstacked(text)
        case _:
            return text


def _numbered(run: str) -> str:
    """Hidden characters by their numbers, a long run by its first and its length."""
    if len(run) > _SPELT_OUT:
        return f"⟨U+{ord(run[0]):04X} …×{len(run)}⟩"
    return "".join(f"⟨U+{ord(character):04X}⟩" for character in run)


def _unstacked(run: str) -> str:
    """The run with no more marks upon one base than allowed, the rest counted."""
    shown: list[str] = []
    for combining, found in groupby(run, _combines):
        marks = "".join(found)
        shown.append(marks[:MARKS_PER_BASE] if combining else marks)
        if combining and len(marks) > MARKS_PER_BASE:
            shown.append(f"⟨marks …×{len(marks) - MARKS_PER_BASE}⟩")
    return "".join(shown)


def _combines(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Me"}
