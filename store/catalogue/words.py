"""The full-text index: update it, and query it."""

import sqlite3
from collections.abc import Iterator
from threading import Lock

from msgspec import Struct

from store.catalogue.database import transaction
from store.catalogue.schema import CUT, KEPT, SHELVES, TERM
from store.kinds.kind import Shelf
from store.text import fold, is_exact, variants

# Add new rows to the full-text index.

_LEAST, _MOST = 1_000, 10_000
"""Rows to be indexed together while files are read: a quarter of those before, within
these bounds. SQLite writes their words each time, and merges what it wrote."""

_FEW = 5_000
"""The most new rows whose terms are collected separately. For more, all terms are
listed again, which takes time in proportion to the number of terms."""

_SCATTERED = 16
"""The number of term lists of a shelf from which the shorter ones are merged."""

_FRESH = (
    (
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh "
        f"USING fts5(text, content = '', {KEPT})"
    ),
    (
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_terms "
        "USING fts5vocab(temp, fresh, 'row')"
    ),
)
"""A temporary index of a few rows, to get their terms."""


_ALL_TERMS = f"""
    INSERT INTO terms (shelf, terms) SELECT ?1,
        char(10) || coalesce(group_concat({TERM}, char(10)) || char(10), '') FROM {{}}
"""
"""Lists the terms of all rows, which are too many to hold one by one."""


def index_words(connection: sqlite3.Connection) -> None:
    """Index the rows added since the last time, and list their terms."""
    waiting = [shelf for shelf in SHELVES if _rows_since(connection, shelf)]
    if waiting:
        with transaction(connection):
            for shelf in waiting:
                _index(connection, shelf)
                _note_terms(connection, shelf)


def index_much(connection: sqlite3.Connection, enough: int | None = None) -> None:
    """Index rows of the shelves that grow fast, in the transaction that adds them.

    This runs while readers are busy, so hardly any are left when all files are read.
    """
    for shelf in SHELVES:
        before = upto(connection, shelf)
        usual = min(max(_LEAST, before // 4), _MOST)
        if _last(connection, shelf) - before >= (enough or usual):
            _index(connection, shelf)


def upto(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The last indexed row of a shelf."""
    question = "SELECT upto FROM shelved WHERE shelf = ?"
    (row,) = connection.execute(question, (shelf.table,)).fetchone()
    return int(row)


def listed(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The last row of a shelf whose terms are listed."""
    question = "SELECT noted FROM shelved WHERE shelf = ?"
    (row,) = connection.execute(question, (shelf.table,)).fetchone()
    return int(row)


def _last(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The last row of a shelf."""
    question = f"SELECT coalesce(max(id), 0) FROM {shelf.table}"
    return int(connection.execute(question).fetchone()[0])


def _index(connection: sqlite3.Connection, shelf: Shelf) -> None:
    """Index the new rows of a shelf, in a transaction."""
    begin, end = upto(connection, shelf), _last(connection, shelf)
    connection.execute(
        f"INSERT INTO {shelf.words} (rowid, text) SELECT id, text "
        f"FROM {shelf.texts} WHERE id > ? AND id <= ? ORDER BY id",
        (begin, end),
    )
    connection.execute(
        "UPDATE shelved SET upto = ? WHERE shelf = ?", (end, shelf.table)
    )


def _note_terms(connection: sqlite3.Connection, shelf: Shelf) -> None:
    """List the terms of new and changed rows, in a transaction."""
    name = (shelf.table,)
    if _rows_since(connection, shelf) > _FEW:
        connection.execute("DELETE FROM terms WHERE shelf = ?", name)
        connection.execute(_ALL_TERMS.format(shelf.vocabulary), name)
    else:
        _add(connection, shelf, _terms_since(connection, shelf))
    connection.execute("DELETE FROM changed_texts WHERE shelf = ?", name)
    connection.execute("UPDATE shelved SET noted = upto WHERE shelf = ?", name)


def _rows_since(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The number of rows without listed terms, and of older rows that changed."""
    question = (
        f"SELECT (SELECT count(*) FROM (SELECT 1 FROM {shelf.table} "
        "WHERE id > ?1 LIMIT ?3)) "
        "+ (SELECT count(*) FROM changed_texts WHERE shelf = ?2)"
    )
    values = (listed(connection, shelf), shelf.table, _FEW + 1)
    return int(connection.execute(question, values).fetchone()[0])


def _terms_since(connection: sqlite3.Connection, shelf: Shelf) -> list[str]:
    """The terms of new and changed rows."""
    for statement in _FRESH:
        connection.execute(statement)
    connection.execute(
        f"INSERT INTO fresh (rowid, text) SELECT id, text FROM {shelf.texts} "
        "WHERE id > ?1 OR id IN (SELECT row FROM changed_texts WHERE shelf = ?2)",
        (listed(connection, shelf), shelf.table),
    )
    rows = connection.execute(f"SELECT {TERM} FROM fresh_terms")
    terms = [term for (term,) in rows]
    connection.execute("INSERT INTO fresh (fresh) VALUES ('delete-all')")
    return terms


def _add(connection: sqlite3.Connection, shelf: Shelf, terms: list[str]) -> None:
    """Add a list of terms; if there are many, they are merged.

    A list that is longer than all newer ones together is left alone, so that a term
    added to a hundred thousand does not sort all of them.
    """
    question = "SELECT count(*) FROM terms WHERE shelf = ?"
    (count,) = connection.execute(question, (shelf.table,)).fetchone()
    known = set(terms)
    if count >= _SCATTERED:
        question = "SELECT id, terms FROM terms WHERE shelf = ? ORDER BY id DESC"
        length, merged = 0, list[tuple[int]]()
        for row, text in connection.execute(question, (shelf.table,)):
            if merged and len(text) > length and len(merged) >= _SCATTERED // 2:
                break
            known.update(text.split("\n"))
            length += len(text)
            merged.append((row,))
        connection.executemany("DELETE FROM terms WHERE id = ?", merged)
        known.discard("")
    row = (shelf.table, "\n".join(["", *sorted(known), ""]))
    connection.execute("INSERT INTO terms (shelf, terms) VALUES (?, ?)", row)


# The terms of the shelves, cached in memory until they change.

_MANY = 256
"""The most terms to query at once; if more match, a scan is faster."""


class Terms(Struct, frozen=True):
    """A list of terms, one on each line."""

    text: str
    folded: str
    """The terms that fold to others, folded."""
    spelt: dict[str, list[str]]
    """The terms of each folded one."""

    @classmethod
    def of(cls, text: str) -> "Terms":
        """The list with a text."""
        spelt: dict[str, list[str]] = {}
        end = 0
        for place in variants(text):
            if place < end:
                continue
            end = text.find("\n", place)
            term = text[text.rfind("\n", 0, place) + 1 : end]
            if (folded := fold(term)) != term:
                spelt.setdefault(folded, []).append(term)
        return cls(text, "\n".join(["", *spelt, ""]), spelt)

    def holding(self, part: str) -> Iterator[str]:
        """The terms that contain a part, as they are or folded."""
        yield from _lines(self.text, part)
        for folded in _lines(self.folded, part):
            yield from self.spelt[folded]


def _lines(text: str, part: str) -> Iterator[str]:
    """The lines with a part, which may have a newline at its begin or end."""
    place = text.find(part)
    while place >= 0:
        start = text.rfind("\n", 0, place + 1) + 1
        end = text.find("\n", max(place + 1, start))
        yield text[start:end]
        place = text.find(part, end)


class Vocabulary:
    """Finds the terms that contain a part of a word."""

    def __init__(self) -> None:
        self._lists: dict[str, tuple[tuple[int, int], list[Terms]]] = {}

    def holding(
        self, connection: sqlite3.Connection, shelf: Shelf, part: str
    ) -> list[str] | None:
        """The terms that contain a part; None if there are too many.

        A part with a newline at its end only matches at the end of a term. Terms that
        were cut off always match.
        """
        found: set[str] = set()
        for terms in self._terms(connection, shelf):
            if CUT in terms.text:
                cut = terms.text.split("\n")
                found.update(term for term in cut if term.endswith(CUT))
            for term in terms.holding(part):
                found.add(term)
                if len(found) > _MANY:
                    return None
        return sorted(found)

    def folding_to(
        self, connection: sqlite3.Connection, shelf: Shelf, begin: str
    ) -> list[str] | None:
        """The terms that are another one folded, which begins so; None if too many.

        A beginning with a newline at its end is the whole term.
        """
        found: set[str] = set()
        for terms in self._terms(connection, shelf):
            for folded in _lines(terms.folded, f"\n{begin}"):
                found.update(terms.spelt[folded])
                if len(found) > _MANY:
                    return None
        return sorted(found)

    def _terms(self, connection: sqlite3.Connection, shelf: Shelf) -> list[Terms]:
        """The term lists of a shelf, read again if they changed."""
        (count, last) = connection.execute(
            "SELECT count(*), coalesce(max(id), 0) FROM terms WHERE shelf = ?",
            (shelf.table,),
        ).fetchone()
        before, lists = self._lists.get(shelf.table, ((0, 0), []))
        if before != (count, last):
            rows = connection.execute(
                "SELECT terms FROM terms WHERE shelf = ? ORDER BY id", (shelf.table,)
            )
            lists = [Terms.of(terms) for (terms,) in rows]
            self._lists[shelf.table] = ((count, last), lists)
        return lists


# Split text into terms exactly as the index does.

_PROBE = (
    f"CREATE VIRTUAL TABLE temp.probe USING fts5(text, content = '', {KEPT})",
    "CREATE VIRTUAL TABLE temp.probe_terms USING fts5vocab(temp, probe, 'row')",
)


class Term(Struct, frozen=True):
    """A run of letters in a text."""

    text: str
    """The letters as the index has them, folded."""
    is_open_before: bool
    """Whether the text starts with it, so that the word may start earlier."""
    is_open_after: bool
    """Whether the text ends with it, so that the word may continue."""


class Letters:
    """How the index treats each letter.

    ASCII is handled here. Every other character is tried once in a temporary index, so
    as not to duplicate the rules of SQLite. Access is serialized between threads.
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
                terms.append(Term(fold("".join(letters)), begin, is_open_after=False))
                letters = []
            begin = False
        if letters:
            terms.append(Term(fold("".join(letters)), begin, is_open_after=True))
        return [term for term in terms if term.text]

    def _letter(self, character: str) -> str | None:
        """The letter that the index has for a character; None for a separator."""
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
"""The letters known so far, shared by all queries."""


# The index query for the rows of a shelf that may contain a text.
#
# User input reaches the index only as quoted terms that are in the index.


class Match(Struct, frozen=True):
    """The rows that may contain a text."""

    expression: str | None
    """The index query; None if the index cannot help and all rows must be read."""
    is_certain: bool
    """Whether all rows it finds contain the text, without checking them."""


_BEGUN = " *"
"""The mark for the beginning of a term."""

NOWHERE = Match('""', is_certain=True)
"""For a text in no row: an index query without results."""


def match(
    connection: sqlite3.Connection, vocabulary: Vocabulary, shelf: Shelf, text: str
) -> Match:
    """The rows of a shelf that may contain a text."""
    terms = LETTERS.terms(text)
    asked: list[str] = []
    for term in terms:
        known = _known(connection, vocabulary, shelf, term)
        if known == []:
            return NOWHERE
        if known is not None:
            asked.append(f"({' OR '.join(known)})")
    is_word = len(terms) == 1 and terms[0].text == text.lower()
    is_plain = text.isascii() and not is_exact(text)
    is_certain = is_word and is_plain and not any(_BEGUN in one for one in asked)
    return Match(" AND ".join(asked) or None, is_certain)


def _known(
    connection: sqlite3.Connection, vocabulary: Vocabulary, shelf: Shelf, term: Term
) -> list[str] | None:
    """The terms of a shelf that contain a term; None if there are too many.

    A term that begins with it is named if that is possible: SQLite takes three times as
    long to merge all that begin so as to read the rows of the only one.
    """
    part = term.text if term.is_open_after else f"{term.text}\n"
    if term.is_open_before or term.is_open_after:
        begun = part if term.is_open_before else f"\n{part}"
        found = vocabulary.holding(connection, shelf, begun)
        if found is not None or term.is_open_before:
            return None if found is None else [_written(one) for one in found]
    found = vocabulary.folding_to(connection, shelf, part)
    if found is None:
        return None
    itself = f'"{term.text}"{_BEGUN if term.is_open_after else ""}'
    return [itself, *(f'"{one}"' for one in found)]


def _written(term: str) -> str:
    """A listed term in the syntax of index queries."""
    return f'"{term[:-1]}"{_BEGUN}' if term.endswith(CUT) else f'"{term}"'
