"""Any page and any database can be read, and pieces add up to the whole."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter import read_page
from store.findings import Findings
from store.formats.claudia.database import Ranges
from store.formats.claudia.format import FORMAT
from store.formats.claudia.read import (
    read_day,
    read_log,
    read_other_page,
    read_sitting,
    read_transcript,
)
from store.formats.port import Source
from store.times import parse
from tests.store.files.sqlite_files import seen
from tests.store.formats.claudia_schema import LEVELS
from tests.store.formats.claudia_stores import database, only, put_together, small

values = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(), st.binary()
).filter(lambda value: not isinstance(value, str) or value.isprintable())

HEADINGS = ("## 1:33 PM – 3:30 PM (EST)", "## Title", "# 24:00", "---", "```", "~~~~")
FIELDS = ("**Topics:** a, b", "**Q:** x", "**Context:** y", "**Mood:**", "title: x")
lines = st.sampled_from(("", "words", *HEADINGS, *FIELDS))


@given(st.binary() | st.lists(lines | st.text()).map(lambda ls: "\n".join(ls).encode()))
def test_any_bytes_are_a_page(raw: bytes) -> None:
    page = read_page(raw)
    for found in (
        read_day("episodes/2026-02/2026-02-20.md", page),
        read_sitting("episodes/2026-02/2026-02-20-1200-7.md", page),
        read_other_page("insights/x.md", page),
        read_log("libby/logs/7.md", page),
        read_transcript("transcripts/7.md", page),
    ):
        assert len(found.documents) == 1
        assert found.documents[0].text == page.body
    day = read_day("episodes/2026-02/2026-02-20.md", page)
    numbers = [episode.line for episode in day.episodes]
    assert numbers == sorted(set(numbers))
    assert bool(numbers) == bool(page.body.strip())


moments = st.integers(0, 30).map(lambda minute: f"2026-02-20T18:{minute:02}:00Z")


@given(st.lists(st.tuples(moments, moments), max_size=6), moments)
def test_the_first_span_that_contains_a_moment_has_it(
    spans: list[tuple[str, str]], moment: str
) -> None:
    rows = [
        {"rowid": n, "source_file": "f", "first_message_at": a, "last_message_at": b}
        for n, (a, b) in enumerate(spans, 1)
    ]
    holding = [
        (first, n)
        for n, (first, last) in enumerate(spans, 1)
        if first <= moment <= last
    ]
    found = Ranges(rows).at("f", parse(moment))

    assert found.is_shared == (len(holding) > 1)
    assert found.conversation == (
        f"conversation:{min(holding)[1]}" if holding else None
    )


rows = st.lists(
    st.tuples(values, values, values, values, values, values), min_size=1, max_size=12
)


@given(rows, st.integers(1, 5), st.sampled_from(LEVELS))
def test_rows_of_any_type_read_in_pieces_are_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    stored: list[tuple[object, ...]],
    size: int,
    level: int,
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    with database(folder, level=level) as made:
        for table in ("memory_conversations", "memory_transcript_entries"):
            made.connection.execute(f"DROP TABLE {table}")
        names = "source_file, session_id, first_message_at, last_message_at, status"
        made.connection.execute(f"CREATE TABLE memory_conversations ({names}, summary)")
        names = "source_file, session_id, timestamp, role, content, tool_names"
        made.connection.execute(f"CREATE TABLE memory_transcript_entries ({names})")
        for table in ("memory_conversations", "memory_transcript_entries"):
            made.connection.executemany(
                f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?)", stored
            )
    whole = only(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("store.formats.claudia.pieces.PIECE", size)
        pieces = only(folder)

    assert len(whole.messages) == len(stored)
    keys = [talk.key for talk in whole.conversations]
    assert len(set(keys)) == len(keys) >= len(stored)
    assert {message.conversation for message in whole.messages} <= set(keys)
    assert pieces == whole


@given(
    st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 7)), max_size=6
    )
)
def test_flipped_bits_give_findings(
    tmp_path_factory: pytest.TempPathFactory, flips: list[tuple[float, int]]
) -> None:
    folder = tmp_path_factory.mktemp("flipped")
    small(folder)
    raw = bytearray((folder / "anima.db").read_bytes())
    for place, bit in flips:
        raw[int(place * len(raw))] ^= 1 << bit
    (folder / "anima.db").write_bytes(raw)
    before = seen(folder)
    with FORMAT.open(folder) as opened:
        for source in [s for s in opened.scan() if isinstance(s, Source)]:
            found = whole_of(opened.read(source))
            assert found.documents or found.flaws
    assert seen(folder) == before


def whole_of(findings: Findings) -> Findings:
    """The findings, which come in one piece."""
    assert not findings.more
    return put_together([findings])


def test_a_table_without_row_numbers_is_a_flaw(tmp_path: Path) -> None:
    small(tmp_path)
    with closing(sqlite3.connect(tmp_path / "anima.db")) as connection, connection:
        connection.execute("DROP TABLE memory_transcript_entries")
        connection.execute(
            "CREATE TABLE memory_transcript_entries"
            " (id TEXT PRIMARY KEY, content TEXT) WITHOUT ROWID"
        )
    found = only(tmp_path)

    assert "unreadable" in {flaw.code for flaw in found.flaws}
    assert len(found.conversations) == 2
