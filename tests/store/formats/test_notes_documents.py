from pathlib import Path

import pytest

from tests.store.formats.notes_stores import memory_of, read_note


@pytest.mark.parametrize(
    ("size", "standing"),
    [(4_000, "too short"), (60_000, "used"), (200_000, "too long")],
)
def test_a_session_memory_is_a_document_with_its_gauge(
    tmp_path: Path, size: int, standing: str
) -> None:
    text = "# Title\n" + "x" * size

    findings = read_note(tmp_path, text, "session-memory/0e207608/memory.md")

    (document,) = findings.documents
    assert not findings.memories
    assert (document.role, document.category) == ("document", "session-memory")
    assert (document.title, document.text) == ("Title", text)
    assert document.facts["session"] == "0e207608"
    assert document.facts["tokens"] == str(len(text) // 4)
    assert document.facts["at_compaction"] == standing
    assert document.facts["enough_tokens"] == "10000"
    assert document.facts["enough_messages"] == "5"
    assert document.facts["most_tokens"] == "40000"


def test_a_daily_log_is_a_document(tmp_path: Path) -> None:
    findings = read_note(tmp_path, "Went well.\n", "logs/2026/03/2026-03-04.md")

    (document,) = findings.documents
    assert (document.category, document.title) == ("daily-log", "2026-03-04")
    assert document.text == "Went well.\n"


def test_a_team_memory_is_a_memory(tmp_path: Path) -> None:
    assert memory_of(read_note(tmp_path, "# Ours\n", "team/style.md")).title == "Ours"
