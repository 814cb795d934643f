"""Notes renamed, put away, deleted, merged, moved: their lines and links follow."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.draft import Marking
from store.edits.refusals import LockedError, NotPossibleError
from store.records.intents import (
    Archive,
    Delete,
    Mend,
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


def test_a_rename_moves_the_file_and_all_that_calls_it(store: Changed) -> None:
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


def test_a_rename_goes_around_what_is_there(store: Changed) -> None:
    planned = store.do(Rename(title="zoe"), store.memory("Tabs"))

    assert store.memory("zoe").path == "zoe-2.md"
    assert planned.draft.warnings == ("zoe.md is called “Zoe” already.",)
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


def test_a_pin_comes_first_where_somebody_keeps_the_order(store: Changed) -> None:
    planned = store.do(Pin(), store.memory("Tabs"))

    assert planned.draft.marks == (Marking(path="tabs.md", name="pinned", is_set=True),)
    assert store.text("MEMORY.md").startswith(
        "# What I know\n\n## People\n* [Tabs](tabs.md): Tabs, not spaces\n* [Zoe]"
    )
    unpinned = store.plan(Pin(pins=False), store.memory("Tabs"))
    assert unpinned.draft.marks[0].is_set is False
    assert unpinned.draft.steps == ()
    store.undo()
    assert store.text("MEMORY.md") == KEPT


def test_a_pin_is_but_a_mark_where_files_are_in_order(loop: Changed) -> None:
    planned = loop.plan(Pin(), loop.memory("Bee"))

    assert planned.draft.steps == ()
    assert planned.draft.marks[0].is_set
    assert "in the order of its files" in planned.draft.warnings[0]


def test_a_note_without_a_line_gets_the_first(store: Changed) -> None:
    store.do(Pin(), store.memory("Plain"))

    assert "## People\n* [plain](plain.md) – # Plain\n* [Zoe]" in store.text(
        "MEMORY.md"
    )


def test_what_is_put_away_is_listed_no_more_and_comes_back(store: Changed) -> None:
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


def test_links_of_what_is_put_away_lead_where_they_led(store: Changed) -> None:
    store.do(Archive(), store.memory("Tabs"))

    assert "and [her](./../zoe.md).\n" in store.text("archive/tabs.md")
    assert store.problems("dangling-link") == []


def test_a_delete_takes_its_line_along(store: Changed) -> None:
    before = store.tree()

    planned = store.do(Delete(), store.memory("Tabs"))

    assert planned.draft.is_grave
    assert planned.draft.warnings == (
        "plain.md, zoe.md will go on naming “Tabs”.",
        "MEMORY.md names tabs.md on line 7 within a sentence, which stays.",
    )
    assert store.text("MEMORY.md") == KEPT.replace(
        "* [Tabs](tabs.md): Tabs, not spaces\n", ""
    )
    store.undo()
    assert store.tree() == before


def test_the_last_note_leaves_an_empty_index(loop: Changed) -> None:
    loop.do(Delete(), loop.memory("Ant"), loop.memory("Bee"))

    assert loop.text("MEMORY.md") == ""


def test_a_merge_leads_to_the_first(store: Changed) -> None:
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
        "She said [[zoe]], [[Zoe|so]] and `[[tabs]]`.\n\n"
        "Use tabs, see [[zoe]] and [her](./zoe.md).\n"
    )
    assert "[[Zoe]]" in store.text("plain.md")
    assert "(tabs.md): " not in store.text("MEMORY.md")
    assert not (store.root / "tabs.md").exists()


def test_a_merged_text_may_be_chosen(store: Changed) -> None:
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
        "There is a tabs.md already, so this becomes tabs-2.md.",
        "1 link of “Tabs” lead to notes that stay.",
    )
    store.undo()
    assert (other / "MEMORY.md").read_text("utf-8") == GENERATED
    assert store.text("MEMORY.md") == KEPT


def test_a_copy_stays_as_well(tmp_path: Path, store: Changed) -> None:
    other = tmp_path / ".memory"
    other.mkdir()

    store.do(Move(to=str(other), keeps=True), store.memory("Zoe"))

    assert (other / "zoe.md").read_bytes() == (store.root / "zoe.md").read_bytes()
    assert (
        (other / "MEMORY.md")
        .read_text("utf-8")
        .endswith("- [Zoe](zoe.md) — Who: Zoe\n")
    )


def test_a_store_that_is_consolidated_gets_nothing(
    tmp_path: Path, store: Changed
) -> None:
    other = generated(tmp_path / ".memory")
    lock = write(other / ".consolidate-lock", "1")
    os.utime(lock, (NOW / 1e6, NOW / 1e6))

    with pytest.raises(LockedError, match="consolidated"):
        store.plan(Move(to=str(other)), store.memory("Zoe"))


@pytest.mark.parametrize("to", ["memory", "nowhere", "own"])
def test_what_is_no_other_store_is_refused(
    tmp_path: Path, store: Changed, to: str
) -> None:
    with pytest.raises(NotPossibleError):
        store.plan(Move(to=str(tmp_path / to)), store.memory("Zoe"))


def test_the_index_is_made_anew_by_the_rule(loop: Changed) -> None:
    write(loop.root / "c.md", "First line\n\nmore\n")
    write(loop.root / "MEMORY.md", "- [Bee](b.md) — Old words\n")
    loop.library.sync()

    planned = loop.do(Rebuild(name="notes-index"))

    assert not planned.draft.is_grave
    assert loop.text("MEMORY.md") == GENERATED + "- [c](c.md) — First line\n"
    assert loop.plan(Rebuild(name="notes-index")).is_idle


def test_what_somebody_wrote_is_shown_before_it_goes(store: Changed) -> None:
    planned = store.do(Rebuild(name="notes-index"))

    assert planned.draft.is_grave
    assert planned.draft.warnings == (
        "MEMORY.md was written by hand: 6 lines of it that list no note go.",
    )
    assert store.text("MEMORY.md") == (
        "- [plain](plain.md) — # Plain\n- [Tabs](tabs.md) — Tabs, not spaces\n"
        "- [Zoe](zoe.md) — Who: Zoe\n"
    )
    with pytest.raises(NotPossibleError, match="notes-index"):
        store.plan(Rebuild(name="core"))


def test_problems_are_put_right(store: Changed) -> None:
    index = KEPT.replace("* [Zoe]", "* [Gone](gone.md) – was here\n* [Zoe]")
    write(store.root / "MEMORY.md", index)
    write(store.root / "bad.md", note("name: Bad\ndescription: a: b # c\n"))
    store.library.sync()

    for code in ("lost-link", "unlisted-memory", "invalid-yaml", "no-type"):
        problems = store.problems(code)
        assert {store.library.possible(one)["fix"] for one in problems} == {""}
        store.do(Mend(), *problems)
        assert store.problems(code) == []

    assert store.text("MEMORY.md") == KEPT.replace(
        "tea.example)\n",
        "tea.example)\n* [Bad](bad.md) – a: b # c\n* [plain](plain.md) – # Plain\n",
    )
    assert strictly(store.text("bad.md"))["description"] == "a: b # c"


def test_a_problem_that_nothing_mends_says_so(store: Changed) -> None:
    write(store.root / "odd.md", note("name: O\ndescription: d\n", "[x](../../out.md)"))
    store.library.sync()
    (problem,) = store.problems("link-leads-out")

    with pytest.raises(NotPossibleError, match="but an editor"):
        store.plan(Mend(), problem)


def test_an_index_that_another_wrote_meanwhile_is_changed_as_it_is_by_then(
    store: Changed,
) -> None:
    planned = store.plan(Delete(), store.memory("Tabs"))
    write(store.root / "MEMORY.md", f"new line\n{KEPT}")

    store.library.change(planned, is_permitted=True)

    assert store.text("MEMORY.md") == "new line\n" + KEPT.replace(
        "* [Tabs](tabs.md): Tabs, not spaces\n", ""
    )


def test_an_index_that_is_no_utf8_is_left_alone(store: Changed) -> None:
    (store.root / "MEMORY.md").write_bytes(b"caf\xe9\n- [Tabs](tabs.md)\n")
    store.library.sync()

    planned = store.do(Delete(), store.memory("Tabs"))

    assert "MEMORY.md is no UTF-8 text and is left alone." in planned.draft.warnings
