"""The store's own backups: made before what is there is changed, the oldest go."""

import re
from datetime import UTC, datetime

from store.edits.draft import FileStep
from store.errors import UnreadableError
from store.files.beneath import Root
from store.formats.agent_memory.layout import BACKUP, backup_of
from store.formats.agent_memory.limits import Limits
from store.formats.agent_memory.scribe.work import LARGEST
from store.times import parse

SESSION = 12 * 3600 * 1_000_000
"""A backup that is younger than this, in microseconds, is of the same session: so many
quick changes do not push the older ones out."""

_STAMP = r"\d{8}_\d{6}"


def backup_steps(
    root: Root, path: str, before: bytes, now: int, limits: Limits
) -> list[FileStep]:
    """Make a backup of a file, and remove those that are too many by then.

    Only names of the exact form that is written here ever go.
    """
    kept = _kept(root, path)
    if not limits.backup_enabled or any(_is_young(name, now) for name in kept):
        return []
    name = f"{path.rpartition('/')[2]}.backup.{_stamp(now)}"
    too_many = kept[: max(0, len(kept) + 1 - limits.max_backups)]
    return [
        FileStep(path=f"{BACKUP}/{name}", before=None, after=before),
        *(_removal(root, f"{BACKUP}/{old}") for old in too_many),
    ]


def _kept(root: Root, path: str) -> list[str]:
    """The names of a file's backups, the oldest first."""
    form = re.compile(re.escape(path.rpartition("/")[2]) + rf"\.backup\.{_STAMP}")
    try:
        entries = root.entries(BACKUP)
    except UnreadableError:
        return []
    return sorted(entry.name for entry in entries if form.fullmatch(entry.name))


def _removal(root: Root, path: str) -> FileStep:
    return FileStep(path=path, before=root.read(path, limit=LARGEST).raw, after=None)


def _is_young(name: str, now: int) -> bool:
    when = backup_of(f"{BACKUP}/{name}").when
    micros = parse(when).micros if when else None
    return micros is not None and abs(now - micros) < SESSION


def _stamp(now: int) -> str:
    return f"{datetime.fromtimestamp(now // 1_000_000, UTC):%Y%m%d_%H%M%S}"
