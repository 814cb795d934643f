from pathlib import Path

import pytest

from store.findings import DocumentFound, Findings, Mention, Severity
from store.formats.notes.notes import BYTE_LIMIT, LINE_LIMIT, is_generated
from tests.store.formats.notes_stores import codes, read_all, read_note, write


def read_index(folder: Path, text: str, path: str = "MEMORY.md") -> Findings:
    return read_note(folder, text, path)


def document_of(findings: Findings) -> DocumentFound:
    (document,) = findings.documents
    return document


def test_the_index_is_a_document_and_not_a_memory(tmp_path: Path) -> None:
    text = "# Project memory\n\n- [Tabs](tabs.md) — Use tabs\n"

    findings = read_index(tmp_path, text)

    document = document_of(findings)
    assert not findings.memories
    assert (document.title, document.role) == ("Project memory", "memory-index")
    assert document.text == text
    assert document.mentions == (
        Mention(
            target="path:tabs.md",
            link="tabs.md",
            label="Tabs",
            note="Use tabs",
            line=3,
        ),
    )


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("- [Tabs](tabs.md) — Use tabs", "Use tabs"),
        ("- [Tabs](tabs.md) – Use tabs", "Use tabs"),
        ("* [Tabs](tabs.md) - Use tabs", "Use tabs"),
        ("- [Tabs](tabs.md): Use tabs", "Use tabs"),
        ("- [Tabs](tabs.md)", None),
        ("[Tabs](tabs.md)", None),
        ("Before that, read [Tabs](tabs.md).", "Before that, read [Tabs](tabs.md)."),
        ("| [Tabs](tabs.md) | Use tabs |", "| [Tabs](tabs.md) | Use tabs |"),
    ],
)
def test_a_line_may_describe_the_memory_that_it_names(
    tmp_path: Path, line: str, note: str | None
) -> None:
    (mention,) = document_of(read_index(tmp_path, f"{line}\n")).mentions

    assert (mention.target, mention.note) == ("path:tabs.md", note)


def test_links_of_an_index_are_relative_to_its_folder(tmp_path: Path) -> None:
    text = "- [a](a.md) — a\n- [b](../b.md) — b\n- see [[Some Name]]\n"

    mentions = document_of(read_index(tmp_path, text, "team/MEMORY.md")).mentions

    targets = [mention.target for mention in mentions]
    assert targets == ["path:team/a.md", "path:b.md", "name:some-name"]


def test_free_text_is_not_a_mention(tmp_path: Path) -> None:
    text = "- plain\n- [unclosed](x.md\n- [web](https://a.example/x.md)\n`[a](a.md)`\n"
    text += "- [picture](a.png)\n- [folder](archive/)\n- [part](#part)\n"

    findings = read_index(tmp_path, text)

    assert document_of(findings).mentions == ()
    assert not findings.flaws


@pytest.mark.parametrize(
    "target",
    ["../../x.md", "/etc/passwd", "~/.ssh/id_rsa", "file:///etc/passwd", "C:\\win.ini"],
)
def test_a_line_that_leads_out_is_flagged_and_not_linked(
    tmp_path: Path, target: str
) -> None:
    findings = read_index(tmp_path, f"# Index\n- [x]({target}) — [y]({target})\n")

    mentions = document_of(findings).mentions
    assert [mention.target for mention in mentions] == [None, None]
    (flaw,) = findings.flaws
    assert (flaw.code, flaw.line) == ("link-leads-out", 2)
    assert flaw.severity is Severity.WARNING


def test_an_index_within_the_limits_is_complete(tmp_path: Path) -> None:
    findings = read_index(tmp_path, "- [a](a.md) — a\n" * LINE_LIMIT)

    assert document_of(findings).facts["lines"] == str(LINE_LIMIT)
    assert not findings.flaws


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n" * (LINE_LIMIT + 63), ["63 lines"]),
        ("x" * (BYTE_LIMIT + 1_234), ["1,234 bytes"]),
        ("x" * 200 + "\n" * 30_000, ["29,800 lines", "5,200 bytes"]),
    ],
    ids=["too many lines", "too many bytes", "both"],
)
def test_an_index_over_the_limits_says_by_how_much(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    findings = read_index(tmp_path, text)

    assert codes(findings) == ["index-over-limit"]
    assert all(word in findings.flaws[0].message for word in words)


@pytest.mark.parametrize(
    ("text", "generated"),
    [
        ("", True),
        ("- [A](a.md) — x\n- [B](b.md) — y\n", True),
        ("- [A](a-b.md) — x\n- [B](a.md) — y\n", True),
        ("- [B](b.md) — y\n- [A](a.md) — x\n", False),
        ("# Memory\n\n- [A](a.md) — x\n", False),
        ("- [A](a.md): x\n", False),
    ],
)
def test_generated_and_handwritten_indexes_are_distinguished(
    text: str, *, generated: bool
) -> None:
    assert is_generated(text) is generated


def test_the_header_of_an_index_is_among_its_facts(tmp_path: Path) -> None:
    findings = read_index(tmp_path, "---\nowner: me\n---\n- [A](a.md) — x\n")

    document = document_of(findings)
    assert document.facts["header"] == {"owner": "me"}
    assert document.mentions[0].line == 4


def test_an_agent_loop_without_memories_has_an_empty_index(tmp_path: Path) -> None:
    loop = write(tmp_path / "repository/.memory/MEMORY.md", "").parent
    other = write(tmp_path / "repository/.claude/memory/MEMORY.md", "").parent

    empty = read_all(loop)["MEMORY.md"]

    assert document_of(empty).text == ""
    assert not empty.memories
    assert not empty.flaws
    assert codes(read_all(other)["MEMORY.md"]) == ["empty-file"]


def test_other_folders_of_a_loop_are_counted(tmp_path: Path) -> None:
    store = tmp_path / "repository/.memory"
    write(store / "MEMORY.md", "- [A](a.md) — x\n")
    write(store.parent / ".transcripts/transcript_1.jsonl", "{}\n")
    write(store.parent / ".task_outputs/tool-results/a.txt", "")
    write(store.parent / ".task_outputs/tool-results/b.txt", "")

    facts = document_of(read_all(store)["MEMORY.md"]).facts

    assert (facts["transcripts"], facts["task_outputs"]) == ("1", "2")
