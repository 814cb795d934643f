import pytest

from store.formats.cognitive.derived import read_state
from tests.store.formats.cognitive_stores import STATE, TIMEOUTS, blob, codes, facts


def test_the_state_has_use_counts() -> None:
    findings = read_state("_state.json", blob(STATE))
    (access,) = findings.accesses
    assert (access.key, access.count, access.score) == (f"id:{TIMEOUTS}", 5, 0.75)
    assert access.last
    assert access.last.text == "2025-12-13T10:15:00+00:00"
    assert facts(findings) == {
        "version": "1",
        "updated": "2025-12-13T10:30:00+00:00",
        "entries": "1",
    }
    assert codes(findings) == []


@pytest.mark.parametrize(
    ("entry", "kept", "noted"),
    [
        ({"access_count": -1}, (0, None, None), ["bad-count"]),
        ({"access_count": "5"}, (0, None, None), ["bad-count"]),
        ({"access_count": True}, (0, None, None), ["bad-count"]),
        ({"access_count": 1.5}, (0, None, None), ["bad-count"]),
        ({"access_count": float("nan")}, (0, None, None), ["bad-count"]),
        ({"access_count": 2**70}, (2**70, None, None), []),
        ({"access_count": 5.0}, (5, None, None), []),
        ({"last_accessed": "never"}, (0, None, None), ["bad-time"]),
        ({"last_accessed": [1]}, (0, None, None), ["bad-time"]),
        ({"last_accessed": 1765620900}, (0, 1765620900000000, None), []),
        ({"last_accessed": None, "decay_score": 999.0}, (0, None, 999.0), []),
        ({"decay_score": "high"}, (0, None, None), ["bad-score"]),
        ({"decay_score": float("inf")}, (0, None, None), ["bad-score"]),
        ({}, (0, None, None), []),
    ],
)
def test_invalid_entries_of_a_state(
    entry: dict[str, object],
    kept: tuple[int, int | None, float | None],
    noted: list[str],
) -> None:
    findings = read_state("s", blob({"version": 1, "entries": {TIMEOUTS: entry}}))
    (access,) = findings.accesses
    last = access.last.micros if access.last else None
    assert (access.count, last, access.score) == kept
    assert codes(findings) == noted


def test_one_bad_entry_loses_no_other() -> None:
    entries = {"a": None, "b": {"access_count": 3}}
    findings = read_state("s", blob({"version": 1, "entries": entries}))
    assert [(a.key, a.count) for a in findings.accesses] == [("id:b", 3)]
    assert codes(findings) == ["bad-entry"]
