"""Notes renamed, archived, deleted, merged, moved: lines and links follow."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.draft import Marking
from store.errors import LockedError, NotPossibleError
from store.records.intents import (
    Archive,
    Delete,
    Fix,
    Merge,
    Move,
    Pin,
    Rebuild,
    Rename,
    Retag,
)
from tests.store.formats.changed_stores import NOW, Changed, strictly
from tests.store.formats.notes_changes import GENERATED, KEPT, generated, kept, opened
from tests.store.formats.notes_stores import note, write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path, kept(tmp_path / "memory")) as changed:
        yield changed


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path, generated(tmp_path / ".memory")) as changed:
        yield changed


def test_a_rename_moves_the_file_and_updates_references(store: Changed) -> None:
    before = store.tree()

    planned = store.do(Rename(title="Tab Stops"), store.memory("Tabs"))

    assert planned.draft.action == "rename “Tabs” to “Tab Stops”"
    assert store.memory("Tab Stops").path == "tab-stops.md"
    assert store.text("MEMORY.md") == KEPT.replace(
        "[the tabs note](tabs.md#why)", "[the tabs note](tab-stops.md#why)"
    ).replace("* [Tabs](tabs.md)", "* [Tab Stops](tab-stops.md)")
    assert store.text("zoe.md").endswith(
        "She said [[tab-stops]], [[Tab Stops|so]] and `[[tabs]]`.\n"
    )
    assert "[[Tab Stops]]" in store.text("plain.md")
    store.undo()
    assert store.tree() == before


def test_a_note_without_a_header_is_renamed_by_its_heading(store: Changed) -> None:
    write(store.root / "MEMORY.md", "- [Plain](plain.md) - text\n")
    store.library.sync()

    store.do(Rename(title="Quite Plain"), store.memory("Plain"))

    assert store.text("quite-plain.md").startswith("# Quite Plain\n\nNothing")
    assert store.text("MEMORY.md") == "- [Quite Plain](quite-plain.md) - text\n"


def test_a_rename_avoids_existing_files(store: Changed) -> None:
    planned = store.do(Rename(title="zoe"), store.memory("Tabs"))

    assert store.memory("zoe").path == "zoe-2.md"
    assert planned.draft.warnings == ("The title “Zoe” is already used by zoe.md.",)
    assert not store.plan(Rename(title="Text"), store.memory("Plain")).draft.warnings


def test_a_header_that_lists_its_links_follows(store: Changed) -> None:
    write(
        store.root / "z.md", note("name: Z\ndescription: d\nlinks: ['[[Tabs]]', zoe]\n")
    )
    write(store.root / "y.md", note("name: Y\ndescription: d\nlinks: tabs\n"))
    store.library.sync()

    store.do(Rename(title="Stops"), store.memory("Tabs"))

    assert "links: ['[[Stops]]', zoe]\n" in store.text("z.md")
    assert "links: stops\n" in store.text("y.md").lower()


@pytest.mark.parametrize("title", ["Tabs", "Zoe", "Plain"])
def test_pinning_and_unpinning_leave_the_index_unchanged(
    store: Changed, title: str
) -> None:
    path = store.memory(title).path

    planned = store.do(Pin(), store.memory(title))

    assert planned.draft.marks == (Marking(path=path, name="pinned", is_set=True),)
    assert planned.draft.steps == ()
    assert store.memory(title).pinned
    store.do(Pin(pins=False), store.memory(title))
    assert not store.memory(title).pinned
    assert store.text("MEMORY.md") == KEPT
    store.undo()
    assert store.memory(title).pinned


def test_an_archived_note_is_not_listed_until_it_is_unarchived(store: Changed) -> None:
    before = store.tree()
    planned = store.do(Archive(), store.memory("Zoe"))

    assert store.memory("Zoe").archived
    assert store.text("archive/zoe.md") == before["zoe.md"].decode()
    assert "[her](./archive/zoe.md)" in store.text("tabs.md")
    assert "[Zoe]" not in store.text("MEMORY.md")
    assert not planned.draft.is_grave
    assert store.plan(Archive(), store.memory("Zoe")).is_idle

    store.do(Archive(archives=False), store.memory("Zoe"))

    assert store.text("zoe.md") == before["zoe.md"].decode()
    assert "[her](./zoe.md)" in store.text("tabs.md")
    assert "(zoe.md)" in store.text("MEMORY.md")
    store.undo()
    store.undo()
    assert store.tree() == before


def test_links_of_an_archived_note_keep_their_targets(store: Changed) -> None:
    store.do(Archive(), store.memory("Tabs"))

    assert "and [her](./../zoe.md).\n" in store.text("archive/tabs.md")
    assert store.problems("dangling-link") == []


def test_a_delete_removes_the_line_of_a_note(store: Changed) -> None:
    before = store.tree()

    planned = store.do(Delete(), store.memory("Tabs"))

    assert planned.draft.is_grave
    assert planned.draft.warnings == (
        "References to “Tabs” will remain in plain.md, zoe.md.",
        "MEMORY.md still mentions tabs.md in a sentence on line 7.",
    )
    assert store.text("MEMORY.md") == KEPT.replace(
        "* [Tabs](tabs.md): Tabs, not spaces\n", ""
    )
    store.undo()
    assert store.tree() == before


def test_deleting_the_last_note_leaves_an_empty_index(loop: Changed) -> None:
    loop.do(Delete(), loop.memory("Ant"), loop.memory("Bee"))

    assert loop.text("MEMORY.md") == ""


def test_a_merge_redirects_links_to_the_first(store: Changed) -> None:
    store.do(Retag(add=("t",)), store.memory("Tabs"))
    store.do(
        Merge(fields={"description": "All of it"}),
        store.memory("Zoe"),
        store.memory("Tabs"),
    )

    header = strictly(store.text("zoe.md"))
    assert header["description"] == "All of it"
    assert header["tags"] == ["t"]
    assert header["metadata"]["modified"].isoformat() == "2026-03-01T12:00:00+00:00"
    assert store.text("zoe.md").endswith(
        "She said tabs, so and `[[tabs]]`.\n\nUse tabs, see zoe and her.\n"
    )
    assert "[[Zoe]]" in store.text("plain.md")
    assert "(tabs.md): " not in store.text("MEMORY.md")
    assert not (store.root / "tabs.md").exists()


def test_a_merged_text_can_be_chosen(store: Changed) -> None:
    store.do(Merge(body="Chosen.\n"), store.memory("Zoe"), store.memory("Plain"))

    assert store.text("zoe.md").endswith("---\n\nChosen.\n")


def test_a_note_moves_to_another_project(tmp_path: Path, store: Changed) -> None:
    other = generated(tmp_path / "other" / ".memory")
    write(other / "tabs.md", "something else\n")

    planned = store.do(Move(to=str(other)), store.memory("Tabs"))

    assert (other / "tabs-2.md").read_text("utf-8").endswith("[her](./zoe.md).\n")
    assert (other / "MEMORY.md").read_text("utf-8") == GENERATED + (
        "- [Tabs](tabs-2.md) — Tabs, not spaces\n"
    )
    assert not (store.root / "tabs.md").exists()
    assert "(tabs.md): " not in store.text("MEMORY.md")
    assert planned.draft.warnings[:2] == (
        "tabs.md already exists, so the file is named tabs-2.md.",
        "1 link of “Tabs” will break, as the linked notes stay here.",
    )
    store.undo()
    assert (other / "MEMORY.md").read_text("utf-8") == GENERATED
    assert store.text("MEMORY.md") == KEPT


def test_a_copy_leaves_the_original(tmp_path: Path, store: Changed) -> None:
    other = tmp_path / ".memory"
    other.mkdir()

    store.do(Move(to=str(other), keeps=True), store.memory("Zoe"))

    assert (other / "zoe.md").read_bytes() == (store.root / "zoe.md").read_bytes()
    assert (
        (other / "MEMORY.md")
        .read_text("utf-8")
        .endswith("- [Zoe](zoe.md) — Who: Zoe\n")
    )


def test_a_store_being_consolidated_receives_nothing(
    tmp_path: Path, store: Changed
) -> None:
    other = generated(tmp_path / ".memory")
    lock = write(other / ".consolidate-lock", "1")
    os.utime(lock, (NOW / 1e6, NOW / 1e6))

    with pytest.raises(LockedError, match="consolidated"):
        store.plan(Move(to=str(other)), store.memory("Zoe"))


@pytest.mark.parametrize("to", ["memory", "nowhere", "own"])
def test_a_target_must_be_another_store(
    tmp_path: Path, store: Changed, to: str
) -> None:
    with pytest.raises(NotPossibleError):
        store.plan(Move(to=str(tmp_path / to)), store.memory("Zoe"))


def test_the_index_is_rebuilt_by_the_rule(loop: Changed) -> None:
    write(loop.root / "c.md", "First line\n\nmore\n")
    write(loop.root / "MEMORY.md", "- [Bee](b.md) — Old words\n")
    loop.library.sync()

    planned = loop.do(Rebuild(name="notes-index"))

    assert not planned.draft.is_grave
    assert loop.text("MEMORY.md") == GENERATED + "- [c](c.md) — First line\n"
    assert loop.plan(Rebuild(name="notes-index")).is_idle


def test_handwritten_text_is_shown_before_it_is_removed(store: Changed) -> None:
    planned = store.do(Rebuild(name="notes-index"))

    assert planned.draft.is_grave
    assert planned.draft.warnings == (
        "MEMORY.md was written by hand: 6 lines that list no note will be lost.",
    )
    assert store.text("MEMORY.md") == (
        "- [plain](plain.md) — # Plain\n- [Tabs](tabs.md) — Tabs, not spaces\n"
        "- [Zoe](zoe.md) — Who: Zoe\n"
    )
    with pytest.raises(NotPossibleError, match="notes-index"):
        store.plan(Rebuild(name="core"))


def test_problems_are_fixed(store: Changed) -> None:
    index = KEPT.replace("* [Zoe]", "* [Gone](gone.md) – was here\n* [Zoe]")
    write(store.root / "MEMORY.md", index)
    write(store.root / "bad.md", note("name: Bad\ndescription: a: b # c\n"))
    store.library.sync()

    for code in ("lost-link", "unlisted-memory", "invalid-yaml", "no-type"):
        problems = store.problems(code)
        assert {store.library.plans.possible(one)["fix"] for one in problems} == {""}
        store.do(Fix(), *problems)
        assert store.problems(code) == []

    assert store.text("MEMORY.md") == KEPT.replace(
        "tea.example)\n",
        "tea.example)\n* [Bad](bad.md) – a: b # c\n* [plain](plain.md) – # Plain\n",
    ).replace("* [Zoe]", "* Gone (gone.md) – was here\n* [Zoe]")
    assert strictly(store.text("bad.md"))["description"] == "a: b # c"


LOST = """\
# Ours

* [Tabs](tabs.md): see [design](design.md#why "Why"), [[Ghost|him]] and [[ghosts]]
[design.md](design.md) and `[code](design.md)`, [design](design.md)
"""


def test_text_around_a_broken_link_stays(store: Changed) -> None:
    write(store.root / "MEMORY.md", LOST)
    store.library.sync()
    problems = store.problems("lost-link")
    assert len(problems) == 5

    planned = store.do(Fix(), *problems)

    assert planned.draft.is_grave
    assert store.text("MEMORY.md") == (
        "# Ours\n\n"
        "* [Tabs](tabs.md): see design (design.md#why), him (Ghost) and ghosts\n"
        "design.md and `[code](design.md)`, design (design.md)\n"
    )
    assert store.problems("lost-link") == []


@pytest.mark.parametrize("place", ["docs/design.md", ".claude/docs/design.md"])
def test_a_link_to_a_file_of_the_project_is_not_fixed(
    tmp_path: Path, place: str
) -> None:
    root = kept(tmp_path / "repo" / ".claude" / "memory")
    write(tmp_path / "repo" / place, "Design.")
    write(root / "MEMORY.md", f"{KEPT}\nSee [it](docs/design.md).\n")
    with opened(tmp_path, root) as store:
        (problem,) = store.problems("lost-link")

        with pytest.raises(NotPossibleError, match=f"file of the project: .*{place}"):
            store.plan(Fix(), problem)


def test_a_problem_without_a_fix_says_so(store: Changed) -> None:
    write(store.root / "odd.md", note("name: O\ndescription: d\n", "[x](../../out.md)"))
    store.library.sync()
    (problem,) = store.problems("link-leads-out")

    with pytest.raises(
        NotPossibleError,
        match=r"A link points outside the store; not followed\. Can't be fixed",
    ):
        store.plan(Fix(), problem)


def test_an_index_written_meanwhile_is_updated(
    store: Changed,
) -> None:
    planned = store.plan(Delete(), store.memory("Tabs"))
    write(store.root / "MEMORY.md", f"new line\n{KEPT}")

    store.library.changes.apply(planned, is_permitted=True)

    assert store.text("MEMORY.md") == "new line\n" + KEPT.replace(
        "* [Tabs](tabs.md): Tabs, not spaces\n", ""
    )


def test_an_index_that_is_not_utf8_is_left_alone(store: Changed) -> None:
    (store.root / "MEMORY.md").write_bytes(b"caf\xe9\n- [Tabs](tabs.md)\n")
    store.library.sync()

    planned = store.do(Delete(), store.memory("Tabs"))

    assert "MEMORY.md isn't UTF-8 and won't be updated." in planned.draft.warnings
