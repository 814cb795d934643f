"""Text divided into terms, letter by letter as the index itself divides it."""

import sqlite3
from threading import Lock
from typing import NamedTuple

from store.catalogue.words.shelves import KEPT

_PROBE = (
    f"CREATE VIRTUAL TABLE temp.probe USING fts5(text, content = '', {KEPT})",
    "CREATE VIRTUAL TABLE temp.probe_terms USING fts5vocab(temp, probe, 'row')",
)


class Term(NamedTuple):
    """A run of letters of a text."""

    text: str
    """The letters as the index knows them."""
    is_open_before: bool
    """Whether the text begins with it: the word may have begun earlier."""
    is_open_after: bool
    """Whether the text ends with it: the word may go on."""


class Letters:
    """Tells what the index makes of letters.

    ASCII is plain; of every other character a database is asked once, so that no rule
    of SQLite's is told twice. Threads ask it one after the other.
    """

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}
        self._probe: sqlite3.Connection | None = None
        self._only_one = Lock()

    def terms(self, text: str) -> list[Term]:
        """The terms of a text."""
        terms: list[Term] = []
        letters: list[str] = []
        begin = True
        for character in text:
            letter = self._letter(character)
            if letter is not None:
                letters.append(letter)
                continue
            if letters:
                terms.append(Term("".join(letters), begin, is_open_after=False))
                letters = []
            begin = False
        if letters:
            terms.append(Term("".join(letters), begin, is_open_after=True))
        return [term for term in terms if term.text]

    def _letter(self, character: str) -> str | None:
        """The letter that the index takes a character for; None between two words."""
        if character.isascii():
            return character.lower() if character.isalnum() else None
        with self._only_one:
            if character not in self._known:
                self._known[character] = self._asked(character)
        return self._known[character]

    def _asked(self, character: str) -> str | None:
        """What the index makes of a character between two others."""
        if self._probe is None:
            self._probe = sqlite3.connect(
                ":memory:", isolation_level=None, check_same_thread=False
            )
            for statement in _PROBE:
                self._probe.execute(statement)
        text = f"a{character}a".encode("utf-8", "replace").decode()
        self._probe.execute("INSERT INTO probe (rowid, text) VALUES (1, ?)", (text,))
        rows = self._probe.execute("SELECT term FROM probe_terms").fetchall()
        self._probe.execute("INSERT INTO probe (probe) VALUES ('delete-all')")
        return None if len(rows) != 1 or rows == [("a",)] else str(rows[0][0])[1:-1]


LETTERS = Letters()
"""What is known of letters so far."""
