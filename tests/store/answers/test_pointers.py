"""Targets of pointers: records, files of stores, and never anything outside."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.catalogue.provenance import Pointer
from store.kinds.journals import Measure
from store.library import Library
from store.records.answers import Lead
from tests.store.answers.journals import claim, make, opened, rows
from tests.store.formats.kei_stores import SID, TRACE

POINTERS = {
    "by name": "tasks.jsonl#audit-kiln",
    "by a name behind the tier": "REAL:tasks.jsonl#audit-kiln",
    "by a line": "time-metrics/tasks.jsonl:2",
    "by another line": "tasks.jsonl#L2",
    "by a session": SID,
    "by an event": f"{TRACE}:2",
    "by a file": "audit-backlog.md",
    "nowhere": "tasks.jsonl#audit-moon",
    "by feeling": "how I felt in May",
    "by an address": "https://example.org/kiln",
    "outside": "/etc/hostname",
    "far outside": "../../../../../etc/hostname",
    "empty": "",
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    store = make(tmp_path, *(claim(name, at) for name, at in POINTERS.items()))
    (store / "audit-backlog.md").write_text("- [LOGGED 2026-02-01] fire ×2\n")
    with opened(tmp_path, store) as library:
        yield library


def lead(library: Library, name: str) -> Lead:
    """The target of the claim with a name."""
    found = library.reports.leads(
        "measures", rows(library, "measures", f'metric:"{name}"')
    )
    asked = [
        one
        for one in library.lists.numbered(
            "measures", rows(library, "measures", "kind:claim")
        ).values()
        if isinstance(one, Measure) and one.metric == name
    ]
    return found[asked[0].ref]


@pytest.mark.parametrize(
    "name", ["by name", "by a name behind the tier", "by a line", "by another line"]
)
def test_a_task_is_found_by_name_and_by_line(library: Library, name: str) -> None:
    ref = lead(library, name).ref
    assert ref is not None
    row = library.lists.number("measures", ref)
    assert row is not None
    found = library.lists.numbered("measures", [row])[row]
    assert isinstance(found, Measure)
    assert (found.kind, found.name) == ("task", "audit-kiln")


def test_listed_claims_have_a_proof_by_its_name(library: Library) -> None:
    claims = rows(library, "measures", "kind:claim")
    told = {
        str(one.metric): one.points_to
        for one in library.lists.numbered("measures", claims).values()
        if isinstance(one, Measure)
    }
    assert told["by name"] == told["by a name behind the tier"]
    assert told["by name"] == lead(library, "by name").ref
    assert told["nowhere"] is None


def test_a_sign_of_a_pointer_means_that_sign(tmp_path: Path) -> None:
    named = {"a line": "task_.jsonl#audit-kiln", "all": "%.jsonl#audit-kiln"}
    store = make(tmp_path, *(claim(name, at) for name, at in named.items()))
    with opened(tmp_path, store) as library:
        claims = rows(library, "measures", "kind:claim")
        told = {
            str(one.metric): one.points_to
            for one in library.lists.numbered("measures", claims).values()
            if isinstance(one, Measure)
        }
    assert {name: told[name] for name in named} == dict.fromkeys(named)


def test_sessions_and_lines_of_traces_are_found(library: Library) -> None:
    for name in ("by a session", "by an event"):
        ref = lead(library, name).ref
        assert ref is not None
        assert ref.partition(":")[0] in {"conversation", "event", "measure"}


def test_a_file_of_the_store_is_a_file(library: Library) -> None:
    found = lead(library, "by a file")
    assert found.is_here
    assert found.ref is not None or found.path == "audit-backlog.md"


@pytest.mark.parametrize("name", ["nowhere", "by feeling", "empty"])
def test_a_missing_target_resolves_to_nothing(library: Library, name: str) -> None:
    found = lead(library, name)
    assert not found.path
    assert found.ref is None or name == "empty"


@pytest.mark.parametrize("name", ["by an address", "outside", "far outside"])
def test_a_target_outside_is_only_named(library: Library, name: str) -> None:
    found = lead(library, name)
    assert not found.is_here
    assert found.outside


def test_a_link_that_leads_out_is_not_a_file_of_the_store(tmp_path: Path) -> None:
    store = make(tmp_path, claim("linked", "notes/out.md"))
    (store / "notes").mkdir()
    outside = tmp_path / "elsewhere.md"
    outside.write_text("secret")
    (store / "notes" / "out.md").symlink_to(outside)
    with opened(tmp_path, store) as library:
        assert not lead(library, "linked").is_here


def test_events_and_agents_have_targets(library: Library) -> None:
    for kind in ("events", "agents"):
        found = library.reports.leads(kind, rows(library, kind, ""))
        assert len(found) == library.lists.count(kind)


@given(st.text(max_size=200))
def test_any_text_is_a_pointer(text: str) -> None:
    pointer = Pointer.of(text)
    assert len(pointer.text) <= len(text)
    assert pointer.line is None or pointer.line >= 0


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_no_text_is_too_odd_to_resolve(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = make(Path(folder))
        with opened(Path(folder), store) as library:
            for text in texts:
                found = library.reports.lead_to(str(store), text)
                assert found.outside == ""
