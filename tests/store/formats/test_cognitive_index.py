from pathlib import Path

import pytest

from store.findings import Claim, Severity, Side
from store.formats.cognitive.derived import read_index
from tests.store.formats.cognitive_stores import (
    DROPS,
    EDGE,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    blob,
    codes,
    facts,
    index,
    make_small_store,
    read,
    write,
)


def test_the_index_copies_headers_and_edges() -> None:
    findings = read_index("_index.json", blob(index()))
    first = findings.index[0]
    assert (first.key, first.path) == (f"id:{TIMEOUTS}", TIMEOUTS_PATH)
    assert first.facts == {
        "title": "Fixed Redis connection timeouts",
        "type": "solution",
        "tags": "redis, timeout",
        "importance": "0.8",
        "confidence": "0.9",
        "created": "2025-12-06T16:25:58+00:00",
        "updated": "2025-12-07T08:00:00+00:00",
        "path": TIMEOUTS_PATH,
        "relations": "",
        "preview": "Added socket_keepalive=True.",
    }
    assert findings.claims == (
        Claim(
            start=f"id:{TIMEOUTS}",
            end=f"id:{DROPS}",
            type="SOLVES",
            side=Side.INDEX,
            edge_id=EDGE,
            strength=0.8,
            path=EDGE_PATH,
        ),
    )
    assert facts(findings) == {
        "version": "2",
        "updated": "2025-12-13T10:30:00+00:00",
        "count": "3",
        "schema": "3, with edge files",
        "entries": "3",
        "edges": "1",
    }
    assert codes(findings) == []


def test_an_index_of_version_1_has_no_edges() -> None:
    old = {**index(), "version": 1}
    del old["edges"]
    findings = read_index("_index.json", blob(old))
    assert len(findings.index) == 3
    assert findings.claims == ()
    assert facts(findings)["schema"] == "2, without edge files"
    assert codes(findings) == []


@pytest.mark.parametrize(
    ("raw", "code", "severity"),
    [
        (b"", "damaged-json", Severity.ERROR),
        (b"[]", "damaged-json", Severity.ERROR),
        (b'{"version": 2, "entries": {', "damaged-json", Severity.ERROR),
        (b'{"version": 2, "entries": [1]}', "damaged-json", Severity.ERROR),
        (b'{"version": 2, "edges": 7}', "damaged-json", Severity.ERROR),
        (b"[" * 100_000 + b"]" * 100_000, "damaged-json", Severity.ERROR),
        (b'{"version": 2, "count": NaN}', "bad-count", Severity.ERROR),
        (b'{"version": 2, "count": 9}', "index-count", Severity.WARNING),
        (b'{"version": 99, "entries": {}}', "unknown-version", Severity.WARNING),
        (b'{"entries": {}}', "unknown-version", Severity.WARNING),
        (b'{"version": 2, "entries": {"a": 1}}', "bad-entry", Severity.WARNING),
    ],
)
def test_a_damaged_index_is_a_flaw(raw: bytes, code: str, severity: Severity) -> None:
    findings = read_index("_index.json", blob(raw))
    assert [(f.code, f.severity) for f in findings.flaws] == [(code, severity)]


def test_a_truncated_index_is_not_trusted() -> None:
    findings = read_index("_index.json", blob(index(), whole=False))
    assert codes(findings) == ["too-large"]
    assert findings.index == ()


def test_a_broken_index_is_reported_with_its_line() -> None:
    findings = read_index("_index.json", blob(b'{"version": 2,\n"entries": {\n'))
    assert findings.flaws[0].line == 3


@pytest.mark.parametrize("path", ["../x.md", "/etc/passwd", "", "a\0.md", 7, ["a.md"]])
def test_an_entry_that_leads_out_is_reported(path: object) -> None:
    value = {"version": 2, "entries": {TIMEOUTS: {"title": "T", "path": path}}}
    findings = read_index("_index.json", blob(value))
    (entry,) = findings.index
    assert entry.path is None
    assert codes(findings) == ["link-leads-out"]
    assert TIMEOUTS in findings.flaws[0].message


def test_duplicate_entries_are_reported() -> None:
    same = {"path": "graph/fixes/a.md"}
    value = {"version": 2, "entries": {"a": same, "b": same, "A": {"title": "T"}}}
    findings = read_index("_index.json", blob(value))
    assert len(findings.index) == 3
    assert codes(findings) == ["double-entry", "double-entry"]


@pytest.mark.parametrize(
    ("edge", "noted"),
    [
        ({"from_id": "a", "type": "SOLVES"}, ["edge-without-ends"]),
        ({"from_id": "a", "to_id": "b", "strength": "x"}, ["bad-strength"]),
        ({"from_id": "a", "to_id": "b", "strength": 1.5}, ["bad-strength"]),
        ({"from_id": "a", "to_id": "b", "path": "../x.md"}, ["link-leads-out"]),
        ({"from_id": "a", "to_id": "b"}, []),
    ],
)
def test_invalid_edges_of_an_index(edge: dict[str, object], noted: list[str]) -> None:
    findings = read_index("_index.json", blob({"version": 2, "edges": {"e": edge}}))
    assert len(findings.claims) == (0 if noted == ["edge-without-ends"] else 1)
    assert codes(findings) == noted


def test_a_damaged_index_loses_no_memory(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    before = read(tmp_path, TIMEOUTS_PATH)
    write(tmp_path, "_index.json", '{"version": 2, "entries": {')
    assert read(tmp_path, TIMEOUTS_PATH) == before
    (tmp_path / "_index.json").unlink()
    assert read(tmp_path, TIMEOUTS_PATH) == before
