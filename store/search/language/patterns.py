"""Regular expressions: found in a text, and whether they are whole.

`/re/` is one where it begins and ends with a slash as a whole token and no other slash
is in it, unless a backslash stands before that; `/usr/bin/` is a path.
"""

import re
from collections.abc import Iterator
from typing import Any, Protocol, cast

_PATTERN = re.compile(r"/((?:[^/\\]|\\.)++)/(?=[\s|)]|\Z)", re.DOTALL)
_UNFINISHED = re.compile(r"/((?:[^/\\\s]|\\\S)++\\?)\Z")
_SPECIAL = re.compile(r"[(\[{|*+?\\^$]")
_PAIR = re.compile(r"\\.|/", re.DOTALL)

_MEMORY = 1 << 20
"""Bytes that a compiled expression may take."""


def whole(text: str, start: int) -> re.Match[str] | None:
    """The expression that begins at a slash; its first group is what it says."""
    return _PATTERN.match(text, start)


def unfinished(text: str, start: int) -> re.Match[str] | None:
    """What somebody types who has not come to the second slash yet."""
    match = _UNFINISHED.match(text, start)
    return match if match and _SPECIAL.search(match[1]) else None


def unescaped(text: str) -> str:
    """What an expression says, without what only told its slashes from the last one."""
    return _PAIR.sub(lambda pair: "/" if pair[0] == r"\/" else pair[0], text)


def escaped(text: str) -> str:
    """An expression between its slashes."""
    slashed = _PAIR.sub(lambda pair: r"\/" if pair[0] == "/" else pair[0], text)
    return f"/{slashed}/"


class BrokenPatternError(ValueError):
    """A regular expression is none; the message says why."""


class Finder(Protocol):
    """A regular expression, ready to be used; its time is bounded by the text's."""

    def search(self, text: str) -> "re.Match[str] | None":
        """The first place that it finds."""
        ...

    def finditer(self, text: str) -> "Iterator[re.Match[str]]":
        """Every place that it finds, in order."""
        ...


def compiled(text: str, *, is_exact: bool = True) -> Finder:
    """A regular expression, ready to be used; case aside where it is not exact."""
    import re2  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]  # slow, and ships none

    engine = cast("Any", re2)
    options = engine.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.case_sensitive = is_exact
    try:
        return engine.compile(text, options)
    except engine.error as error:
        raise BrokenPatternError(_words(error)) from error
    except UnicodeEncodeError as error:
        raise BrokenPatternError("it holds half a character") from error


def _words(error: Exception) -> str:
    """What the library says."""
    said = error.args[0]
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)
