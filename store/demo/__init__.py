"""Sample stores: months of one developer's work, up to today; see README.md."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from msgspec import Struct

from store.errors import RecollectError

ROOTS = (
    "cognitive-memory",
    "graphs/work",
    "code/hearthbot/.memory",
    "claude/projects/-home-zoe-infra-homelab/memory",
    "claude/projects/-home-zoe-src-kilnbook/memory",
    "code/kilnbook/.claude/agent-memory/reviewer",
    "claude/projects/-home-zoe-src-tailfin/memory",
    "claude/projects",
    "agents/memories",
    "kei/memory",
    "anima",
    "memory",
)
"""The paths of the stores."""

_TODAY = date(2026, 3, 1)
"""The day on which the files were written as they are in `stores/`."""

_FILE_MODE = 0o644
_FOLDER_MODE = 0o755


def write(folder: Path, now: datetime) -> list[Path]:
    """Write the sample stores below a new or empty folder and return their roots.

    Everything happened before the day of `now`. The same day gives the same bytes and
    the same modification times everywhere.

    Raises:
        RecollectError: The folder is not empty or cannot be written.
    """
    newest: dict[Path, int] = {}
    try:
        _claim(folder)
        for sample in _samples(now.astimezone(UTC).date() - _TODAY):
            path = folder / sample.path
            _make(path.parent)
            path.write_bytes(sample.content)
            path.chmod(_FILE_MODE)
            os.utime(path, ns=(sample.changed, sample.changed))
            for parent in path.parents[: len(Path(sample.path).parts)]:
                newest[parent] = max(sample.changed, newest.get(parent, 0))
        for parent, changed in newest.items():
            os.utime(parent, ns=(changed, changed))
    except OSError as error:
        reason = f"{error.strerror}: {error.filename}"
        raise RecollectError(f"Can't write the sample stores: {reason}.") from error
    return [folder / root for root in ROOTS]


def _claim(folder: Path) -> None:
    """Create the folder, or check that it is empty."""
    if folder.exists() and not folder.is_dir():
        raise RecollectError(f"{folder} is a file; choose a folder.")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make(folder)
    if any(folder.iterdir()):
        raise RecollectError(f"{folder} is not empty; choose a new or empty folder.")


def _make(folder: Path) -> None:
    """Create a folder and those above it, independent of the umask."""
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir()
        folder.chmod(_FOLDER_MODE)


# The files as they are listed in `files.txt`, each with its modification time.


class Sample(Struct, frozen=True):
    """A file to write."""

    path: str
    content: bytes
    changed: int
    """Its modification time in nanoseconds."""


def _samples(shift: timedelta) -> Iterator[Sample]:
    """All files, with dates shifted by whole days."""
    demo = files("store.demo")
    for line in (demo / "files.txt").read_text("utf-8").splitlines():
        changed, name = line.split(" ", 1)
        moment = datetime.fromisoformat(f"{changed}+00:00") + shift
        yield Sample(
            _path(name, moment, shift),
            _content(demo, name, shift),
            int(moment.timestamp()) * 1_000_000_000,
        )


def _path(name: str, moment: datetime, shift: timedelta) -> str:
    """A path; `%Y` and the like are parts of its file's time, `%q` is the quarter."""
    quarter = str((moment.month + 2) // 3)
    return moment.strftime(_shifted(name, shift).replace("%q", quarter))


def _content(demo: Traversable, name: str, shift: timedelta) -> bytes:
    """The bytes of a file."""
    if name.endswith((".db", ".sqlite")):
        script = (demo / "stores" / f"{name}.sql").read_text("utf-8")
        return _database(_shifted(script, shift))
    if name.endswith("/.gitignore"):  # the stores have the same; git would obey theirs
        return (demo / "gitignore").read_bytes()
    text = (demo / "stores" / name).read_bytes().decode()
    return _shifted(text, shift).encode()


def _database(script: str) -> bytes:
    """The database that SQL makes; the same bytes for every version of SQLite."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        raw = bytearray(connection.serialize())
    raw[_VERSION] = bytes(4)
    return bytes(raw)


_VERSION = slice(96, 100)
"""The bytes of the header with the SQLite version that wrote the database last."""


# Dates and times within a text.

_DATE = re.compile(r"20\d\d-\d\d-\d\d")

_MONTH = re.compile(r"20\d\d-\d\d(?=/(20\d\d-\d\d)?)")
"""A folder of a month, and the month of the page in it, if its name has a date."""

_EPOCH = re.compile(r"(?<![0-9a-f._-])17\d{8}(?P<parts>\d{3}|\d{6})?(?![\w-])")
"""A time in seconds, milliseconds or microseconds since 1970."""


def _shifted(text: str, shift: timedelta) -> str:
    """A text whose dates and times are shifted."""

    def month(found: re.Match[str]) -> str:
        return found[1] or f"{date.fromisoformat(f'{found[0]}-10') + shift:%Y-%m}"

    def epoch(found: re.Match[str]) -> str:
        unit = 10 ** len(found["parts"] or "")
        return str(int(found[0]) + shift // timedelta(seconds=1) * unit)

    text = _DATE.sub(lambda found: f"{date.fromisoformat(found[0]) + shift}", text)
    return _EPOCH.sub(epoch, _MONTH.sub(month, text))
