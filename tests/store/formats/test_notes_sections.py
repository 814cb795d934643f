"""A memory folder that is only a MEMORY.md: its sections are the memories."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError
from store.findings import Json
from store.formats.notes.notes import sections
from store.formats.port import Source
from store.kinds.memories import Memory, MemoryInFull
from store.kinds.pages import Document
from store.library import Page
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Merge,
    Pin,
    Rebuild,
    Rename,
    Retag,
    Rewrite,
    Set,
)
from store.search.parse import parse as query
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_changes import opened
from tests.store.formats.notes_stores import note, read_all, scanned, write

ONLY = """\
# Project memory

Written by hand, see [[Deploys]].

## Commands

```sh
# not a heading
make test
```

### Slow ones

`make all` takes an hour.

## Deploys ##

- Never on Friday
- **Why:** nobody is there

## Commands

Twice the same heading.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / ".claude" / "agent-memory" / "reviewer"
    write(place / "MEMORY.md", ONLY)
    return place


@pytest.fixture
def store(tmp_path: Path, root: Path) -> Iterator[Changed]:
    with opened(tmp_path, root) as changed:
        yield changed


def titles(store: Changed) -> list[str]:
    found = sorted(store.memories(), key=lambda one: one.line or 0)
    return [one.title for one in found]


def test_each_section_is_a_memory(store: Changed) -> None:
    found = sorted(store.memories(), key=lambda one: one.line or 0)

    assert [(one.title, one.line, one.id) for one in found] == [
        ("Project memory", 1, "MEMORY.md#project-memory"),
        ("Commands", 5, "MEMORY.md#commands"),
        ("Deploys", 16, "MEMORY.md#deploys"),
        ("Commands", 21, "MEMORY.md#commands-1"),
    ]
    assert {one.path for one in found} == {"MEMORY.md"}
    assert store.codes() == []
    assert store.problems("unlisted-memory") == []


def test_a_section_is_read_whole(store: Changed) -> None:
    shown = store.library.records.show("MEMORY.md#deploys")

    assert isinstance(shown, MemoryInFull)
    assert shown.body == "- Never on Friday\n- **Why:** nobody is there\n"
    assert shown.fields["why"] == "nobody is there"


def test_a_section_is_found_by_its_words(store: Changed) -> None:
    tree = query("an hour", ["memories"], is_finished=True).tree

    (found,) = store.library.lists.page("memories", Page(), query=tree)

    assert isinstance(found, Memory)
    assert found.id == "MEMORY.md#commands"


def test_the_whole_page_is_still_a_document(store: Changed) -> None:
    (page,) = store.library.lists.page("documents", Page())

    assert isinstance(page, Document)
    assert page.role == "memory-index"


def test_links_between_sections_are_edges(store: Changed) -> None:
    (edge,) = store.edges()

    assert (edge.from_title, edge.to_title) == ("Project memory", "Deploys")
    assert edge.to == store.memory("Deploys").ref


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use tabs.\n- and *more*\n", ["Use tabs."]),
        ("- **Use** tabs", ["Use tabs"]),
        ("# One\n\na\n\n# Two\n\nb\n", ["One", "Two"]),
        ("# Memory\n\n### Deep\n\na\n\n#### Deeper\n\nb\n", ["Deep"]),
        ("# Memory\n", []),
        ("# Memory\n\n## Nothing yet\n", ["Nothing yet"]),
        ("# Memory\n\n- [Gone](gone.md) — was here once\n", []),
        ("# Memory\n\nBefore.\n\n- [Gone](gone.md) — once\n", ["Memory"]),
        ("## ✓\n\na\n\n## ✗\n\nb\n", ["✓", "✗"]),
        ("Intro.\r\n\r\n## A\r\n\r\na\r\n", ["Intro.", "A"]),
        ("---\nname: x\n---\n\n## A\n\na\n", ["A"]),
        ("", []),
        ("\n \n", []),
    ],
)
def test_where_sections_begin(root: Path, text: str, expected: list[str]) -> None:
    write(root / "MEMORY.md", text)

    (findings,) = read_all(root).values()

    assert [one.title for one in findings.memories] == expected
    assert len({one.id for one in findings.memories}) == len(expected)
    lines = text.replace("\r\n", "\n").split("\n")
    for one in findings.memories:
        assert one.title in lines[(one.line or 0) - 1].replace("*", "")


def test_a_note_beside_it_makes_it_an_index_again(store: Changed, root: Path) -> None:
    write(root / "tabs.md", note("name: Tabs\ndescription: Tabs\ntype: feedback\n"))
    store.library.sync()
    assert titles(store) == ["Tabs"]

    (root / "tabs.md").unlink()
    store.library.sync()
    assert len(titles(store)) == len(sections("MEMORY.md", ONLY))


def test_deleting_the_last_note_turns_the_index_into_sections(
    store: Changed, root: Path
) -> None:
    write(root / "tabs.md", note("name: Tabs\ndescription: Tabs\ntype: feedback\n"))
    store.library.sync()

    store.do(Delete(), store.memory("Tabs"))

    assert "Deploys" in titles(store)
    store.undo()
    assert titles(store) == ["Tabs"]


def test_a_daily_log_beside_it_is_not_a_note(root: Path) -> None:
    write(root / "logs/2026-01-01.md", "What happened.\n")

    index = scanned(root)["MEMORY.md"]

    assert isinstance(index, Source)
    assert index.role == "memory-sections"


class TestEdit:
    def test_an_editor_gets_only_the_section(self, store: Changed) -> None:
        form = store.library.plans.form(store.memory("Deploys"))

        assert form.raw.decode().startswith("## Deploys ##\n\n- Never")
        assert form.raw.decode().endswith("nobody is there\n")

    def test_all_other_bytes_stay(self, store: Changed) -> None:
        deploys = store.memory("Deploys")
        was = store.library.plans.form(deploys).raw

        store.do(Rewrite(was=was, raw=b"## Deploys\n\nAny day."), deploys)

        expected = ONLY.replace(was.decode(), "## Deploys\n\nAny day.\n")
        assert store.text("MEMORY.md") == expected
        assert store.memory("Deploys").ref == deploys.ref
        store.undo()
        assert store.text("MEMORY.md") == ONLY

    def test_a_concurrent_change_is_not_overwritten(
        self, store: Changed, root: Path
    ) -> None:
        deploys = store.memory("Deploys")
        was = store.library.plans.form(deploys).raw
        write(root / "MEMORY.md", ONLY.replace("Friday", "Monday"))

        with pytest.raises(ChangedOnDiskError):
            store.plan(Rewrite(was=was, raw=b"## Deploys\n\nx\n"), deploys)

    def test_text_added_before_the_section_does_not_matter(
        self, store: Changed, root: Path
    ) -> None:
        deploys = store.memory("Deploys")
        was = store.library.plans.form(deploys).raw
        longer = ONLY.replace("Written", "New.\n\nWritten")
        write(root / "MEMORY.md", longer)
        store.library.sync()

        store.do(Rewrite(was=was, raw=was + b"- or ever\n"), deploys)

        expected = longer.replace("is there\n", "is there\n- or ever\n")
        assert store.text("MEMORY.md") == expected

    @pytest.mark.parametrize("raw", [b"", b" \n", b"\xff"])
    def test_a_text_that_is_not_utf8_is_refused(
        self, store: Changed, raw: bytes
    ) -> None:
        deploys = store.memory("Deploys")
        was = store.library.plans.form(deploys).raw

        with pytest.raises(NotPossibleError):
            store.plan(Rewrite(was=was, raw=raw), deploys)

    def test_a_missing_section_is_reported(self, store: Changed, root: Path) -> None:
        deploys = store.memory("Deploys")
        write(root / "MEMORY.md", "# Project memory\n\nAll gone.\n")

        with pytest.raises(ChangedOnDiskError, match="Deploys"):
            store.library.plans.form(deploys)


def test_a_heading_is_renamed_and_links_follow(store: Changed) -> None:
    store.do(Rename(title="Releases"), store.memory("Deploys"))

    expected = ONLY.replace("## Deploys ##", "## Releases ##")
    assert store.text("MEMORY.md") == expected.replace("[[Deploys]]", "[[Releases]]")
    assert store.memory("Releases").links_in == 1
    store.undo()
    assert store.text("MEMORY.md") == ONLY


def test_a_text_without_a_heading_has_no_name_to_change(
    store: Changed, root: Path
) -> None:
    write(root / "MEMORY.md", "Use tabs.\n")
    store.library.sync()

    with pytest.raises(NotPossibleError, match="heading"):
        store.plan(Rename(title="Tabs"), store.memory("Use tabs."))


def test_a_section_is_deleted(store: Changed) -> None:
    planned = store.do(Delete(), store.memory("Deploys"))

    start, end = ONLY.index("## Deploys"), ONLY.index("## Commands\n\nTwice")
    assert store.text("MEMORY.md") == ONLY[:start] + ONLY[end:]
    assert planned.draft.is_grave
    assert any("still link" in each for each in planned.draft.warnings)
    store.undo()
    assert store.text("MEMORY.md") == ONLY


def test_sections_with_the_same_name_are_distinguished(store: Changed) -> None:
    both = [one for one in store.memories() if one.title == "Commands"]

    store.do(Delete(), *both)

    text = store.text("MEMORY.md")
    assert "Commands" not in text
    assert text.endswith(
        "## Deploys ##\n\n- Never on Friday\n- **Why:** nobody is there\n"
    )


def test_sections_are_merged(store: Changed) -> None:
    first, second = sorted(
        (one for one in store.memories() if one.title == "Commands"),
        key=lambda one: one.line or 0,
    )

    store.do(Merge(), first, second)

    text = store.text("MEMORY.md")
    assert text.count("## Commands") == 1
    assert "takes an hour.\n\nTwice the same heading.\n\n## Deploys" in text
    store.undo()
    assert store.text("MEMORY.md") == ONLY


def test_a_pin_belongs_to_one_section_and_follows_its_name(store: Changed) -> None:
    store.do(Pin(), store.memory("Deploys"))
    assert [one.title for one in store.memories() if one.pinned] == ["Deploys"]
    assert store.text("MEMORY.md") == ONLY

    store.do(Rename(title="Releases"), store.memory("Deploys"))
    assert [one.title for one in store.memories() if one.pinned] == ["Releases"]

    store.do(Pin(pins=False), store.memory("Releases"))
    assert not any(one.pinned for one in store.memories())


@pytest.mark.parametrize("text", [ONLY, ONLY.rstrip("\n"), ONLY.replace("\n", "\r\n")])
def test_a_new_memory_becomes_a_section(store: Changed, root: Path, text: str) -> None:
    write(root / "MEMORY.md", text)
    store.library.sync()

    planned = store.do(Create(title="Style", body="Tabs.\n", fields={"type": "user"}))

    newline = "\r\n" if "\r\n" in text else "\n"
    added = f"{newline}## Style{newline}{newline}Tabs.{newline}"
    assert store.text("MEMORY.md") == text.rstrip("\r\n") + newline + added
    assert any("`type`" in each for each in planned.draft.warnings)
    assert len(titles(store)) == len(sections("MEMORY.md", text)) + 1
    store.undo()
    assert store.text("MEMORY.md") == text


def test_imported_records_become_sections(store: Changed) -> None:
    records: list[Json] = [
        {"name": "Style", "description": "Tabs", "type": "user", "body": "Tabs."}
    ]

    store.do(Append(kind="import", fields={"records": records}))

    assert "Style" in titles(store)
    assert "Deploys" in titles(store)


@pytest.mark.parametrize(
    "intent",
    [Set(name="type", value="user"), Retag(add=("a",)), Archive()],
    ids=["set", "tag", "archive"],
)
def test_impossible_changes_of_a_section_give_a_reason(
    store: Changed, intent: Set | Retag | Archive
) -> None:
    deploys = store.memory("Deploys")

    with pytest.raises(NotPossibleError, match=r"Sections of MEMORY\.md"):
        store.plan(intent, deploys)
    assert store.library.plans.possible(deploys)[intent.word]


def test_the_index_is_not_rebuilt_over_its_memories(store: Changed) -> None:
    with pytest.raises(
        NotPossibleError,
        match=r"MEMORY\.md contains the memories itself; there is nothing to",
    ):
        store.plan(Rebuild(name="notes-index"))


def test_the_review_goes_through_sections(store: Changed) -> None:
    due = store.library.review.due(["orphans"])

    assert sorted(one.memory.title for one in due) == ["Commands", "Commands"]


lines = st.lists(
    st.sampled_from(
        ["# A", "## B", "## B", "### C", "text", "- [x](x.md) — y", "```", "", "  "]
    )
)


@given(lines, st.sampled_from(["\n", "\r\n"]))
def test_sections_never_overlap_and_have_unique_names(
    parts: list[str], newline: str
) -> None:
    text = newline.join(parts)

    found = sections("MEMORY.md", text)

    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert one.start <= one.body <= one.stop <= one.end
        assert not text[one.stop : one.end].strip()
        assert text[: one.start].count("\n") == one.line
    for one, other in pairwise(found):
        assert one.end <= other.start
