"""Any growing file read in any pieces gives the same as reading it at once."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.kei import format as kei
from store.formats.transcripts import format as transcripts_format
from store.library import Page
from tests.examples import examples
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.test_transcripts_history import typed
from tests.store.formats.transcripts_generated import transcripts
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    answers,
    assistant,
    at,
    calls,
    dumped,
    says,
    thinks,
    user,
)

AGENT = "a0123456789abcdef"


class Place(NamedTuple):
    """A growing file, and the files it needs beside it."""

    path: str
    role: str
    beside: str = ""


TRANSCRIPTS = [
    Place(f"projects/{SLUG}/{SESSION}.jsonl", "transcript"),
    Place(f"projects/{SLUG}/by-hand.jsonl", "transcript"),
    Place(f"projects/{SLUG}/agent-{AGENT}.jsonl", "agent"),
    Place(f"projects/{SLUG}/{SESSION}/subagents/agent-{AGENT}.jsonl", "agent"),
    Place(f"projects/{SLUG}/{SESSION}/subagents/w/journal.jsonl", "journal"),
    Place(f"kei/traces/{SESSION}.jsonl", "trace", "kei/time-metrics/tasks.jsonl"),
]
JOURNALS = [
    Place("kei/time-metrics/sessions.jsonl", "figures", f"kei/traces/{SESSION}.jsonl"),
    Place("kei/agent-events.jsonl", "agent-events", f"kei/traces/{SESSION}.jsonl"),
]


HISTORY = Place("history.jsonl", "history", f"projects/{SLUG}/{SESSION}.jsonl")


BESIDE: Line = {"kind": "session", "id": "s", "duration_s": 1, **user("b", "Beside.")}
"""What makes a store of a folder, be it a trace or a journal."""


def test_every_growing_file_is_covered() -> None:
    growing = {*transcripts_format.GROWING, *(role.value for role in kei.GROWING)}

    assert {place.role for place in (*TRANSCRIPTS, *JOURNALS, HISTORY)} == growing


def everything(shelf: Shelf) -> object:
    """Every record with its links and its file's content."""
    with shelf.opened() as library:
        conversations = [
            each.ref or "" for each in library.lists.page("conversations", Page())
        ]
        messages = [each.ref or "" for each in library.lists.page("messages", Page())]
        opened = [library.records.show(ref) for ref in conversations]
        links = [list(library.records.links(ref)) for ref in conversations]
        whole = [library.records.show(ref) for ref in messages]
    return shelf.everything(), opened, links, whole, shelf.rows(), _cells(shelf)


_RESOLVED = (
    "SELECT messages.ref, line, kind, role, at, at_micros, until_micros, offset, "
    "tokens, tools, calls, answers, errors, entries, flags, text, "
    "envelopes.session, cwd, branch, model FROM messages LEFT JOIN envelopes "
    "ON envelopes.source = messages.source AND envelopes.number = messages.envelope "
    "ORDER BY messages.ref"
)


def _cells(shelf: Shelf) -> list[object]:
    """The catalogue's data about messages, beyond what records show."""
    with closing(sqlite3.connect(shelf.catalogue)) as connection:
        return connection.execute(_RESOLVED).fetchall()


def grown(folder: Path, place: Place, stages: list[bytes], piece: int) -> None:
    """Read a file stage by stage, comparing each with a fresh catalogue."""
    if place.beside:
        write(folder, f"stores/{place.beside}", dumped([BESIDE]))
    write(folder, f"stores/projects/{SLUG}/main.jsonl", dumped([user("m", "Main.")]))
    shelf = Shelf(folder / "cache/catalogue.db", folder / "stores")
    for number, raw in enumerate(stages):
        write(folder, f"stores/{place.path}", raw)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("store.formats.growing.PIECE", piece)
            shelf.sync()
        fresh = Shelf(folder / f"fresh-{number}.db", folder / "stores")
        fresh.sync()
        assert everything(shelf) == everything(fresh)


def stages_of(raw: bytes, cuts: list[int]) -> list[bytes]:
    """A file at successive moments, the last of them complete."""
    ends = sorted({cut % len(raw) for cut in cuts})
    return [*(raw[:end] for end in ends if end), raw]


cuts = st.lists(st.integers(0, 100_000), max_size=3)
pieces = st.sampled_from([1, 400, 2_000, 100_000])


@st.composite
def sittings(draw: st.DrawFn) -> bytes:
    """A transcript of several sittings; some lines are late, or answer earlier ones."""
    minute, lines = 600, list[Line]()
    kinds = st.sampled_from(["asks", "says", "calls", "fails", "titles", "queues"])
    pauses = st.sampled_from([1, 1, 1, 40, 70, 300, -90])
    pairs = st.lists(st.tuples(kinds, pauses), min_size=4, max_size=24)
    for name, (kind, pause) in enumerate(draw(pairs)):
        minute = max(0, minute + pause)
        hour = f"2026-03-{1 + minute // 1440:02}T{minute % 1440 // 60:02}"
        when = f"{hour}:{minute % 60:02}:00.000Z"
        call = f"t{draw(st.integers(0, name))}"
        write_it = calls(f"t{name}", "Write", file_path=f"/home/mira/{name}.md")
        made: dict[str, Line] = {
            "asks": user(name, f"Question {name}"),
            "says": assistant(name, says("Yes."), message_id=call),
            "calls": assistant(name, write_it),
            "fails": user(name, [answers(call, "no", is_error=True)]),
            "titles": {"type": "custom-title", "customTitle": call},
            "queues": {
                "type": "queue-operation",
                "content": "More.",
                "operation": draw(st.sampled_from(["enqueue", "remove"])),
            },
        }
        lines.append({"sessionId": SESSION, **made[kind], "timestamp": when})
    return dumped(lines)


@given(raw=sittings(), cuts=cuts, piece=pieces)
@examples(6)
def test_conversations_that_grow_one_after_the_other(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, cuts: list[int], piece: int
) -> None:
    folder = tmp_path_factory.mktemp("sittings")
    grown(folder, TRANSCRIPTS[0], stages_of(raw, cuts), piece)


@pytest.mark.parametrize("place", TRANSCRIPTS, ids=lambda place: place.path[-40:])
@given(raw=transcripts(), cuts=cuts, piece=pieces)
@examples(6)
def test_transcripts(
    tmp_path_factory: pytest.TempPathFactory,
    place: Place,
    raw: bytes,
    cuts: list[int],
    piece: int,
) -> None:
    folder = tmp_path_factory.mktemp("grown")
    grown(folder, place, stages_of(raw, cuts), piece)


@pytest.mark.parametrize("place", TRANSCRIPTS, ids=lambda place: place.path[-40:])
def test_messages_that_share_a_line(tmp_path: Path, place: Place) -> None:
    written = calls("toolu_1", "Write", file_path="b.md")
    later = {"timestamp": at(0).replace("T10:", "T12:")}
    first = [user("a", "Fire it."), assistant("b", thinks("Hm."), message_id="msg")]
    second = [
        assistant("c", says("Done."), message_id="msg"),
        assistant("d", written) | later,
    ]
    joined = [dumped(lines).replace(b"\n", b"") for lines in (first, second)]

    grown(tmp_path, place, [b"\n".join(joined) + b"\n"], 1)


@pytest.mark.parametrize("place", TRANSCRIPTS, ids=lambda place: place.path[-40:])
def test_an_empty_line_before_the_last_is_counted_once(
    tmp_path: Path, place: Place
) -> None:
    first = dumped([user("a", "Fire it.")])
    last = dumped([assistant("b", says("Done."), message_id="msg")])
    more = dumped([user("c", "Glaze it.")]) + b"{\n"

    stages = [first + b"\n" + last[:-1], first + b"\n" + last + more]

    grown(tmp_path, place, stages, 100_000)


def _figures() -> Iterator[Mapping[str, object]]:
    for number in range(3):
        told = {"kind": "session", "id": f"s{number % 2}", "start_epoch": 1772366400}
        yield told | {"duration_s": number, "ts": "2026-03-01T12:00:00Z"}
        yield {"kind": "claim", "value": f"{number} ms", "evidence_tier": "REAL"}
        yield {"kind": "task", "name": "fire", "duration_s": number}
        yield {"event": "tool_use", "id": f"{number}", "tool": "Bash", "agent_id": "a"}
        yield {"event": "agent_spawn", "ts": "2026-03-01T12:00:00Z", "model": "opus"}
        yield {"nothing": "known"}


_figure = st.one_of(
    st.sampled_from([json.dumps(line).encode() for line in _figures()]),
    st.sampled_from([b"{", b"", b"[1]", b'{"kind":"claim"}{"kind":"claim"}', b"\xff"]),
)


@pytest.mark.parametrize("place", JOURNALS, ids=lambda place: place.role)
@given(lines=st.lists(_figure, min_size=1, max_size=8), cuts=cuts, piece=pieces)
def test_journals(
    tmp_path_factory: pytest.TempPathFactory,
    place: Place,
    lines: list[bytes],
    cuts: list[int],
    piece: int,
) -> None:
    raw = b"\n".join(lines) + b"\n"
    folder = tmp_path_factory.mktemp("grown")
    grown(folder, place, stages_of(raw, cuts), piece)


_typed = st.builds(
    typed,
    st.integers(-130, 70),
    st.sampled_from(["Beside.", "/exit", "Bake", "日本", ""]),
    sessionId=st.sampled_from([SESSION, "other", None]),
    project=st.sampled_from(["/home/mira/kiln", "/srv/x", None]),
)


@given(lines=st.lists(_typed, min_size=1, max_size=8), cuts=cuts, piece=pieces)
@examples(12)
def test_prompts(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[Line],
    cuts: list[int],
    piece: int,
) -> None:
    folder = tmp_path_factory.mktemp("grown")
    grown(folder, HISTORY, stages_of(dumped(lines), cuts), piece)


SERIES = ROOT.parent / "shared" / "corpus" / "series"
SESSIONS = sorted(SERIES.glob("*/*")) if SERIES.is_dir() else []


@pytest.mark.skipif(not SESSIONS, reason="the corpus is not beside the project")
@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
@pytest.mark.parametrize("piece", [30_000, 100_000_000])
def test_real_sessions_at_successive_moments(
    tmp_path: Path, session: Path, piece: int
) -> None:
    stages = [stage.read_bytes() for stage in sorted(session.glob("*.jsonl"))]
    place = Place(f"projects/-code-project/{session.name}.jsonl", "transcript")

    grown(tmp_path, place, stages, piece)


@pytest.mark.skipif(not SESSIONS, reason="the corpus is not beside the project")
@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
def test_a_real_session_cut_anywhere(tmp_path: Path, session: Path) -> None:
    raw = max(session.glob("*.jsonl")).read_bytes()
    stages = stages_of(raw, [step * len(raw) // 7 for step in range(1, 7)])
    path = f"projects/-code-project/{session.name}.jsonl"
    folder = tmp_path / "cut"

    grown(folder, Place(path, "transcript"), stages, 50_000)

    shutil.rmtree(folder)
