"""Who holds what: the locks of every level of the program."""

from collections.abc import Iterator, Sequence

from store.files.sqlite import Scalar
from store.formats.claudia.asking.asked import Answer, Asked, Row, no_word
from store.formats.claudia.cells import instant, json_value, text, whole
from store.formats.claudia.health import LOCKS
from store.formats.claudia.tables import FILE_LOCKS, Record, records

FILE_STALE = 5 * 60
"""After how many seconds the program takes a file's lock for left behind."""

_WHAT = ("source_file", "resource_key", "extension_id", "lock_id")
_SINCE = ("locked_at", "acquired_at")
_SEEN = ("last_heartbeat", "updated_at", "locked_at", "acquired_at")
_PID = ("locked_by_pid", "holder_pid", "owner_pid")
_WHY = ("operation", "lock_type")


def locks(words: Sequence[str]) -> Answer:
    """Every lock, with its age."""
    no_word(words, "locks")
    return _locks


def _locks(asked: Asked) -> Iterator[Row]:
    for table in LOCKS:
        for row in records(asked.database, table):
            age = _age(row, asked.now)
            most = _stale_after(table, row)
            since = instant(_first(row, _SINCE))
            yield {
                "table": table,
                "holds": text(_first(row, _WHAT)),
                "for": text(_first(row, _WHY)),
                "since": since.iso if since else None,
                "age_s": age,
                "pid": json_value(_first(row, _PID)),
                "stale": None if age is None or most is None else age > most,
            }


def _first(row: Record, names: Sequence[str]) -> Scalar:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _age(row: Record, now: int) -> int | None:
    """Seconds since its holder last said anything."""
    seen = instant(_first(row, _SEEN))
    if seen is None or seen.micros is None:
        return None
    return (now - seen.micros) // 1_000_000


def _stale_after(table: str, row: Record) -> int | None:
    if table == FILE_LOCKS:
        return FILE_STALE
    most = whole(row.get("stale_after_ms"))
    return most // 1000 if most else None
