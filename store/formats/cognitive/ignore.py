""".gitignore: whether it keeps what is secret or derived out of the repository."""

from fnmatch import fnmatchcase

from store.files.beneath import Blob
from store.findings import Findings, Flaw, Severity

CONFIG = "_config.json"
_DERIVED = ("_state.json", "_index.json", "_embeddings.json")


def read_ignore(_path: str, blob: Blob) -> Findings:
    """A flaw for each file that ought to be ignored and is not."""
    lines = blob.raw.decode(errors="replace").splitlines()
    patterns = [line.strip() for line in lines if line.strip()]
    flaws = [_NOT_IGNORED] if not _ignored(CONFIG, patterns) else []
    flaws += [
        Flaw(
            code="derived-not-ignored",
            message=f"`{name}` is derived, and git is not told to ignore it.",
            severity=Severity.NOTE,
        )
        for name in _DERIVED
        if not _ignored(name, patterns)
    ]
    return Findings(flaws=tuple(flaws))


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
        wanted = not pattern.startswith("!")
        if fnmatchcase(name, pattern.removeprefix("!").removeprefix("/")):
            ignored = wanted
    return ignored
