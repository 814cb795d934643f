"""Hostile stores, made by a generator beside the project if it is there."""

import json
from pathlib import Path

import pytest

from store.findings import Flaw, Severity
from store.formats.agent_memory.format import FORMAT
from store.formats.port import Refused, Source
from tests.store.formats.agent_memory_stores import ask, rebuilt, sniffs
from tests.store.formats.contract import tree
from tests.store.formats.hostile import Case, make_hostile

UNTOLD = {"jsonl-empty", "jsonl-gzip"}
"""Stores that nothing in their files tells of."""


class Place:
    """The findings of the format in one store."""

    def __init__(self, store: Path) -> None:
        self.shown: dict[str, list[str]] = {}
        self.flaws: dict[str, list[Flaw]] = {}
        with FORMAT.open(store) as opened:
            for one in opened.scan():
                if isinstance(one, Refused):
                    self.flaws.setdefault(one.path, []).append(one.flaw)
                    continue
                assert isinstance(one, Source)
                found = opened.read(one)
                self.shown[one.path] = [memory.title for memory in found.memories]
                self.flaws.setdefault(one.path, []).extend(found.flaws)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "stores"


@pytest.fixture(scope="module")
def cases(folder: Path) -> list[Case]:
    return make_hostile(folder, "jsonl", "lock")


@pytest.fixture(scope="module")
def hostile(folder: Path, cases: list[Case]) -> Path:
    assert cases
    return folder


def stores(hostile: Path) -> list[Path]:
    """The stores of this format, by name."""
    prefixes = ("jsonl", "lock-", "backup-", "tmp-")
    return [one for one in sorted(hostile.iterdir()) if one.name.startswith(prefixes)]


@pytest.fixture(scope="module")
def places(hostile: Path) -> dict[str, Place]:
    return {store.name: Place(store) for store in stores(hostile)}


def test_every_store_that_can_be_recognised_is(hostile: Path) -> None:
    unknown = {store.name for store in stores(hostile) if not sniffs(store)}
    assert unknown == UNTOLD


def test_every_case_meets_its_expectation(
    cases: list[Case], places: dict[str, Place]
) -> None:
    assert cases
    for case in cases:
        store, _, path = case["path"].partition("/")
        place, expect = places[store], case["expect"]
        flaws = [flaw for p in place.flaws if p == path for flaw in place.flaws[p]]
        codes = {flaw.code for flaw in flaws}
        if path == ".lock" and expect in {"ok", "conflict"}:
            assert codes == {"stale-lock" if expect == "ok" else "locked"}, case["id"]
        elif expect in {"row-error", "refuse"}:
            assert flaws, case["id"]
        assert all(flaw.message for flaw in flaws)


def test_no_canary_is_lost_among_damaged_lines(places: dict[str, Place]) -> None:
    shown = places["jsonl"].shown["core_memories.jsonl"]
    canaries = [title for title in shown if title.startswith("CANARY-LINE-")]
    assert canaries[-1] == "CANARY-LINE-LAST"
    assert canaries[:-1] == [f"CANARY-LINE-{n:03d}" for n in range(len(canaries) - 1)]
    assert len(canaries) >= 60
    for name, place in places.items():
        if name.startswith(("lock-", "backup-", "tmp-")):
            assert place.shown["core_memories.jsonl"] == ["CANARY"]


def test_every_damaged_line_is_reported_with_its_number(
    hostile: Path, cases: list[Case], places: dict[str, Place]
) -> None:
    raw = (hostile / "jsonl" / "core_memories.jsonl").read_bytes().split(b"\n")
    told = {flaw.line for flaw in places["jsonl"].flaws["core_memories.jsonl"]}
    of_lines = [one for one in cases if one["path"] == "jsonl/core_memories.jsonl"]
    damaged = [n for n, one in enumerate(of_lines) if one["expect"] == "row-error"]
    assert len(raw) == 2 * len(of_lines) + 1
    assert {2 * number + 2 for number in damaged} <= told


def test_a_sound_line_is_never_an_error(
    cases: list[Case], places: dict[str, Place]
) -> None:
    of_lines = [one for one in cases if one["path"] == "jsonl/core_memories.jsonl"]
    sound = {2 * n + 2 for n, one in enumerate(of_lines) if one["expect"] == "ok"}
    errors = {
        flaw.line
        for flaw in places["jsonl"].flaws["core_memories.jsonl"]
        if flaw.severity is Severity.ERROR
    }
    assert sound.isdisjoint(errors)


def test_reports_and_rebuilding_survive_every_store(hostile: Path) -> None:
    before = tree(hostile)
    for store in stores(hostile):
        for question in FORMAT.reports:
            for row in ask(store, question.name):
                assert row
        assert json.loads(rebuilt(store).after)["version"] == "1.0.0"
    assert tree(hostile) == before
