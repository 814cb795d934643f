"""The shelves of the index: tables whose text is indexed, each with its own words.

A row's text is what a view says it is, so the index needs no copy of it (SQLite calls
that external content), and words leave the index by triggers when their row goes. What
was added since the index was last brought up to date lies above a mark, and is looked
through row by row until then.
"""

from msgspec import Struct


class Shelf(Struct, frozen=True):
    """A table whose text is indexed."""

    table: str
    """The table."""
    columns: tuple[str, ...]
    """The columns that make up a row's text."""

    @property
    def words(self) -> str:
        """The table of its words."""
        return f"{self.table}_words"

    @property
    def vocabulary(self) -> str:
        """The table that tells which words there are."""
        return f"{self.table}_vocabulary"

    @property
    def texts(self) -> str:
        """The view of its texts."""
        return f"{self.table}_texts"

    def text(self, row: str) -> str:
        """The text of a row, as SQL."""
        parts = [f"coalesce({row}.{column}, '')" for column in self.columns]
        return " || char(10) || ".join(parts)

    @property
    def statements(self) -> tuple[str, ...]:
        """All that makes it."""
        return (
            (
                f"CREATE VIEW {self.texts} AS "
                f"SELECT id, {self.text(self.table)} AS text FROM {self.table}"
            ),
            (
                f"CREATE VIRTUAL TABLE {self.words} USING fts5("
                f"text, content = '{self.texts}', content_rowid = 'id', {KEPT})"
            ),
            (
                f"CREATE VIRTUAL TABLE {self.vocabulary} "
                f"USING fts5vocab({self.words}, 'row')"
            ),
            f"INSERT INTO {self.words} ({self.words}, rank) VALUES ('pgsz', {_LEAF})",
            (
                f"INSERT INTO {self.words} ({self.words}, rank) "
                f"VALUES ('hashsize', {_GATHERED})"
            ),
            f"INSERT INTO shelved (shelf, upto, noted) VALUES ('{self.table}', 0, 0)",
            (
                f"CREATE TRIGGER {self.table}_gone AFTER DELETE ON {self.table} "
                f"WHEN {self._is_indexed} BEGIN {self._taken_out} END"
            ),
            (
                f"CREATE TRIGGER {self.table}_other "
                f"AFTER UPDATE OF {', '.join(self.columns)} ON {self.table} "
                f"WHEN {self._is_indexed} BEGIN {self._taken_out} {self._put_in} END"
            ),
        )

    @property
    def _is_indexed(self) -> str:
        """Whether the index knows the row that was."""
        return f"old.id <= (SELECT upto FROM shelved WHERE shelf = '{self.table}')"

    @property
    def _taken_out(self) -> str:
        """Take the words of the row that was out of the index."""
        return (
            f"INSERT INTO {self.words} ({self.words}, rowid, text) "
            f"VALUES ('delete', old.id, {self.text('old')});"
        )

    @property
    def _put_in(self) -> str:
        """Put the words of the row that is into it, and note that there are some."""
        return (
            f"INSERT INTO {self.words} (rowid, text) "
            f"VALUES (new.id, {self.text('new')}); "
            "INSERT INTO changed_texts (shelf, row) "
            f"VALUES ('{self.table}', new.id);"
        )


KEPT = "detail = none, tokenize = 'unicode61 remove_diacritics 2'"
"""What is kept of a text: which terms it holds, accents folded, and not where."""

CUT = " "
"""What stands behind a term that is listed without its end."""

TERM = (
    "CASE WHEN length(CAST(term AS BLOB)) < 32000 THEN term "
    f"ELSE substr(term, 1, 100) || '{CUT}' END"
)
"""A term as it is listed. The index keeps 32 kilobytes of one, and the last letter in
part; what is longer may go on in any way."""

_LEAF = 16000
"""Bytes of a page of the index: as large as the catalogue's own pages hold."""

_GATHERED = 32 * 1024 * 1024
"""Bytes of words that are gathered before they are written: fewer parts to merge."""

MEMORIES = Shelf("memories", ("title", "description", "tags", "names", "own_id"))
BODIES = Shelf("bodies", ("text",))
MESSAGES = Shelf("messages", ("text",))
EVENTS = Shelf("events", ("message", "tool", "file_path"))
EPISODES = Shelf("episodes", ("title", "summary", "tags"))

SHELVES = (MEMORIES, BODIES, MESSAGES, EVENTS, EPISODES)
"""Every shelf."""

TABLES = """
CREATE TABLE shelved (
    shelf TEXT PRIMARY KEY,
    upto INTEGER NOT NULL,
    noted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE changed_texts (
    shelf TEXT NOT NULL,
    row INTEGER NOT NULL
);
CREATE TABLE terms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    shelf TEXT NOT NULL,
    terms TEXT NOT NULL
);
CREATE INDEX terms_by_shelf ON terms (shelf);
"""
"""How far each shelf is indexed, up to where its terms are listed, and the lists."""
