"""What class of event a line of a trace is, by the rules of the kit that writes it.

In order: a class that the line brings itself; an error, with its tool; what is said;
the tool that is called or answers; the kind of line; `other`. The patterns for what is
said take time proportional to the text: each that could not is two looks at a line.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

LONGEST = 64 * 1024
"""How much of a text is looked at, in characters."""

OTHER = "other"
"""The class of what nothing is known about."""

CORRECTION = "user_correction"
"""The class of somebody putting the agent right."""

_DENIED = re.compile(r"permission\s+denied|access\s+denied", re.IGNORECASE)
_CORRECTION = re.compile(
    r"\b(?:again|stop\s+doing|don'?t\s+(?:do|repeat)|you'?re\s+wrong|broken"
    r"|wrong\s+(?:again|once\s+more))\b|опять|ошибся|не\s+делай",
    re.IGNORECASE,
)
_RETRY = re.compile(r"retry|attempt\s+\d+|try\s+again", re.IGNORECASE)
_FAILURE = re.compile(r"error|denied|fail", re.IGNORECASE)
_WORKTREE, _CARGO, _WORKSPACE = (
    re.compile(word, re.IGNORECASE) for word in ("worktree", "cargo", "workspace")
)
_LINE = re.compile(r"[^\n]+")


def _worktree_fails(text: str) -> bool:
    """`worktree.*(error|denied|fail)`: on one line, in this order."""
    for line in _lines_with(_WORKTREE, text):
        tree = _WORKTREE.search(line)
        if tree and _FAILURE.search(line, tree.end()):
            return True
    return False


def _is_about_a_workspace(text: str) -> bool:
    """`cargo.*workspace` or the other way round: both words on one line."""
    return any(_WORKSPACE.search(line) for line in _lines_with(_CARGO, text))


def _lines_with(word: re.Pattern[str], text: str) -> list[str]:
    if not word.search(text):
        return []
    return [line for line in _LINE.findall(text) if word.search(line)]


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


_SAID: tuple[tuple[str, tuple[str, ...], Callable[[str], bool]], ...] = (
    ("permission_denied", ("denied",), _has(_DENIED)),
    (
        CORRECTION,
        ("again", "stop", "don", "wrong", "broken", "опять", "ошибся", "делай"),
        _has(_CORRECTION),
    ),
    ("worktree_error", ("worktree",), _worktree_fails),
    ("cargo_workspace", ("cargo",), _is_about_a_workspace),
    ("retry_loop", ("try", "attempt"), _has(_RETRY)),
)
"""A class, words of which one is in every text of it, and the proof; first wins."""


def said(text: str, *, corrections: bool = True) -> str | None:
    """The class that a text speaks of; `corrections` are only sought if wanted."""
    folded = text.lower() if text.isascii() else text.casefold()
    for name, words, proves in _SAID:
        wanted = corrections or name != CORRECTION
        if wanted and any(word in folded for word in words) and proves(text):
            return name
    return None


class Seen(NamedTuple):
    """What of an event decides on its class."""

    kind: str
    """What kind of line tells of it."""
    tool: str | None = None
    """The tool that is called or answers."""
    is_error: bool = False
    """Whether it went wrong."""
    text: str | None = None
    """What is said."""
    own: str | None = None
    """The class that the line brings itself."""


def classify(event: Seen, *, corrections: bool = True) -> str:
    """The class of one event; `corrections` are only sought if wanted."""
    if event.own is not None:
        return event.own
    if event.is_error:
        return "tool_error" if event.tool is None else f"tool_error:{event.tool}"
    found = said(event.text, corrections=corrections) if event.text else None
    return found or _by_structure(event.kind, event.tool)


def _by_structure(kind: str, tool: str | None) -> str:
    if tool is None:
        return kind
    if kind in {"assistant", "tool_use"}:
        return f"tool_use:{tool}"
    return "tool_result" if kind == "user" else kind
