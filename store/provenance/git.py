"""Commits and file contents from git, without running repository programs."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from store.derive.paths import Placed
from store.errors import RecollectError
from store.provenance.calls import Call, Maker, Told
from store.times import parse

# Run git so that it starts no program that a repository configures.

_SECONDS = 5.0
"""The time limit for an answer."""

_ONLY_LOOKS = (
    "--no-pager",
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
    *("-c", "color.ui=false"),
    *("-c", "color.diff=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
    *("-c", "log.showRoot=true"),
    *("-c", "log.diffMerges=off"),
    *("-c", "diff.orderFile=" + os.devnull),
    *("-c", "diff.relative=false"),
    *("-c", "diff.renames=true"),
    *("-c", "diff.renameLimit=1000"),
)
"""Options for reading safely, and the same whatever is configured.

Reading history starts no program that a repository configures, and a folder that only
looks like a repository does not count as one. Settings that would change the form of
an answer, or leave commits out of it, are fixed.
"""

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_FLUSH": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_TRACE2": "0",
    "GIT_TRACE2_EVENT": "0",
    "GIT_TRACE2_PERF": "0",
    "LC_ALL": "C",
}
"""Variables that also prevent fetching, and traces that the user configures.

To fetch objects missing from a partial clone, git would run a program that the
repository configures.
"""

_NO_REPOSITORY = "not a git repository"
_FOREIGN = "dubious ownership"


class GitError(RecollectError):
    """Git could not answer; the message says why."""


class SlowGitError(GitError):
    """Git took too long."""

    def __init__(self, told: bytes) -> None:
        super().__init__(f"git took longer than {_SECONDS:.0f} seconds.")
        self.told = told
        """The output up to then."""


class NoRepositoryError(GitError):
    """The folder is not in a repository."""


def ask_git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    """The output of git for the repository that contains a folder; raises GitError.

    Partial output, as from a damaged repository, counts as far as it goes.
    """
    git = shutil.which("git")
    if git is None:
        raise GitError("git isn't installed; its history is missing.")
    try:
        answer = subprocess.run(  # noqa: S603  # found on PATH, no shell
            [git, *_ONLY_LOOKS, "-C", str(folder), *words],
            check=False,
            capture_output=True,
            input=given,
            timeout=_SECONDS,
            env=_environment(folder),
        )
    except subprocess.TimeoutExpired as error:
        raise SlowGitError(error.stdout or b"") from error
    except (OSError, ValueError) as error:
        raise GitError(f"Can't run git: {error}.") from error
    if answer.returncode and not answer.stdout:
        raise _refusal(folder, answer.stderr.decode("utf-8", "replace"))
    return answer.stdout


def _environment(folder: Path) -> dict[str, str]:
    """The user's environment, without variables that would redirect git.

    The work tree is the folder that holds `.git`, even if the repository is configured
    as bare or with a work tree elsewhere.
    """
    mine = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    found = {**mine, **_ENVIRONMENT}
    here = Path(os.path.realpath(folder))
    for top in (here, *here.parents):
        if os.access(top / ".git" / "HEAD", os.F_OK) or (top / ".git").is_file():
            return {**found, "GIT_WORK_TREE": str(top)}
    return found


def _refusal(folder: Path, told: str) -> GitError:
    """Why git gave no answer."""
    if _NO_REPOSITORY in told or not told.strip():
        return NoRepositoryError(f"{folder} isn't in a git repository.")
    if _FOREIGN in told:
        return GitError(f"git refuses to read {folder}, which belongs to another user.")
    first = told.strip().partition("\n")[0].removeprefix("fatal: ").rstrip(".")
    return GitError(f"git failed in {folder}: {first}.")


# Read contents from git's object store, unconverted.

_LARGEST = 4 * 1024 * 1024
"""The largest object that is read."""

_ALL = 64 * 1024 * 1024
"""The limit for all objects read at once, in bytes."""

_BLOB = b"blob"
_HEAD = 3
"""Words in the line before an object: name, type, size."""


def blobs(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """The contents of objects by name, without missing and overly large ones.

    Nothing is converted, because filters are programs that a repository configures.
    Raises GitError.
    """
    wanted = list(_within_bounds(folder, dict.fromkeys(names)))
    if not wanted:
        return {}
    return dict(_parted(ask_git(folder, "cat-file", "--batch", given=_lines(wanted))))


def _within_bounds(folder: Path, names: Iterable[str]) -> Iterator[str]:
    """The objects that exist and are not too large, up to the total limit."""
    told = ask_git(folder, "cat-file", "--batch-check", given=_lines(names))
    left = _ALL
    for line in told.split(b"\n"):
        head = line.split(b" ")
        if len(head) == _HEAD and head[1] == _BLOB:
            size = int(head[2])
            if size <= min(_LARGEST, left):
                left -= size
                yield head[0].decode()


def _parted(answer: bytes) -> Iterator[tuple[str, bytes]]:
    """The objects in an answer: a line about each, its bytes, a line feed."""
    at = 0
    while (end := answer.find(b"\n", at)) >= 0:
        head = answer[at:end].split(b" ")
        at = end + 1
        if len(head) == _HEAD:
            size = int(head[2])
            yield head[0].decode(), answer[at : at + size]
            at += size + 1


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


# The committed files of a folder as of a date.

_SECOND = 1_000_000
_PLAIN = ("100644", "100755")
"""The modes of regular files; links and submodules are left out."""


class Tree(Struct, frozen=True):
    """The committed state of a folder."""

    commit: str
    """The name of the commit; empty if there was none yet."""
    moment: int
    """When it was committed, in microseconds since 1970."""
    files: dict[str, str]
    """The names of the objects, by path relative to the folder."""
    tracked: frozenset[str]
    """The files that are committed now."""

    def contents(self, folder: Path) -> dict[str, bytes]:
        """The contents of the files, except those too large; raises GitError."""
        held = blobs(folder, self.files.values())
        return {path: held[name] for path, name in self.files.items() if name in held}


def tree_at(folder: Path, at: int) -> Tree | None:
    """The committed files of a folder as of a date; None outside a repository.

    Raises GitError if git cannot answer.
    """
    try:
        tracked = _listed(folder, "HEAD")
    except NoRepositoryError:
        return None
    if not tracked:
        return None
    before = f"--before={at // _SECOND}"
    told = ask_git(folder, "log", "-1", before, "--format=%H %cI", "HEAD").decode()
    commit, _, when = told.strip().partition(" ")
    if not commit:
        return Tree("", 0, {}, frozenset(tracked))
    moment = parse(when).micros or 0
    return Tree(commit, moment, _listed(folder, commit), frozenset(tracked))


def _listed(folder: Path, commit: str) -> dict[str, str]:
    """The regular files beneath a folder in a commit, with their object names."""
    try:
        told = ask_git(folder, "ls-tree", "-r", "-z", commit)
    except NoRepositoryError:
        raise
    except GitError:
        return {}
    files: dict[str, str] = {}
    for entry in told.split(b"\0"):
        head, _, path = entry.partition(b"\t")
        mode, _, rest = head.decode("ascii", "replace").partition(" ")
        if mode in _PLAIN:
            name = path.decode("utf-8", "surrogateescape")
            files[name] = rest.partition(" ")[2]
    return files


# The commits that changed a file, under whatever name it had.

_MOST = 200
"""The most commits returned, newest first."""

_RAW = re.compile(r"\n?:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*")
"""The raw format of a change: modes, objects before and after, status."""

_HEADS = 4
"""How many words about a commit come before it."""

_MOVED = frozenset({"R", "C"})
_NOTHING = "0"


class _Commit(NamedTuple):
    """A commit that changed the file."""

    name: str
    at: str
    who: str
    subject: str
    before: str
    """The object before; zeros if there was no file."""
    after: str


class Commits:
    """File history from git."""

    def __init__(self) -> None:
        self.notice = ""
        """The problem that occurred, if any."""

    def changes_of(self, place: Placed) -> list[Told]:
        """The commits that changed a file, in order of time; none outside git."""
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
        return [_change_of(commit, texts) for commit in reversed(commits)]

    def _logged(self, folder: Path, name: str) -> bytes:
        """The log of a file; if it takes too long, only the newest commits."""
        try:
            return ask_git(
                folder,
                "log",
                "--follow",
                "--raw",
                "--no-abbrev",
                "--no-notes",
                "--no-ext-diff",
                "--no-textconv",
                f"--max-count={_MOST}",
                "-z",
                "--format=%H%x00%aI%x00%an%x00%s",
                "--",
                name,
            )
        except SlowGitError as error:
            self.notice = f"{error} Older commits are missing."
            return error.told

    def files_of(self, store: str) -> tuple[str, ...]:
        """Empty: `tree_at` covers many files at once."""
        del store
        return ()


def _commits(told: bytes) -> Iterator[_Commit]:
    """The commits in the output of git, newest first."""
    tokens = told.decode("utf-8", "replace").split("\0")
    at = 0
    while at + _HEADS < len(tokens):
        name, when, who, subject, raw = tokens[at : at + _HEADS + 1]
        change = _RAW.fullmatch(raw)
        at += _HEADS
        if change is not None:  # a merge may have none
            at += 3 if change[3] in _MOVED else 2
            yield _Commit(name, when, who, subject, change[1], change[2])


def _change_of(commit: _Commit, texts: dict[str, bytes]) -> Told:
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
    """The text of an object; empty if there was no file, None if unknown."""
    if not name.strip(_NOTHING):
        return ""
    raw = texts.get(name)
    return None if raw is None else raw.decode("utf-8", "surrogateescape")
