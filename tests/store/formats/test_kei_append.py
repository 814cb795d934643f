"""Lines appended to the kit's journals; everything else stays unchanged."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.draft import AppendStep, Draft
from store.edits.engine import Engine
from store.errors import NotPossibleError
from store.findings import Json
from store.formats.kei.edit import APPEND_ONLY, TRACES_STAY
from store.formats.kei.format import FORMAT
from store.kinds.journals import Measure
from store.machine import Places
from store.records.intents import Append, Delete, Set
from store.times import parse
from tests.examples import USUAL, examples
from tests.store.formats.kei_stores import CLAIMS, SID, TASKS, jsonl, read_all, write
from tests.store.formats.unknown import Unknown

NOW = parse("2026-04-29T05:00:00Z").micros or 0


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store = tmp_path / "memory"
    write(store, TASKS, jsonl({"kind": "start", "name": "a", "ts": "x"}).rstrip("\n"))
    return store


def drafted(store: Path, kind: str, **fields: Json) -> Draft:
    with FORMAT.scribe(store) as scribe:
        return scribe.draft(Append(kind=kind, fields=fields), (), Unknown(), NOW)


def added(store: Path, kind: str, **fields: Json) -> Draft:
    draft = drafted(store, kind, **fields)
    beside = store.parent
    places = Places(beside / "cache", beside / "state", beside / "config")
    with Engine(places, lambda: NOW) as engine:
        engine.apply(store, draft)
    return draft


def test_a_task_is_appended_as_agents_write_it(store: Path) -> None:
    before = (store / TASKS).read_bytes()
    draft = added(
        store,
        "task",
        source="~/notes",
        name="wave10",
        end_epoch=1777438665,
        start_epoch=1777438080,
        metric={"new": 25},
    )

    assert draft.action == "append the task “wave10”"
    assert (store / TASKS).read_bytes() == before + (
        b'\n{"kind":"task","name":"wave10","start_epoch":1777438080,'
        b'"end_epoch":1777438665,"duration_s":585,"metric":{"new":25},'
        b'"source":"~/notes","ts":"2026-04-29T05:00:00Z"}\n'
    )
    measures = read_all(store)[TASKS].measures
    assert [(one.name, one.duration_s) for one in measures] == [
        ("a", None),
        ("wave10", 585),
    ]


def test_a_claim_is_appended_as_the_kit_writes_it(store: Path) -> None:
    fields: dict[str, Json] = {
        "session_id": SID,
        "pointer": "tasks.jsonl#wave10",
        "evidence_tier": "FROM-JOURNAL",
        "value": "wave 10 – 585 s",
    }
    added(store, "claim", **fields)

    assert (store / CLAIMS).read_text("utf-8") == (
        '{"kind":"claim","value":"wave 10 – 585 s","evidence_tier":"FROM-JOURNAL",'
        '"pointer":"tasks.jsonl#wave10","ts":"2026-04-29T05:00:00Z",'
        f'"session_id":"{SID}"}}\n'
    )
    (claim,) = read_all(store)[CLAIMS].measures
    assert claim.fields["points_to"] == {"file": "tasks.jsonl", "id": "wave10"}


def test_the_same_claim_is_not_appended_twice_in_a_row(store: Path) -> None:
    fields: dict[str, Json] = {"evidence_tier": "REAL", "value": "x", "pointer": "y"}
    added(store, "claim", **fields)

    again = drafted(store, "claim", **fields)

    assert again.steps == ()
    assert "already the last line" in again.warnings[0]


def test_a_rotated_journal_is_the_one_that_grows(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = store.parent / "home"
    journal = write(home, "elsewhere/mine.jsonl", b"")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("KEI_TLOG_JOURNAL", str(journal))
    own = home / ".claude" / "memory"
    write(own, CLAIMS, b"{}\n")

    added(own, "task", name="x", duration_s=1)

    assert json.loads(journal.read_bytes())["name"] == "x"
    assert not (own / TASKS).exists()


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("task", {}, "needs a `name`"),
        ("task", {"name": "x"}, "a `duration_s`"),
        ("task", {"name": "x", "duration_s": 1, "metric": 3}, "must be a map"),
        (
            "task",
            {"name": "x", "start_epoch": 5, "end_epoch": 3},
            "ends before it starts",
        ),
        ("task", {"name": "x", "start_epoch": "5"}, "whole number"),
        ("task", {"name": "x", "duration_s": 1, "id": "y"}, "Unknown field 'id'"),
        ("task", {"name": "x", "duration_s": 1, "ts": "now"}, "Invalid `ts`"),
        ("claim", {"value": "x"}, "choose from REAL"),
        ("claim", {"evidence_tier": "REAL"}, "needs a `pointer`"),
        ("claim", {"evidence_tier": "REAL", "pointer": 3}, "must be text"),
        (
            "claim",
            {"evidence_tier": "REAL", "pointer": "x", "value": "y" * 61},
            "the limit is 60",
        ),
        ("session", {}, "append-only"),
    ],
)
def test_values_that_its_writers_would_not_write_are_refused(
    store: Path, kind: str, fields: dict[str, Json], why: str
) -> None:
    with pytest.raises(NotPossibleError, match=why):
        drafted(store, kind, **fields)


def test_existing_lines_stay(store: Path) -> None:
    measure = Measure(
        ref="measure:1",
        store=str(store),
        kind="task",
        name="a",
        id=None,
        session=None,
        start=None,
        end=None,
        duration_s=None,
        exit=None,
        metric=None,
        source=None,
        at=None,
        pointer=None,
        points_to=None,
        path=TASKS,
        line=1,
    )
    with FORMAT.scribe(store) as scribe:
        assert scribe.possible(None) == {"append": ""}
        assert scribe.possible(measure)["edit"] == APPEND_ONLY
        for intent in (Delete(), Set(name="name", value="b")):
            with pytest.raises(NotPossibleError, match="append-only"):
                scribe.draft(intent, [measure], Unknown(), NOW)
        with pytest.raises(NotPossibleError, match="append-only"):
            scribe.form(measure)
    assert "doesn't allow" in TRACES_STAY


@examples(USUAL, keeps_fixtures=True)
@given(before=st.binary(max_size=40), name=st.text(min_size=1, max_size=10))
def test_a_journal_with_any_content_only_grows(
    store: Path, before: bytes, name: str
) -> None:
    (store / TASKS).write_bytes(before)

    (step,) = drafted(store, "task", name=name, duration_s=1.5).steps

    assert isinstance(step, AppendStep)
    after = before + step.lines
    lines = after.split(b"\n")
    assert lines[-1] == b""
    assert json.loads(lines[-2])["name"] == name
