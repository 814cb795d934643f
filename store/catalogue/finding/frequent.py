"""Which memories have a tag or a word, told by the index; so how many they are."""

from store.catalogue.finding.asked import Asked
from store.catalogue.rows.cells import json_text
from store.catalogue.words.match import match
from store.catalogue.words.shelves import BODIES, MEMORIES, Shelf
from store.search.similar import is_pair

_FEW = 500
"""What stands in more memories is taken to stand in all, if those are many."""

_SHARE = 100
"""One of so many, likewise."""

_SEEN = "memories.store IN (SELECT value FROM json_each(:stores))"

_HAS_TAG = "EXISTS (SELECT 1 FROM json_each(memories.tags) WHERE same(value, :tag))"

_OF_BODY = (
    "SELECT memories.id FROM bodies JOIN memories ON memories.source = bodies.source "
    "AND coalesce(memories.line, 0) = bodies.line "
    f"WHERE bodies.id IN (SELECT value FROM json_each(:rows)) AND {_SEEN}"
)
_OF_HEAD = (
    "SELECT memories.id FROM memories "
    f"WHERE memories.id IN (SELECT value FROM json_each(:rows)) AND {_SEEN}"
)


class Index:
    """Tells memories by their tags and words, and asks for each of these once.

    It knows rows that were indexed; those that are being read now are not among them.
    """

    def __init__(self, asked: Asked) -> None:
        self._connection = asked.reader.connection
        self._vocabulary = asked.shelves.vocabulary
        self._stores = json_text(asked.reader.stores_seen)
        self._memories = len(self._rows(f"SELECT id FROM memories WHERE {_SEEN}"))
        self._tagged: dict[str, frozenset[int]] = {}
        self._worded: dict[str, frozenset[int] | None] = {}

    @property
    def memories(self) -> int:
        """How many memories there are."""
        return self._memories

    def with_tag(self, tag: str) -> int:
        """How many of them have a tag; it is folded."""
        return len(self.rows_with_tag(tag))

    def with_word(self, word: str) -> int:
        """How many of them have a word in title or text; it is folded."""
        rows = self._of_word(word)
        return self.memories if rows is None else len(rows)

    def rows_with_tag(self, tag: str) -> frozenset[int]:
        """The memories that have a tag."""
        if tag not in self._tagged:
            question = f"SELECT memories.id FROM memories WHERE {_HAS_TAG} AND {_SEEN}"
            words = self._expression(MEMORIES, tag)
            if words is not None:
                question += (
                    f" AND memories.id IN (SELECT rowid FROM {MEMORIES.words} "
                    f"WHERE {MEMORIES.words} MATCH :words)"
                )
            self._tagged[tag] = self._rows(question, tag=tag, words=words)
        return self._tagged[tag]

    def rows_with_word(self, word: str) -> frozenset[int]:
        """The memories that have a word; none where these are many."""
        return self._of_word(word) or frozenset()

    def _of_word(self, word: str) -> frozenset[int] | None:
        """The memories that have a word; None where these are many."""
        if word not in self._worded:
            heads, bodies = self._few(MEMORIES, word), self._few(BODIES, word)
            self._worded[word] = (
                None
                if heads is None or bodies is None
                else self._rows(_OF_HEAD, rows=heads)
                | self._rows(_OF_BODY, rows=bodies)
            )
        return self._worded[word]

    def _few(self, shelf: Shelf, word: str) -> str | None:
        """The rows of a shelf that hold a word, as JSON; None where these are many."""
        expression = self._expression(shelf, word)
        if expression is None:
            return None
        most = max(_FEW, self.memories // _SHARE)
        rows = self._connection.execute(
            f"SELECT rowid FROM {shelf.words} WHERE {shelf.words} MATCH ? LIMIT ?",
            (expression, most + 1),
        ).fetchall()
        return None if len(rows) > most else json_text([row for (row,) in rows])

    def _expression(self, shelf: Shelf, word: str) -> str | None:
        """What to ask a shelf for a whole word, or for a part of an unspaced one."""
        text = word if is_pair(word) else f" {word} "
        return match(self._connection, self._vocabulary, shelf, text).expression

    def _rows(self, question: str, **values: str | None) -> frozenset[int]:
        named = {**values, "stores": self._stores}
        return frozenset(row for (row,) in self._connection.execute(question, named))
