"""Lines of 200,000 characters are read in linear time.

Anything quadratic in the length of such a line would not finish here.
"""

import pytest

from store.formats.cognitive.memories import read_edge, read_memory, read_wikilinks
from store.formats.cognitive.pages import read_core, read_episodes, read_reflection
from tests.store.formats.cognitive_stores import (
    DROPS,
    blob,
    codes,
    edge_text,
    memory_text,
)

LONG = 200_000
BLANKS = " " * LONG
DIGITS = "1" * LONG
ODD_LINES = {
    "heading of blanks": f"##{BLANKS}",
    "title of blanks": f"#{BLANKS}",
    "blanks in a heading": f"## a{BLANKS}b",
    "item of blanks": f"-{BLANKS}",
    "item far to the right": f"{BLANKS}- a{BLANKS}b",
    "numbered without end": DIGITS,
    "quote without colon": f"> {DIGITS}|{BLANKS}|" + "|" * LONG,
    "bold without end": "- **" + "*" * LONG,
    "links that are opened": "- " + "[" * LONG,
    "labels without target": "- " + "[](" * LONG,
    "targets in targets": "- [a]" + "(" * LONG,
    "tooltips": "- [a](b" + ' "" ' * LONG + "c)",
    "angles": "- [a](<" + "<" * LONG,
    "code": "a" + "`" * LONG,
    "wikilinks that are opened": "[[" * LONG,
    "wikilinks in code": "[[a`" * LONG,
    "field of blanks": f"-{BLANKS}**Type",
    "entry of blanks": f"## 10:30{BLANKS}-{BLANKS}",
}


@pytest.mark.parametrize("name", ODD_LINES)
def test_no_line_is_too_long(name: str) -> None:
    line = ODD_LINES[name]
    text = f"{line}\n# The title\n## 09:00 - a\n{line}\n## 10:00 - b\n- c\n"
    page = blob(text.encode())
    (core,) = read_core("CORE.md", page).documents
    (reflection,) = read_reflection("REFLECTION.md", page).documents
    day = read_episodes("episodes/2025-12-13.md", page)
    assert core.title == reflection.title == "The title"
    assert line in core.text
    assert {"a", "b"} <= {episode.title for episode in day.episodes}


@pytest.mark.parametrize("name", ODD_LINES)
def test_no_memory_is_too_long(name: str) -> None:
    body = f"{ODD_LINES[name]}\n[[the end]]\n"
    memory = read_memory("graph/solutions/a.md", blob(memory_text(body=body).encode()))
    assert memory.memories[0].body.endswith(body)
    assert memory.claims[-1].end == "name:the-end"
    (claim,) = read_edge("a.md", blob((edge_text() + body).encode())).claims
    assert claim.body.endswith(body)


def test_a_core_of_digits_has_no_counts() -> None:
    page = blob(f"> Active memories: {DIGITS} {BLANKS}| a: b\n".encode())
    (core,) = read_core("CORE.md", page).documents
    assert core.facts == {"sections": {}}


def test_a_reflection_of_digits_and_blanks_has_no_values() -> None:
    text = (
        f"## Themes\n- **a**: {DIGITS}\n- **b**: {'1 ' * LONG}\n- **c**: 1{BLANKS}m\n"
        f"## Cross-Project Patterns\n- **d**: {'e' * LONG}\n- **f**: g{BLANKS}(1\n"
        f"## Most Accessed\n- [h](i.md) {DIGITS}\n- [j](k.md) 1{BLANKS}a\n"
        f"- merges performed:{BLANKS}\n"
    )
    (reflection,) = read_reflection("REFLECTION.md", blob(text.encode())).documents
    assert reflection.facts == {
        "themes": [],
        "cross-project patterns": [
            {"tag": "d", "projects": {}},
            {"tag": "f", "projects": {}},
        ],
        "most accessed": [],
    }


@pytest.mark.parametrize("value", [DIGITS, BLANKS, "2" * LONG + ".5", "-" * LONG])
def test_no_value_is_too_long(value: str) -> None:
    text = memory_text().replace("0.8", f'"{value}"').replace("2025-12-06", value)
    findings = read_memory("graph/solutions/a.md", blob(text.encode()))
    assert "bad-importance" in codes(findings)
    assert "bad-time" in codes(findings)


def test_every_one_of_many_unusual_relations_is_reported() -> None:
    entry = f"  - target: {DROPS}\n"
    text = memory_text(more="relations:\n" + entry * 2_000)
    findings = read_memory("graph/solutions/a.md", blob(text.encode()))
    assert codes(findings).count("bad-direction") == len(findings.claims) == 2_000
    assert {flaw.line for flaw in findings.flaws} == {10}


def test_links_that_are_too_long_are_broken() -> None:
    claims = read_wikilinks("id:own", f"[[{'a' * LONG}\n[[b]]", 1)
    assert [claim.end for claim in claims] == ["name:b"]
