"""The commits that changed a file, under whatever name it had by then."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from store.derive.whereabouts import Placed
from store.provenance.git.objects import blobs
from store.provenance.git.running import (
    GitError,
    NoRepositoryError,
    SlowGitError,
    ask_git,
)
from store.provenance.made import Maker, Told
from store.provenance.replay import Call
from store.times import parse

_MOST = 200
"""How many commits are told, the newest."""

_RAW = re.compile(r"\n?:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*")
"""How a change is told: modes, the object before and after, what was done."""

_MOVED = frozenset({"R", "C"})
_NOTHING = "0"


class _Commit(NamedTuple):
    """A commit that changed the file."""

    name: str
    at: str
    who: str
    subject: str
    before: str
    """The object that the file was before; zeros where there was none."""
    after: str


class Commits:
    """What git tells of how files came to be."""

    def __init__(self) -> None:
        self.notice = ""
        """What was in the way, where something was."""

    def changes_of(self, place: Placed) -> list[Told]:
        """The commits that changed a file, in order of time; none outside of git."""
        store = Path(place.store)
        folder = (store / place.path).parent
        if not folder.is_dir():
            return []
        try:
            commits = list(_commits(self._logged(folder, Path(place.path).name)))
            names = (name for one in commits for name in (one.after, one.before))
            texts = blobs(folder, (name for name in names if name.strip(_NOTHING)))
        except NoRepositoryError:
            return []
        except GitError as error:
            self.notice = str(error)
            return []
        return [_told(commit, texts) for commit in reversed(commits)]

    def _logged(self, folder: Path, name: str) -> bytes:
        """What git tells of a file's commits; if that takes too long, of the newest."""
        try:
            return ask_git(
                folder,
                "log",
                "--follow",
                "--raw",
                "--no-abbrev",
                "--no-ext-diff",
                "--no-textconv",
                f"--max-count={_MOST}",
                "-z",
                "--format=%H%x00%aI%x00%an%x00%s",
                "--",
                name,
            )
        except SlowGitError as error:
            self.notice = f"{error} Of older commits than these nothing is told."
            return error.told

    def files_of(self, store: str) -> tuple[str, ...]:
        """None: what is told of many files at once is told by their tree."""
        del store
        return ()


def _commits(told: bytes) -> Iterator[_Commit]:
    """The commits that git tells of, the newest first."""
    tokens = iter(told.decode("utf-8", "replace").split("\0"))
    for commit, at, who, subject, raw in zip(*[tokens] * 5, strict=False):
        change = _RAW.fullmatch(raw)
        if change is None:
            return
        next(tokens, None)
        if change[3] in _MOVED:
            next(tokens, None)
        yield _Commit(commit, at, who, subject, change[1], change[2])


def _told(commit: _Commit, texts: dict[str, bytes]) -> Told:
    maker = Maker(
        by="commit",
        what=commit.subject,
        at=commit.at,
        moment=parse(commit.at).micros,
        who=commit.who,
        ref=commit.name,
    )
    after, before = (_text(name, texts) for name in (commit.after, commit.before))
    return Told(maker, Call("commit", after, before=before))


def _text(name: str, texts: dict[str, bytes]) -> str | None:
    """The text of an object; nothing where there was no file, None where unknown."""
    if not name.strip(_NOTHING):
        return ""
    raw = texts.get(name)
    return None if raw is None else raw.decode("utf-8", "surrogateescape")
