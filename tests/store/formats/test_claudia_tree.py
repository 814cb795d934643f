"""The librarian's pages: episodes, people, projects, questions, logs."""

from pathlib import Path

from store.findings import EpisodeFound
from tests.store.formats.claudia_stores import (
    DAY,
    SITTING,
    only,
    page,
    small,
    small_tree,
)


def episodes(folder: Path, path: str, text: str) -> tuple[EpisodeFound, ...]:
    small_tree(folder)
    page(folder, path, text)
    return only(folder, path).episodes


def test_a_day_has_a_sitting_under_each_time(tmp_path: Path) -> None:
    first, second = episodes(tmp_path, "episodes/2026-02/2026-02-20.md", DAY)

    assert (first.date, first.time, first.line) == ("2026-02-20", "1:33 PM", 1)
    assert first.title == "1:33 PM – 3:30 PM (EST)"
    assert first.tags == ("glazing", "cone tables")
    assert first.summary == (
        "We glazed the first bowls.\n\nMood: calm\n\nProject: /home/zoe/src/kilnbook"
    )
    assert (second.time, second.line, second.tags) == ("11:05 PM", 9, ())
    assert (first.conversation, second.conversation) == (None, None)


def test_headings_without_a_time_are_text(tmp_path: Path) -> None:
    text = (
        "# Friday\n\n## 9:00 AM – Breakfast\n\n### Eggs\n\n"
        "```\n## 10:00 AM\n```\n\n## Later\n\nTea.\n"
    )
    (only_one,) = episodes(tmp_path, "episodes/2026-02/2026-02-21.md", text)

    assert (only_one.time, only_one.title) == ("9:00 AM", "Breakfast")
    assert only_one.summary
    assert "## Later\n\nTea." in only_one.summary


def test_a_day_without_times_is_one_entry(tmp_path: Path) -> None:
    (whole,) = episodes(tmp_path, "episodes/2026-02/2026-02-22.md", "Quiet day.\n")

    assert (whole.time, whole.title, whole.summary) == (
        None,
        "2026-02-22",
        "Quiet day.",
    )


def test_a_sitting_is_linked_by_the_number_in_its_name(tmp_path: Path) -> None:
    path = "episodes/2026-03/2026-03-18-2002-882.md"
    (found,) = episodes(tmp_path, path, SITTING)

    assert (found.date, found.time, found.tags) == ("2026-03-18", "8:02 PM", ("redis",))
    assert found.conversation == "conversation:882"


def test_a_sitting_of_an_unknown_conversation_has_no_link(tmp_path: Path) -> None:
    path = "episodes/2026-03/2026-03-18-2002-unknown.md"
    (found,) = episodes(tmp_path, path, SITTING)

    assert found.conversation is None


def test_midnight_written_as_24_is_read_as_0(tmp_path: Path) -> None:
    path = "episodes/2026-03/2026-03-18-2410-9.md"
    (named,) = episodes(tmp_path, path, "No heading here.\n")
    (told,) = episodes(tmp_path, path, "## 24:15 – 1:00\n\nLate.\n")

    assert (named.time, told.time) == ("00:10", "00:15")


def test_pages_are_documents_with_their_fields(tmp_path: Path) -> None:
    small_tree(tmp_path)
    (person,) = only(tmp_path, "relationships/mara/overview.md").documents
    (project,) = only(tmp_path, "projects/kilnbook/overview.md").documents

    assert (person.title, person.category) == ("Mara", "relationships")
    assert person.facts == {"relationship": "sister"}
    assert project.facts == {"path": "/home/zoe/src/kilnbook", "purpose": "bookings"}


def test_every_folder_is_a_category(tmp_path: Path) -> None:
    small_tree(tmp_path)
    for path in (
        "milestones/2026-02/first-firing.md",
        "core/values.md",
        "personas/libby.md",
        "docs/guide.md",
        "garden/roses.md",
        "index.md",
    ):
        page(tmp_path, path, "Text.\n")
        (document,) = only(tmp_path, path).documents
        top, slash, _ = path.partition("/")
        assert document.category == (top if slash else None)
        assert document.role == "document"


def test_pages_are_read_with_and_without_a_header(tmp_path: Path) -> None:
    header = (
        "---\ntitle: Cones\ndate: 2026-03-01\ncategories: [insights]\nauthor: Zoë\n"
        "tags: [kiln, glaze]\nsummary: Why cones are text\n---\n\nThey are.\n"
    )
    small_tree(tmp_path)
    page(tmp_path, "insights/with.md", header)
    page(tmp_path, "insights/without.md", "## Cones again\n\nThey are.\n")
    (with_header,) = only(tmp_path, "insights/with.md").documents
    (without,) = only(tmp_path, "insights/without.md").documents

    assert with_header.title == "Cones"
    assert with_header.facts["header"] == {
        "title": "Cones",
        "date": "2026-03-01",
        "categories": ["insights"],
        "author": "Zoë",
        "tags": ["kiln", "glaze"],
        "summary": "Why cones are text",
    }
    assert (without.title, without.facts) == ("Cones again", {})


def test_an_overview_without_a_heading_is_named_after_its_folder(
    tmp_path: Path,
) -> None:
    small_tree(tmp_path)
    page(tmp_path, "relationships/odile/overview.md", "A potter.\n")

    assert (
        only(tmp_path, "relationships/odile/overview.md").documents[0].title == "odile"
    )


def test_questions_are_listed(tmp_path: Path) -> None:
    small_tree(tmp_path)
    text = (
        "## 2026-03-01\n\n**Q:** Who is Odile?\n**Context:** She came by.\n\n"
        "**Q:** What is a cone?\n"
    )
    page(tmp_path, "libby-questions.md", text)
    (document,) = only(tmp_path, "libby-questions.md").documents

    assert document.facts["questions"] == [
        {"day": "2026-03-01", "question": "Who is Odile?", "context": "She came by."},
        {"day": "2026-03-01", "question": "What is a cone?"},
    ]


def test_logs_and_transcripts_link_to_their_conversation(tmp_path: Path) -> None:
    small(tmp_path / ".anima")
    small_tree(tmp_path / "memory")
    log = "I will write one episode.\n"
    page(tmp_path / ".anima", "memory/libby/logs/1.md", log)
    page(tmp_path / "memory", "libby/logs/2.md", log)
    handed = (
        "# Conversation Transcript\nDate: Friday\nTime: 8:00 PM\nSession: abc\n"
        "Project: /home/zoe\n\n---\n\n[8:00 PM] Zoë:\nHello.\n"
    )
    page(tmp_path / "libby", "transcripts/3.md", handed)

    (new,) = only(tmp_path / ".anima", "memory/libby/logs/1.md").documents
    (old,) = only(tmp_path / "memory", "libby/logs/2.md").documents
    (talk,) = only(tmp_path / "libby", "transcripts/3.md").documents
    assert (new.category, new.facts["conversation"]) == ("libby-log", "conversation:1")
    assert (old.category, old.facts["conversation"]) == ("libby-log", "conversation:2")
    assert talk.category == "libby-transcript"
    assert talk.facts == {
        "conversation": "conversation:3",
        "date": "Friday",
        "time": "8:00 PM",
        "session": "abc",
        "project": "/home/zoe",
    }
