"""What a database's state is, told as facts and as flaws."""

from collections.abc import Iterator

from store.findings import Flaw, Severity, Value
from store.formats.claudia.health import Health
from store.formats.claudia.levels import LATEST
from store.formats.claudia.progress import Progress


def facts_of(health: Health, progress: Progress) -> dict[str, Value]:
    """Every figure, as text; what is not known is not told."""
    told: dict[str, object] = {
        "level": health.level,
        "files": health.files,
        "entries": progress.read,
        "outside": progress.orphans,
        "shared": progress.shared,
        "conversations": sum(health.statuses.values()),
        "documents": health.documents,
        "locks": health.locks,
        "machine": health.machine,
        "heartbeat": health.heartbeat,
        "indexed": health.indexed,
        "stale": health.stale,
    }
    facts: dict[str, Value] = {k: str(v) for k, v in told.items() if v is not None}
    facts["statuses"] = {key: str(count) for key, count in health.statuses.items()}
    if health.stuck:
        facts["ingesting"] = list(health.stuck)
    if health.notice:
        facts["notice"] = health.notice
    return facts


def flaws_of(health: Health, progress: Progress, *, is_main: bool) -> Iterator[Flaw]:
    """What is worth a word; only `is_main` databases have to hold conversations."""
    for table in health.missing:
        message = f"The database has no table {table}."
        severity = Severity.ERROR if is_main else Severity.NOTE
        yield Flaw(code="missing-table", message=message, severity=severity)
    if health.level is not None and health.level > LATEST:
        sentence = (
            f"It was migrated to level {health.level}; {LATEST} is the last known."
        )
        yield _note("newer-level", sentence)
    for file in health.stuck:
        yield _note("ingesting", f"The reading of {file!r} goes on, or broke off.")
    if progress.orphans:
        sentence = f"{_entries(progress.orphans)} outside any conversation."
        yield _note("outside-conversations", sentence)
    if progress.shared:
        sentence = f"{_entries(progress.shared)} on the boundary of two conversations."
        yield _note("shared-entries", sentence)
    if health.stale:
        sentence = f"The full-text index still has {health.stale} texts that are gone."
        yield _note("stale-search-text", sentence)
    if health.notice:
        yield _note("read-from-copy", health.notice)


def _entries(count: int) -> str:
    return "1 entry lies" if count == 1 else f"{count} entries lie"


def _note(code: str, message: str) -> Flaw:
    return Flaw(code=code, message=message, severity=Severity.NOTE)
