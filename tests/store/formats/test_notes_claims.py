from pathlib import Path

import pytest

from store.findings import Findings, Severity, Side
from tests.store.formats.notes_stores import VARIANTS, note, read_note


def ends(findings: Findings) -> list[str]:
    return [claim.end for claim in findings.claims]


def test_a_wikilink_is_an_edge_from_its_file(tmp_path: Path) -> None:
    text = note(VARIANTS["V1"], "One.\nSee [[Use_Tabs#why|the rule]].\n")

    (claim,) = read_note(tmp_path, text, "style/tabs.md").claims

    assert (claim.start, claim.end) == ("path:style/tabs.md", "name:use-tabs")
    assert (claim.type, claim.side) == ("link", Side.WIKILINK)
    assert claim.end_title == "the rule"
    assert claim.line == text.split("\n").index("See [[Use_Tabs#why|the rule]].") + 1


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("[[a]] [[A]] [[b_c]] [[b-c]] [[b c]]", ["name:a", "name:b-c"]),
        ("[[note.md]]", ["name:note"]),
        ("[[#heading]] [[]] [[ ]] [[unclosed", []),
        ("`[[a]]` ``x ` [[b]]`` [[c]]", ["name:c"]),
        ("```sh\n[[a]]\n```\n[[b]]", ["name:b"]),
        ("~~~\n[[a]]\n```\n[[b]]\n~~~\n[[c]]", ["name:c"]),
        ("- ```\n  [[a]]\n  ```\n- [[b]]", ["name:b"]),
        ("a lone ` tick [[b]]", ["name:b"]),
        ("![[note]] ![[picture.png]]", ["name:note"]),
        ("| [[note\\|in a table]] |", ["name:note"]),
    ],
)
def test_wikilinks_are_found_only_where_they_count(
    tmp_path: Path, body: str, names: list[str]
) -> None:
    assert ends(read_note(tmp_path, body)) == names


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ("[a](other.md)", "path:style/other.md"),
        ("[a](./deep/other.md#part)", "path:style/deep/other.md"),
        ("[a](../other.md)", "path:other.md"),
        ("[a](<my other.md>)", "path:style/my other.md"),
        ("[a](my other.md)", "path:style/my other.md"),
        ("[a](my%20other.md)", "path:style/my other.md"),
        ('[a](other.md "with a title")', "path:style/other.md"),
        ("[a](other-(old).md)", "path:style/other-(old).md"),
        ("[a [b] c](other.md)", "path:style/other.md"),
    ],
)
def test_a_link_to_a_note_is_an_edge(tmp_path: Path, body: str, end: str) -> None:
    findings = read_note(tmp_path, body, "style/tabs.md")

    assert ends(findings) == [end]
    assert not findings.flaws


@pytest.mark.parametrize(
    "body",
    [
        "[a](https://example.org/x.md)",
        "[a](mailto:someone@example.org)",
        "[a](#part)",
        "[a](picture.png)",
        "[a](../../code.py)",
        "[a](unclosed.md",
        "`[a](other.md)`",
        "[a]()",
    ],
)
def test_other_links_are_not_edges(tmp_path: Path, body: str) -> None:
    findings = read_note(tmp_path, body)

    assert ends(findings) == []
    assert not findings.flaws


@pytest.mark.parametrize(
    "target", ["../out.md", "/etc/out.md", "~/out.md", "%2e%2e/out.md", "..\\out.md"]
)
def test_a_link_to_a_note_outside_is_reported_and_not_an_edge(
    tmp_path: Path, target: str
) -> None:
    findings = read_note(tmp_path, f"First.\n[a]({target})\n")

    assert ends(findings) == []
    (flaw,) = findings.flaws
    assert (flaw.code, flaw.severity) == ("link-leads-out", Severity.NOTE)
    assert flaw.line == 2


def test_the_links_of_a_header_are_edges_by_name(tmp_path: Path) -> None:
    header = "id: a\ntitle: A\ntype: hub\nlinks:\n  - learning-b\n  - learning-b\n"

    findings = read_note(tmp_path, note(header, "And [[Learning B]].\n"))

    (claim,) = findings.claims
    assert (claim.end, claim.line) == ("name:learning-b", 5)
    assert findings.memories[0].fields["links"] == ["learning-b", "learning-b"]
