"""After any writes, renames, deletions and interruptions, search finds what exists."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from store.kinds.kind import Shelf
from store.kinds.memories import BODIES, HEADS
from store.kinds.messages import TEXTS
from store.records.reports import Progress
from store.search.tree import Text
from store.text import holds
from tests.examples import examples
from tests.store.catalogue.search.question import rows
from tests.store.catalogue.stores import Shelf as Stores
from tests.store.catalogue.stores import memory, write
from tests.store.catalogue.words.shelved import catalogue, check, cut_off_between
from tests.store.formats import transcripts_stores as told

WORDS = (
    *("redis", "Redis", "distil", "is", "RE", "é", "日本語", "Ωmega", "x-y", "yŁódź"),
    *("lodz", "-ŁÓDŹ", "straße", "Strasse", "ﬁsh", "fi", "a-ß", "æo", "AE", ""),
)
"""What texts are made of: words that are parts of one another, and some that fold."""

SAID = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
PARTS = st.slices(6)
NUMBERS = st.integers(1, 4)


class Index(RuleBasedStateMachine):
    """Changing stores, and a catalogue that follows."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.place = Path(self.folder.name) / "stores"
        (self.place / "a/episodes").mkdir(parents=True)
        write(self.place / "a", "graph/fixes/always.md", memory(0, title="stays"))
        self.shelf = Stores(self.place.with_name("catalogue.db"), self.place)
        self.lines = 0
        self.read = False

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(number=NUMBERS, title=SAID, body=SAID)
    def write(self, number: int, title: str, body: str) -> None:
        """Create or rewrite a memory."""
        text = memory(number, title=title, body=body)
        write(self.place / "a", f"graph/fixes/{number}.md", text)

    @rule(number=NUMBERS, other=NUMBERS)
    def rename(self, number: int, other: int) -> None:
        """Rename a memory's file, maybe over another one."""
        files = self.place / "a/graph/fixes"
        with suppress(FileNotFoundError):
            (files / f"{number}.md").replace(files / f"{other}.md")

    @rule(number=NUMBERS)
    def delete(self, number: int) -> None:
        """Delete a memory."""
        (self.place / f"a/graph/fixes/{number}.md").unlink(missing_ok=True)

    @rule(said=SAID, grows=st.booleans())
    def say(self, said: str, *, grows: bool) -> None:
        """Continue a conversation, maybe its last message."""
        self.lines += not grows
        path = self.place / "projects" / told.SLUG / f"{told.SESSION}.jsonl"
        before = path.read_bytes() if path.exists() else b""
        part = f"{self.lines}-{len(before)}"
        message = told.assistant(
            part, told.says(said), message_id=f"m{self.lines}", second=self.lines
        )
        write(self.place, str(path.relative_to(self.place)), before)
        path.write_bytes(before + told.dumped([message]))

    @rule(number=NUMBERS)
    def cut(self, number: int) -> None:
        """Remove all but the first lines: the file is another one now."""
        path = self.place / "projects" / told.SLUG / f"{told.SESSION}.jsonl"
        if path.exists():
            kept = path.read_bytes().splitlines(keepends=True)[:number]
            write(self.place, str(path.relative_to(self.place)), b"".join(kept))

    @rule()
    def sync(self) -> None:
        """Read the changes; then the index is complete."""
        self.shelf.sync()
        self.read = True
        check(self.shelf.catalogue)

    @rule()
    def break_off(self) -> None:
        """Read the changes, and crash before the index is updated."""
        with suppress(KeyboardInterrupt):
            self.shelf.sync(interrupt)
        self.read = True

    @precondition(lambda self: self.read)
    @rule()
    def break_off_later(self) -> None:
        """Update the index, and crash before its terms are listed."""
        cut_off_between(self.shelf.catalogue)

    @precondition(lambda self: self.read)
    @rule(first=st.sampled_from(WORDS[:-1]), parts=PARTS)
    def find(self, first: str, parts: slice) -> None:
        """Search finds exactly the rows that contain the text."""
        text = first[parts] or first
        with catalogue(self.shelf.catalogue) as connection:
            heads = holding(connection, HEADS, "ref", text)
            bodies = holding(connection, BODIES, "source", text)
            messages = holding(connection, TEXTS, "ref", text)
            memories = connection.execute("SELECT ref, source FROM memories").fetchall()
        wanted = heads | {ref for ref, source in memories if source in bodies}
        with self.shelf.opened() as library:
            found = rows(library, "memories", Text(text))
            assert {row.ref for row in found} == wanted
            assert {r.ref for r in rows(library, "messages", Text(text))} == messages


def holding(
    connection: sqlite3.Connection, shelf: Shelf, column: str, text: str
) -> set[str | int]:
    """The values of a column in the rows that contain a text."""
    found = connection.execute(
        f"SELECT {shelf.table}.{column}, text.text FROM {shelf.texts} AS text "
        f"JOIN {shelf.table} ON {shelf.table}.id = text.id"
    )
    return {value for value, said in found if holds(said, text)}


def interrupt(_progress: Progress) -> None:
    raise KeyboardInterrupt


TestIndex = Index.TestCase
TestIndex.settings = examples(40, steps=20)
