"""What a transcript says of itself: its session, its titles, its lines."""

from collections.abc import Iterable

import orjson
from msgspec import Struct, field

from store.catalogue.rows.cells import Row, json_text


class Told(Struct):
    """All that the pieces of one transcript say of it, put together."""

    session: str | None = None
    agent: str | None = None
    parent: str | None = None
    titles: dict[int, tuple[int, str]] = field(
        default_factory=dict[int, tuple[int, str]]
    )
    """By rank: the line of the last one, and its text."""
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """How many lines of each type there are."""

    def add(self, row: Row) -> None:
        """Take in what one piece says."""
        session, agent, parent, titles, lines = row
        self.session = self.session or _text(session)
        self.agent = self.agent or _text(agent)
        self.parent = self.parent or _text(parent)
        for rank, line, text in orjson.loads(_text(titles) or "[]"):
            if line >= self.titles.get(rank, (0, ""))[0]:
                self.titles[rank] = (line, text)
        for kind, count in orjson.loads(_text(lines) or "{}").items():
            self.lines[kind] = self.lines.get(kind, 0) + count

    def row(self) -> Row:
        """All of it as one row."""
        titles = [[rank, *title] for rank, title in sorted(self.titles.items())]
        return (
            self.session,
            self.agent,
            self.parent,
            json_text(titles),
            json_text(self.lines),
        )


def together(rows: Iterable[Row]) -> Told:
    """What all the pieces of a transcript say."""
    told = Told()
    for row in rows:
        told.add(row)
    return told


def _text(cell: object) -> str | None:
    return cell if isinstance(cell, str) else None
