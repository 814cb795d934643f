from pathlib import Path

import pytest

from store.files.frontmatter import read_page
from store.findings import Severity
from store.formats.notes.notes import variant
from tests.store.formats.notes_stores import (
    VARIANTS,
    codes,
    memory_of,
    note,
    read_all,
    read_note,
)


@pytest.mark.parametrize("shape", VARIANTS)
def test_every_form_of_header_is_recognised(shape: str) -> None:
    page = read_page(note(VARIANTS[shape]).encode())

    assert variant(page.fields) == shape


def test_a_header_of_another_writer_has_no_known_form() -> None:
    assert variant({"title": "Tabs", "type": "learning"}) == "other"


@pytest.mark.parametrize("shape", [shape for shape in VARIANTS if shape != "V0"])
def test_every_form_gives_name_description_and_type(tmp_path: Path, shape: str) -> None:
    findings = read_note(tmp_path, note(VARIANTS[shape]))

    memory = memory_of(findings)
    assert memory.title == "Tabs"
    assert memory.description == "Tabs, not spaces"
    assert memory.type == "feedback"
    assert memory.body.strip() == "Use tabs."
    assert not memory.fades
    assert not findings.flaws


def test_a_file_without_a_header_is_a_memory_without_a_type(tmp_path: Path) -> None:
    findings = read_note(tmp_path, "Some text.\n\n# Debugging ##\n\n# Later\n")

    memory = memory_of(findings)
    assert (memory.title, memory.type) == ("Debugging", None)
    assert memory.body == "Some text.\n\n# Debugging ##\n\n# Later\n"
    assert not findings.flaws


@pytest.mark.parametrize("text", ["", "text only\n", "```\n# a comment\n```\n"])
def test_a_memory_without_a_name_is_named_after_its_file(
    tmp_path: Path, text: str
) -> None:
    assert memory_of(read_note(tmp_path, text)).title == "tabs"


def test_an_empty_name_is_kept_and_replaced(tmp_path: Path) -> None:
    memory = memory_of(read_note(tmp_path, note("name: ''\ntype: user\n", "# Top\n")))

    assert memory.title == "Top"
    assert memory.fields["name"] == ""


def test_a_header_without_a_type_means_user(tmp_path: Path) -> None:
    findings = read_note(tmp_path, note("name: Tabs\n"))

    assert memory_of(findings).type == "user"
    (flaw,) = findings.flaws
    assert (flaw.code, flaw.severity) == ("no-type", Severity.NOTE)


def test_an_unknown_type_is_kept(tmp_path: Path) -> None:
    findings = read_note(tmp_path, note("name: Tabs\ntype: alien\n"))

    assert memory_of(findings).type == "alien"
    assert not findings.flaws


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Tabs, not spaces", "Tabs, not spaces"),
        ('"She said \\"tabs\\""', 'She said "tabs"'),
        ("'it''s tabs'", "it's tabs"),
        ("사용자는 탭을 선호한다", "사용자는 탭을 선호한다"),
        ("用户偏好制表符", "用户偏好制表符"),
        ("Người dùng thích tab", "Người dùng thích tab"),
    ],
)
def test_a_description_is_read_in_any_quoting_and_language(
    tmp_path: Path, written: str, read: str
) -> None:
    findings = read_note(
        tmp_path, note(f"name: n\ndescription: {written}\ntype: user\n")
    )

    assert memory_of(findings).description == read
    assert not codes(findings)


def test_a_description_that_is_not_valid_yaml_is_recovered(tmp_path: Path) -> None:
    description = "Cover letter standards: NYC, one page"

    findings = read_note(
        tmp_path, note(f"name: n\ndescription: {description}\ntype: feedback\n")
    )

    memory = memory_of(findings)
    assert (memory.description, memory.type) == (description, "feedback")
    assert codes(findings)


def test_a_description_with_a_number_sign_is_not_cut_off(tmp_path: Path) -> None:
    findings = read_note(
        tmp_path, note("name: n\ndescription: See issue #42 first\ntype: user\n")
    )

    assert memory_of(findings).description == "See issue #42 first"
    assert findings.flaws


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: Tabs\ntype: user\n---\nRight below.\n",
        "---\r\nname: Tabs\r\ntype: user\r\n---\r\n\r\nRight below.\r\n",
        "---\nname: Tabs\ntype: user\n---\n\nRight below.",
        "\ufeff---\nname: Tabs\ntype: user\n---\n\nRight below.\n",
    ],
    ids=["no blank line", "CRLF", "no final newline", "byte order mark"],
)
def test_the_frame_of_a_file_may_vary(tmp_path: Path, text: str) -> None:
    memory = memory_of(read_note(tmp_path, text))

    assert (memory.title, memory.type) == ("Tabs", "user")
    assert text.endswith(memory.body)
    assert memory.body.strip() == "Right below."


def test_a_file_in_another_encoding_is_read_and_flagged(tmp_path: Path) -> None:
    text = note("name: n\ndescription: 使用制表符\ntype: user\n", "缩进\n")
    (tmp_path / "tabs.md").write_bytes(text.encode("gb18030"))

    findings = read_all(tmp_path)["tabs.md"]

    assert memory_of(findings).type == "user"
    assert findings.flaws


def test_origin_session_and_unknown_keys_are_kept(tmp_path: Path) -> None:
    header = VARIANTS["V6"] + "phase: two\nrelated: [a, b]\n"

    memory = memory_of(read_note(tmp_path, note(header)))

    assert memory.fields["metadata"] == {
        "node_type": "memory",
        "type": "feedback",
        "originSessionId": "0e207608",
        "modified": "2026-08-06T16:42:40.669Z",
    }
    assert memory.fields["phase"] == "two"
    assert memory.fields["related"] == ["a", "b"]
    assert memory.updated
    assert memory.updated.text == "2026-08-06T16:42:40.669Z"


def test_an_origin_session_at_the_top_is_kept(tmp_path: Path) -> None:
    memory = memory_of(read_note(tmp_path, note(VARIANTS["V2"])))

    assert memory.fields == {"originSessionId": "0e207608"}


def test_the_header_of_a_plugin_is_understood(tmp_path: Path) -> None:
    header = (
        "id: learning-tabs\ntitle: Tabs and spaces\ntype: learning\n"
        'created: "2026-01-12T23:38:34.450Z"\nupdated: "2026-01-13T19:02:56Z"\n'
        "tags:\n  - style\n  - tabs\nimportance: 0.7\nseverity: medium\n"
    )

    memory = memory_of(read_note(tmp_path, note(header)))

    assert (memory.id, memory.title) == ("learning-tabs", "Tabs and spaces")
    assert memory.tags == ("style", "tabs")
    assert memory.importance == 0.7
    assert memory.created
    assert memory.updated
    assert memory.created.text == "2026-01-12T23:38:34.450Z"
    assert memory.updated.text == "2026-01-13T19:02:56Z"
    assert memory.fields == {"severity": "medium"}
    assert memory.names == ("name:tabs", "name:tabs-and-spaces", "name:learning-tabs")


@pytest.mark.parametrize("value", ["high", "nan", "1e999", "[1]"])
def test_an_importance_that_is_not_a_number_stays_unchanged(
    tmp_path: Path, value: str
) -> None:
    memory = memory_of(read_note(tmp_path, note(f"name: n\nimportance: {value}\n")))

    assert memory.importance is None
    assert "importance" in memory.fields


@pytest.mark.parametrize(
    ("tags", "read"),
    [("style, tabs", ("style", "tabs")), ("[on, 1.0, null]", ("on", "1.0", "null"))],
)
def test_tags_stay_words(tmp_path: Path, tags: str, read: tuple[str, ...]) -> None:
    assert memory_of(read_note(tmp_path, note(f"name: n\ntags: {tags}\n"))).tags == read


def test_memories_in_the_archive_are_archived(tmp_path: Path) -> None:
    text = note(VARIANTS["V1"])

    assert memory_of(read_note(tmp_path, text, "archive/old.md")).archived
    assert not memory_of(read_note(tmp_path, text, "archive.md")).archived


def test_why_and_how_to_apply_are_recognised(tmp_path: Path) -> None:
    body = (
        "Use tabs.\n\n**Why:** Consistency with\nthe code base.\n"
        "**How to apply**:\n- when writing\n- when editing\n\nUnrelated.\n\n"
        "```\n**Why:** not this\n```\n"
    )

    memory = memory_of(read_note(tmp_path, note(VARIANTS["V1"], body)))

    assert memory.fields["why"] == "Consistency with\nthe code base."
    assert memory.fields["how_to_apply"] == "- when writing\n- when editing"
    assert memory.body.endswith(body)
