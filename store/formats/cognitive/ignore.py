""".gitignore: whether it keeps what is secret or derived out of the repository."""

import re
from fnmatch import fnmatchcase

from store.files.beneath import Blob
from store.findings import Findings, Flaw, Severity
from store.formats.cognitive.layout import CONFIG

_DERIVED = ("_state.json", "_index.json", "_embeddings.json")

LIMIT = 64 * 1024
"""How much of the file is read: every pattern in it is tried on every name."""

_LONGEST_PATTERN = 255
"""Longer ones name no file of the store, and take long to understand."""

_ESCAPED = re.compile(r"\\(.)")


def read_ignore(_path: str, blob: Blob) -> Findings:
    """A flaw for each file that ought to be ignored and is not."""
    flaws = [] if blob.whole else [_TOO_LARGE]
    flaws += [
        _NOT_IGNORED
        if name == CONFIG
        else Flaw(
            code="derived-not-ignored",
            message=f"`{name}` is derived, and git is not told to ignore it.",
            severity=Severity.NOTE,
        )
        for name in not_ignored(blob.raw)
    ]
    return Findings(flaws=tuple(flaws))


def not_ignored(raw: bytes) -> list[str]:
    """The files that ought to be ignored and are not, what is secret first."""
    lines = raw.decode("utf-8-sig", errors="replace").split("\n")
    patterns = [line.removesuffix("\r").rstrip(" ") for line in lines]
    return [name for name in (CONFIG, *_DERIVED) if not _ignored(name, patterns)]


_TOO_LARGE = Flaw(
    code="too-large",
    message="The file is very large; only its beginning was read.",
)
_NOT_IGNORED = Flaw(
    code="secret-not-ignored",
    message=f"`{CONFIG}` may hold a key, and git is not told to ignore it.",
)


def without_ignore(names: set[str]) -> Flaw | None:
    """What is wrong when a repository has no .gitignore, if anything is."""
    if ".git" not in names or ".gitignore" in names or CONFIG not in names:
        return None
    return _NOT_IGNORED


def _ignored(name: str, patterns: list[str]) -> bool:
    """Whether the last pattern that matches a file at the root ignores it."""
    ignored = False
    for pattern in patterns:
        if _matches(name, pattern.removeprefix("!")):
            ignored = not pattern.startswith("!")
    return ignored


def _matches(name: str, pattern: str) -> bool:
    """Whether a pattern, read as git reads it, is that of a file at the root."""
    if len(pattern) > _LONGEST_PATTERN:
        return False
    here = pattern.removeprefix("/")
    while here.startswith("**/"):
        here = here.removeprefix("**/")
    return fnmatchcase(name, _ESCAPED.sub(_literal, here))


def _literal(escaped: re.Match[str]) -> str:
    """A character behind a backslash, as fnmatch writes it."""
    return f"[{escaped[1]}]" if escaped[1] in "*?[" else escaped[1]
