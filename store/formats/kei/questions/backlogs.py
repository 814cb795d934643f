"""The question what is to be done: lists in markdown, and the analyzer's own."""

from collections.abc import Sequence

from store.formats.kei.backlog import Item, read_backlog
from store.formats.kei.layout import Role
from store.formats.kei.questions.material import Asked, Row, Rows, databases, sources
from store.formats.kei.questions.words import none_of
from store.formats.kei.tables import rows_of
from store.formats.kei.values import instant

_COLUMNS = ("ts", "item", "processed")


def backlog(store: Asked, words: Sequence[str], now: int) -> Rows:
    """Everything that is to be done, or was."""
    del now
    none_of("backlog", words)

    def rows() -> Rows:
        for source in sources(store, Role.BACKLOG):
            root, path = store.reach.of(source.path)
            text = root.read(path).raw.decode("utf-8", errors="replace")
            for item in read_backlog(text).items:
                yield {**_told(item), "path": source.path, "line": item.line}
        for path, database in databases(store, Role.DATABASE):
            for line, row in rows_of(database, "backlog", _COLUMNS):
                at = instant(row.get("ts"))
                yield {
                    "state": "done" if row.get("processed") else "open",
                    "date": at.iso if at else None,
                    "event_class": None,
                    "count": None,
                    "text": row.get("item"),
                    "path": path,
                    "line": line,
                }

    return rows()


def _told(item: Item) -> Row:
    return {
        "state": item.state,
        "date": item.date,
        "event_class": item.event_class,
        "count": item.count,
        "text": item.text,
    }
