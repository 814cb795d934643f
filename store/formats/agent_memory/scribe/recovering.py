"""Damaged lines: mended where nothing is lost by it, else put back from a backup."""

import re
from collections.abc import Iterator

from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Kind
from store.files.jsonl import parse
from store.files.jsonl.spans import values_in
from store.formats.agent_memory.layout import (
    ARCHIVE,
    BACKUP,
    Role,
    backup_of,
    kind_of,
    role_of,
)
from store.formats.agent_memory.memory import is_memory
from store.formats.agent_memory.scribe.held import LinesFile
from store.formats.agent_memory.scribe.work import LARGEST, Work

_ID = re.compile(rb'"id"\s*:\s*"([^"\\]{1,100})"')
_CONTROLS = re.compile(rb"[\0-\x1f]")
_NO_HELP = "is damaged, and neither a backup nor the archive has it. Edit it by hand."


def mend_line(work: Work, path: str, line: int) -> None:
    """Mend one line: as it stands, from the newest backup, or from the archive."""
    file = work.file(path)
    if not isinstance(file, LinesFile):
        raise NotPossibleError(f"{path} is no file of lines.")
    raw = file.sheet.line(line)
    if _stands_whole(file, raw.strip()):
        file.sheet.remove(line)
        file.is_rewritten = True
        return
    mended = _as_it_stands(raw) or _from_elsewhere(work, path, raw)
    if mended is None:
        raise NotPossibleError(f"Line {line} of {path} {_NO_HELP}")
    file.sheet.replace(line, mended)
    file.is_rewritten = True


def divide_line(work: Work, path: str, line: int) -> None:
    """Give each of the objects that stand on one line a line of its own."""
    file = work.file(path)
    if isinstance(file, LinesFile):
        raw = file.sheet.line(line)
        parts = [raw[span.start : span.end] for span in values_in(raw)]
        if len(parts) > 1:
            file.sheet.replace(line, b"\n".join(parts))
            file.is_rewritten = True


def newest_backup(work: Work, path: str) -> str | None:
    """The newest of a file's backups."""
    told = [(backup_of(name).when or "", name) for name in _backups(work, path)]
    return max(told)[1] if told else None


def _as_it_stands(raw: bytes) -> bytes | None:
    """The line without what a crash left, and with its controls escaped."""
    bare = raw.strip(b"\0 \t\r")
    if _is_sound(bare):
        return bare
    escaped = _CONTROLS.sub(lambda found: b"\\u%04x" % found[0][0], bare)
    return escaped if _is_sound(escaped) else None


def _stands_whole(file: LinesFile, torn: bytes) -> bool:
    """Whether a line is but the beginning of another one, which was written anew."""
    lines = (line.strip() for line in file.after.split(b"\n"))
    return any(
        line != torn and line.startswith(torn) and _is_sound(line) for line in lines
    )


def _from_elsewhere(work: Work, path: str, raw: bytes) -> bytes | None:
    """The line of another file that has the same identifier."""
    own = _ID.search(raw)
    if not own:
        return None
    for name in _elsewhere(work, path):
        for line in _lines_of(work, name):
            found = _ID.search(line)
            if found and found[1] == own[1] and _is_sound(line.strip()):
                return line.strip()
    return None


def _elsewhere(work: Work, path: str) -> Iterator[str]:
    """Backups of a file, the newest first, then the archive of its kind."""
    yield from sorted(
        _backups(work, path),
        key=lambda name: backup_of(name).when or "",
        reverse=True,
    )
    archived = (
        found.path
        for found in work.root.walk(ARCHIVE, depth=1)
        if not isinstance(found, tuple) and found.kind is Kind.FILE
    )
    yield from (one for one in archived if kind_of(one) == kind_of(path))


def _backups(work: Work, path: str) -> list[str]:
    name = path.rpartition("/")[2]
    found: list[str] = []
    for folder in ("", BACKUP):
        try:
            entries = work.root.entries(folder)
        except UnreadableError:
            continue
        found += [
            entry.path
            for entry in entries
            if entry.kind is Kind.FILE
            and role_of(entry.path) is Role.BACKUP
            and backup_of(entry.path).of == name
        ]
    return found


def _lines_of(work: Work, path: str) -> list[bytes]:
    return work.root.read(path, limit=LARGEST).raw.split(b"\n")


def _is_sound(raw: bytes) -> bool:
    values, problem = parse(raw)
    return problem is None and len(values) == 1 and is_memory(values[0])
