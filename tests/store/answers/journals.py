"""A store of journals, and a library that has read it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store.discover import beneath
from store.findings import Json
from store.formats.register import FORMATS
from store.library import Library, Page
from store.search.parse import parse
from store.search.tree import Node
from tests.store.catalogue.stores import NOON, micros
from tests.store.formats.kei_databases import make_ledger
from tests.store.formats.kei_stores import (
    CLAIMS,
    SESSIONS,
    SID,
    TASKS,
    TRACE,
    assistant,
    call,
    jsonl,
    result,
    user,
    write,
)


def claim(value: str, pointer: str, tier: str = "REAL") -> dict[str, str]:
    """A line of the journal of claims."""
    return {
        "kind": "claim",
        "value": value,
        "evidence_tier": tier,
        "pointer": pointer,
        "ts": "2026-02-28T12:00:00Z",
    }


def task(
    name: str, seconds: float, ts: str = "2026-02-27T10:00:00Z"
) -> dict[str, Json]:
    """A line of the journal of tasks."""
    return {"kind": "task", "name": name, "duration_s": seconds, "ts": ts}


def make(folder: Path, *claims: dict[str, str]) -> Path:
    """A store with a trace, sessions, tasks, some claims; a ledger beside it."""
    store = folder / ".claude" / "memory"
    write(
        store,
        TRACE,
        jsonl(
            user("Fire the kiln.", at="2026-02-27T09:00:00Z"),
            assistant(call("Bash", command="kiln --fire"), at="2026-02-27T09:01:00Z"),
            user([result("no gas", is_error=True)], at="2026-02-27T09:02:00Z"),
        ),
    )
    session = {"kind": "session", "id": SID, "duration_s": 90}
    write(store, SESSIONS, jsonl(session | {"ts": "2026-02-27T11:00:00Z"}))
    tasks = (task("audit-glaze", 60), task("audit-kiln", 600), task("fire", 6000))
    write(store, TASKS, jsonl(*tasks))
    write(store, CLAIMS, jsonl(*claims))
    agents = store.parent / "agents"
    agents.mkdir()
    make_ledger(agents / "ledger.sqlite")
    return store


@contextmanager
def opened(folder: Path, store: Path) -> Generator[Library]:
    """A library that has read the store."""
    with Library(folder / "catalogue.db", micros(NOON)) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        library.sync()
        yield library


def rows(library: Library, kind: str, text: str) -> list[int]:
    """The rows that a query finds."""
    return list(library.lists.order(kind, Page(), tree(kind, text)))


def tree(kind: str, text: str) -> Node:
    """A parsed query."""
    query = parse(text, [kind], is_finished=True)
    assert not query.complaints
    return query.tree
