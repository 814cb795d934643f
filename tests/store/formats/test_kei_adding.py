"""Lines added to the journals of the kit; everything else stays as it was written."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.edits.draft import AppendStep, Draft
from store.edits.engine import Engine
from store.edits.refusals import NotPossibleError
from store.findings import Json
from store.formats.kei import FORMAT
from store.formats.kei.scribe.scribe import ONLY_ADDED_TO, TRACES_STAY
from store.places import Places
from store.records.intents import Append, Delete, Set
from store.records.measure import Measure
from store.times import parse
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


def test_a_task_is_told_as_agents_tell_it(store: Path) -> None:
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


def test_a_claim_is_told_as_the_kit_tells_it(store: Path) -> None:
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


def test_the_very_claim_that_stands_last_is_not_added_again(store: Path) -> None:
    fields: dict[str, Json] = {"evidence_tier": "REAL", "value": "x", "pointer": "y"}
    added(store, "claim", **fields)

    again = drafted(store, "claim", **fields)

    assert again.steps == ()
    assert "stands there already" in again.warnings[0]


def test_a_journal_that_was_moved_is_the_one_that_grows(
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
        ("task", {"name": "x"}, "needs its `duration_s`"),
        ("task", {"name": "x", "duration_s": 1, "metric": 3}, "ought to be a map"),
        ("task", {"name": "x", "start_epoch": 5, "end_epoch": 3}, "before it begins"),
        ("task", {"name": "x", "start_epoch": "5"}, "whole number"),
        ("task", {"name": "x", "duration_s": 1, "id": "y"}, "no field 'id'"),
        ("task", {"name": "x", "duration_s": 1, "ts": "now"}, "ought to be like"),
        ("claim", {"value": "x"}, "one of REAL"),
        ("claim", {"evidence_tier": "REAL"}, "needs a `pointer`"),
        ("claim", {"evidence_tier": "REAL", "pointer": 3}, "to be text"),
        (
            "claim",
            {"evidence_tier": "REAL", "pointer": "x", "value": "y" * 61},
            "60 are kept",
        ),
        ("session", {}, "only ever added to"),
    ],
)
def test_what_its_writers_would_not_write_is_refused(
    store: Path, kind: str, fields: dict[str, Json], why: str
) -> None:
    with pytest.raises(NotPossibleError, match=why):
        drafted(store, kind, **fields)


def test_what_is_there_stays(store: Path) -> None:
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
        assert scribe.possible(measure)["edit"] == ONLY_ADDED_TO
        for intent in (Delete(), Set(name="name", value="b")):
            with pytest.raises(NotPossibleError, match="only ever added to"):
                scribe.draft(intent, [measure], Unknown(), NOW)
        with pytest.raises(NotPossibleError, match="only ever added to"):
            scribe.form(measure)
    assert "forbids" in TRACES_STAY


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=st.binary(max_size=40), name=st.text(min_size=1, max_size=10))
def test_whatever_a_journal_holds_it_only_grows(
    store: Path, before: bytes, name: str
) -> None:
    (store / TASKS).write_bytes(before)

    (step,) = drafted(store, "task", name=name, duration_s=1.5).steps

    assert isinstance(step, AppendStep)
    after = before + step.lines
    lines = after.split(b"\n")
    assert lines[-1] == b""
    assert json.loads(lines[-2])["name"] == name
