"""How far each transcript was read, against what lies on disk now."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.findings import Json
from store.formats.claudia.asking.asked import Answer, Asked, Row, no_word
from store.formats.claudia.cells import instant, json_value, text, whole
from store.formats.claudia.tables import FILES, Record, records

_DEPTH = 8
_BACKUP = "-backup"
_TRANSCRIPT = ".jsonl"
_KEY = "file_path"


def files(words: Sequence[str]) -> Answer:
    """Every file that was read, then those that were not."""
    no_word(words, "files")
    return _files


def _files(asked: Asked) -> Iterator[Row]:
    sizes = _sizes(asked)
    for row in records(asked.database, FILES, order=_KEY):
        key = text(row.get("file_path")) or ""
        size = sizes.pop(key, None) if sizes is not None else None
        yield _told(key, row) | {"on_disk": _standing(row, size, sizes), "size": size}
    for key, size in sorted((sizes or {}).items()):
        yield _told(key, {}) | {"on_disk": "new", "size": size}


def _told(key: str, row: Record) -> dict[str, Json]:
    """What the database says of a file."""
    modified = instant(row.get("last_modified"))
    return {
        "file": key,
        "status": text(row.get("status")),
        "source": text(row.get("source")),
        "offset": whole(row.get("last_processed_offset")) if row else None,
        "file_size": whole(row.get("file_size")) if row else None,
        "modified": modified.iso if modified else None,
        "last_entry": text(row.get("last_entry_timestamp")),
        "last_entry_id": json_value(row.get("last_committed_entry_id")),
        "created": text(row.get("created_at")),
        "updated": text(row.get("updated_at")),
    }


def _standing(
    row: Record, size: int | None, sizes: dict[str, int] | None
) -> str | None:
    """What its program would find; None where the transcripts are out of reach."""
    if sizes is None:
        return None
    if size is None:
        return "gone"
    offset = whole(row.get("last_processed_offset"))
    if size == offset:
        return "same"
    return "grown" if size > offset else "truncated"


def _sizes(asked: Asked) -> dict[str, int] | None:
    """The transcripts on disk by their keys; a live one counts before its backup."""
    home = asked.root.path.parent
    live = asked.settings.watched(home)
    found: dict[str, int] = {}
    reached = False
    with ExitStack() as roots:
        for base in (live, live.with_name(live.name + _BACKUP)):
            root = _opened(base)
            if root:
                reached = True
                for entry in _transcripts(roots.enter_context(root)):
                    found.setdefault(entry.path, entry.stamp.size)
    return found if reached else None


def _opened(base: Path) -> Root | None:
    try:
        return Root(base)
    except UnreadableError:
        return None


def _transcripts(root: Root) -> Iterator[Entry]:
    for entry in root.walk(depth=_DEPTH):
        if (
            isinstance(entry, Entry)
            and entry.kind is Kind.FILE
            and entry.name.endswith(_TRANSCRIPT)
        ):
            yield entry
