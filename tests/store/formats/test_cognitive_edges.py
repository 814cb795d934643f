from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.findings import Claim, Severity, Side
from store.formats.cognitive.memories import read_wikilinks
from tests.store.formats.cognitive_stores import (
    DROPS,
    EDGE,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    codes,
    edge_text,
    memory_text,
    read,
    relation_text,
)


def relations(root: Path, more: str) -> tuple[list[Claim], list[str]]:
    findings = read(root, TIMEOUTS_PATH, memory_text(more=more))
    return list(findings.claims), codes(findings)


def test_an_outgoing_relation_links_the_memory_to_its_target(
    tmp_path: Path,
) -> None:
    (claim,), noted = relations(tmp_path, relation_text(DROPS, "outgoing"))
    assert claim == Claim(
        start=f"id:{TIMEOUTS}",
        end=f"id:{DROPS}",
        type="SOLVES",
        side=Side.OUTGOING,
        edge_id=EDGE,
        strength=0.8,
        context="Keepalive prevents idle disconnections",
        line=10,
    )
    assert noted == []


def test_an_incoming_relation_links_its_target_to_the_memory(
    tmp_path: Path,
) -> None:
    (claim,), _ = relations(tmp_path, relation_text(DROPS.upper(), "incoming"))
    assert (claim.start, claim.end) == (f"id:{DROPS}", f"id:{TIMEOUTS}")
    assert claim.side is Side.INCOMING


def test_a_memory_without_id_is_linked_by_its_path(tmp_path: Path) -> None:
    text = memory_text(more=relation_text(DROPS, "outgoing")).replace("id: a1b2", "x: ")
    (claim,) = read(tmp_path, TIMEOUTS_PATH, text).claims
    assert claim.start == f"path:{TIMEOUTS_PATH}"


def test_a_target_that_looks_like_a_path_is_an_id(tmp_path: Path) -> None:
    (claim,), _ = relations(tmp_path, relation_text("../../etc/passwd", "outgoing"))
    assert claim.end == "id:../../etc/passwd"


@pytest.mark.parametrize(
    ("old", "new", "noted"),
    [
        ("direction: outgoing", "direction: sideways", "bad-direction"),
        ("    direction: outgoing\n", "", "bad-direction"),
        ("type: SOLVES", "type: MOCKS", "unknown-relation"),
        ("    type: SOLVES\n", "", "relation-without-type"),
        ("strength: 0.8", "strength: strong", "bad-strength"),
        ("strength: 0.8", "strength: 7", "bad-strength"),
    ],
)
def test_an_unusual_relation_is_kept_and_reported(
    tmp_path: Path, old: str, new: str, noted: str
) -> None:
    more = relation_text(DROPS, "outgoing")
    assert old in more
    (claim,), found = relations(tmp_path, more.replace(old, new))
    assert (claim.start, claim.end) == (f"id:{TIMEOUTS}", f"id:{DROPS}")
    assert found == [noted]


@pytest.mark.parametrize(
    ("more", "noted"),
    [
        ("relations:\n  - type: SOLVES\n", ["relation-without-target"]),
        ("relations:\n  - just a text\n", ["bad-relations"]),
        ("relations: soon\n", ["bad-relations"]),
        ("relations:\n", []),
        ("relations: []\n", []),
    ],
)
def test_an_invalid_relation_claims_nothing(
    tmp_path: Path, more: str, noted: list[str]
) -> None:
    assert relations(tmp_path, more) == ([], noted)


def test_an_edge_file_claims_one_edge_and_is_not_a_memory(tmp_path: Path) -> None:
    findings = read(tmp_path, EDGE_PATH, edge_text())
    (claim,) = findings.claims
    assert claim.created
    assert claim == Claim(
        start=f"id:{TIMEOUTS}",
        end=f"id:{DROPS}",
        type="SOLVES",
        side=Side.FILE,
        edge_id=EDGE,
        strength=0.8,
        context="The keepalive fix directly resolves the problem.",
        created=claim.created,
        start_title="Fixed Redis connection timeouts",
        end_title="Redis connection drops",
        body="\nThe keepalive fix directly resolves the problem.\n\nMore about it.\n",
        fields={"updated": "2026-02-19T10:00:00+00:00"},
    )
    assert claim.created.text == "2026-02-19T10:00:00+00:00"
    assert findings.memories == ()
    assert codes(findings) == []


@pytest.mark.parametrize("end", ["from_id", "to_id"])
def test_an_edge_without_an_end_is_an_error(tmp_path: Path, end: str) -> None:
    text = edge_text().replace(f"{end}: ", f"{end}:  # ")
    findings = read(tmp_path, EDGE_PATH, text)
    assert findings.claims == ()
    assert codes(findings) == ["edge-without-ends"]
    assert findings.flaws[0].severity is Severity.ERROR


def test_an_edge_with_another_type_in_its_name_is_reported(tmp_path: Path) -> None:
    findings = read(tmp_path, EDGE_PATH, edge_text("CAUSES"))
    assert findings.claims[0].type == "CAUSES"
    assert codes(findings) == ["edge-name"]


def test_an_edge_of_an_unknown_type_is_kept_and_reported(tmp_path: Path) -> None:
    findings = read(tmp_path, "graph/edges/any.md", edge_text("MOCKS"))
    assert findings.claims[0].type == "MOCKS"
    assert codes(findings) == ["unknown-relation"]


def test_an_edge_without_a_type_has_that_of_its_name(tmp_path: Path) -> None:
    text = edge_text().replace("type: SOLVES\n", "")
    findings = read(tmp_path, EDGE_PATH, text)
    assert findings.claims[0].type == "SOLVES"
    assert codes(findings) == ["missing-type"]


def test_an_edge_with_an_invalid_strength_is_kept_and_reported(
    tmp_path: Path,
) -> None:
    text = edge_text().replace("strength: 0.8", "strength: .inf")
    findings = read(tmp_path, EDGE_PATH, text)
    assert findings.claims[0].strength is None
    assert codes(findings) == ["bad-strength"]


def test_other_content_of_an_edge_file_is_kept_unchanged(tmp_path: Path) -> None:
    text = edge_text().replace("strength: 0.8", "strength: strong\nby: [me, you]")
    text = text.replace("created: 2026-02-19T10:00:00+00:00", "created: lately")
    findings = read(tmp_path, EDGE_PATH, text.replace("type: SOLVES", "type: [A]"))
    (claim,) = findings.claims
    assert claim.fields == {
        "type": ["A"],
        "strength": "strong",
        "by": ["me", "you"],
        "created": "lately",
        "updated": "2026-02-19T10:00:00+00:00",
    }
    assert codes(findings) == ["bad-type", "missing-type", "bad-strength", "bad-time"]


def test_a_duplicate_relation_is_reported(tmp_path: Path) -> None:
    first = relation_text(DROPS, "outgoing")
    again = first.removeprefix("relations:\n").replace(DROPS, DROPS.upper())
    text = memory_text(more=first + again.replace("0.8", "0.2"))
    findings = read(tmp_path, TIMEOUTS_PATH, text)
    (flaw,) = findings.flaws
    assert (flaw.code, flaw.line) == ("duplicate-relation", 10)
    assert flaw.severity is Severity.NOTE
    assert DROPS in flaw.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (DROPS, EDGE),
        ("direction: outgoing", "direction: incoming"),
        ("type: SOLVES", "type: CAUSES"),
    ],
)
def test_relations_that_differ_are_not_duplicates(
    tmp_path: Path, old: str, new: str
) -> None:
    first = relation_text(DROPS, "outgoing")
    other = first.removeprefix("relations:\n").replace(old, new)
    claims, noted = relations(tmp_path, first + other)
    assert len(claims) == 2
    assert noted == []


def test_other_content_of_a_relation_is_kept_unchanged(tmp_path: Path) -> None:
    more = relation_text(DROPS, "outgoing") + "    by: [me]\n    note: why not\n"
    (memory,) = read(tmp_path, TIMEOUTS_PATH, memory_text(more=more)).memories
    (relation,) = memory.relations
    assert relation["by"] == ["me"]
    assert relation["note"] == "why not"
    assert relation["strength"] == "0.8"


def linked(body: str) -> list[tuple[str, str | None, int | None]]:
    claims = read_wikilinks("id:own", body, 10)
    assert all(c.start == "id:own" and c.side is Side.WIKILINK for c in claims)
    return [(claim.end, claim.end_title, claim.line) for claim in claims]


@pytest.mark.parametrize(
    ("body", "links"),
    [
        ("See [[Redis Drops]].", [("name:redis-drops", "Redis Drops", 10)]),
        ("a\n\n[[b|the label]]", [("name:b", "b", 12)]),
        (
            "[[a b]] and [[A_b]] and [[c]]",
            [("name:a-b", "a b", 10), ("name:c", "c", 10)],
        ),
        ("```sh\n[[x]]\n```\n[[y]]", [("name:y", "y", 13)]),
        ("``` never closed\n[[x]]", [("name:x", "x", 11)]),
        ("`[[x]]` and [[y]]", [("name:y", "y", 10)]),
        ("if [[ -f x ]]; then", []),
        ("[[]] [[|x]] [[unclosed", []),
        ("a[b[0]] = c", []),
        ("[[x]]\r\n[[y]]\r\n", [("name:x", "x", 10), ("name:y", "y", 11)]),
    ],
)
def test_wikilinks(body: str, links: list[tuple[str, str, int]]) -> None:
    assert linked(body) == links


@given(st.text(st.sampled_from("[]|`~ ab\n")))
def test_no_text_is_too_odd(body: str) -> None:
    for key, label, line in linked(body):
        assert key.startswith("name:")
        assert label
        assert line
        assert f"[[{label}" in body.split("\n")[line - 10].replace("[[ ", "[[")
