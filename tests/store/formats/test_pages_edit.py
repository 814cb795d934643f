"""Pages created, changed, renamed, archived, merged and deleted; links follow."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import NotPossibleError, UnknownFieldError
from store.findings import Value
from store.formats.pages.format import FORMAT
from store.records.intents import (
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Relate,
    Rename,
    Retag,
    Rewrite,
    Set,
)
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_stores import write
from tests.store.formats.pages_stores import serena, vault


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Changed]:
    """An Obsidian vault."""
    with Changed(vault(tmp_path / "brain"), FORMAT, tmp_path / "own") as changed:
        yield changed


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Changed]:
    """Serena's memories of a project."""
    root = serena(tmp_path / "project/.serena/memories")
    with Changed(root, FORMAT, tmp_path / "own") as changed:
        yield changed


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Changed]:
    (tmp_path / "empty").mkdir()
    with Changed(tmp_path / "empty", FORMAT, tmp_path / "own") as changed:
        yield changed


def test_a_rename_changes_the_file_and_every_link_to_it(brain: Changed) -> None:
    before = brain.tree()

    planned = brain.do(Rename(title="Invoicing"), brain.memory("Billing service"))

    assert planned.draft.action == "rename “Billing service” to “Invoicing”"
    assert brain.memory("Invoicing").path == "Invoicing.md"
    assert "see [[Invoicing]] and" in brain.text("Retry policy.md")
    assert brain.text("people/Zoe.md") == "# Zoe\n\nOwns [billing](../Invoicing.md).\n"
    assert brain.text("Invoicing.md") == before["Billing service.md"].decode()
    brain.undo()
    assert brain.tree() == before


def test_a_link_by_path_follows_and_keeps_its_heading_and_label(brain: Changed) -> None:
    brain.do(Rename(title="Zoe Smith"), brain.memory("Zoe"))

    assert brain.text("people/Zoe Smith.md").startswith("# Zoe Smith\n")
    assert "[[people/Zoe Smith#Phone|her]]" in brain.text("Retry policy.md")
    assert "[Zoe](people/Zoe%20Smith.md#phone)" in brain.text("Billing service.md")


def test_a_link_by_alias_stays(brain: Changed) -> None:
    brain.do(Rename(title="Patience"), brain.memory("Retry policy"))

    assert "[[Retries]]" in brain.text("Billing service.md")
    assert {(e.from_title, e.to_title) for e in brain.edges()} >= {
        ("Billing service", "Patience")
    }


def test_a_file_is_named_like_the_others_of_its_folder(project: Changed) -> None:
    project.do(Rename(title="Useful Commands"), project.memory("Suggested Commands"))
    project.do(Rename(title="House style"), project.memory("Style guide"))
    project.do(Rename(title="The core"), project.memory("Core"))

    assert set(project.tree()) == {
        "the_core.md",
        "useful_commands.md",
        "topic/house_style.md",
    }
    assert project.text("useful_commands.md").startswith("# Useful Commands\n\n`make")
    assert "Read [[useful_commands]] first" in project.text("the_core.md")
    assert "[core](../the_core.md)" in project.text("topic/house_style.md")


def test_a_file_with_another_name_keeps_it(brain: Changed) -> None:
    write(brain.root / "2026-02-03.md", "---\ntitle: Standup\n---\nWe met.\n")
    write(brain.root / "log.md", "After [[Standup]] and [[2026-02-03]].\n")
    brain.library.sync()

    brain.do(Rename(title="Retro"), brain.memory("Standup"))

    assert brain.text("2026-02-03.md") == "---\ntitle: Retro\n---\nWe met.\n"
    assert brain.text("log.md") == "After [[Retro]] and [[2026-02-03]].\n"


def test_a_title_that_makes_no_file_name_is_written_into_the_page(
    brain: Changed,
) -> None:
    brain.do(Rename(title="Billing: how / why?"), brain.memory("Billing service"))

    assert brain.memory("Billing: how / why?").path == "Billing- how - why.md"
    assert brain.text("Billing- how - why.md").startswith(
        '---\ntitle: "Billing: how / why?"\n---\n\nFails often'
    )


def test_a_rename_avoids_existing_files(brain: Changed) -> None:
    planned = brain.do(Rename(title="Retry policy"), brain.memory("Billing service"))

    assert (brain.root / "Retry policy-2.md").is_file()
    assert planned.draft.warnings == (
        "The title “Retry policy” is already used by Retry policy.md.",
    )


def test_a_new_page_is_named_like_the_others(brain: Changed, project: Changed) -> None:
    brain.do(Create(title="On call", body="Who answers: [[Zoe]].", fields={}))
    project.do(Create(title="On call", body="Who answers.", fields={}))

    assert brain.text("On call.md") == "Who answers: [[Zoe]].\n"
    assert project.text("on_call.md") == "# On call\n\nWho answers.\n"
    assert brain.memory("On call").links_out == 1
    project.undo()
    assert "on_call.md" not in project.tree()


def test_a_new_page_has_a_header_for_its_fields(empty: Changed) -> None:
    fields: dict[str, Value] = {"type": "decision", "tags": ["a b", "c"]}

    planned = empty.do(Create(title="Use *tabs*: why?", body="", fields=fields))

    assert planned.draft.action == "new “Use *tabs*: why?” in use-tabs-why.md"
    assert empty.text("use-tabs-why.md") == (
        "---\ntype: decision\ntags: [a b, c]\n---\n\n# Use *tabs*: why?\n"
    )
    memory = empty.memory("Use *tabs*: why?")
    assert (memory.type, memory.tags) == ("decision", ("a b", "c"))


def test_fields_and_tags_go_into_the_header(brain: Changed) -> None:
    zoe = brain.memory("Zoe")
    brain.do(Set(name="type", value="person"), zoe)
    brain.do(Retag(add=("team",)), brain.memory("Zoe"))
    brain.do(Retag(add=("retry",), remove=("http",)), brain.memory("Retry policy"))

    assert brain.text("people/Zoe.md").startswith(
        "---\ntype: person\ntags: [team]\n---\n\n# Zoe\n"
    )
    assert "tags:\n  - billing\n  - retry\n" in brain.text("Retry policy.md")
    with pytest.raises(UnknownFieldError, match="tpye"):
        brain.plan(Set(name="tpye", value="x"), brain.memory("Zoe"))


def test_a_new_title_updates_links_by_title(brain: Changed) -> None:
    write(brain.root / "a.md", "---\ntitle: Old name\n---\n")
    write(brain.root / "b.md", "[[Old name]], [[a]]\n")
    brain.library.sync()

    brain.do(Set(name="title", value="New name"), brain.memory("Old name"))

    assert brain.text("b.md") == "[[New name]], [[a]]\n"


def test_an_edited_page_is_saved_byte_for_byte(brain: Changed) -> None:
    before = brain.tree()
    raw = b"\xef\xbb\xbf# Zoe\r\n\r\nLeft [[Billing service]].\r\n"

    brain.do(Rewrite(was=before["people/Zoe.md"], raw=raw), brain.memory("Zoe"))

    assert brain.tree() == before | {"people/Zoe.md": raw}
    brain.undo()
    assert brain.tree() == before


def test_an_archived_page_keeps_its_links(brain: Changed) -> None:
    before, edges = brain.tree(), {(e.from_title, e.to_title) for e in brain.edges()}

    brain.do(Archive(archives=True), brain.memory("Zoe"))

    assert brain.memory("Zoe").archived
    assert brain.text("archive/people/Zoe.md") == (
        "# Zoe\n\nOwns [billing](../../Billing%20service.md).\n"
    )
    assert "[Zoe](archive/people/Zoe.md#phone)" in brain.text("Billing service.md")
    assert {(e.from_title, e.to_title) for e in brain.edges()} == edges
    brain.do(Archive(archives=False), brain.memory("Zoe"))
    assert brain.tree() == before


def test_links_by_the_path_in_the_archive_follow_a_page_out_of_it(
    brain: Changed,
) -> None:
    write(brain.root / "archive/old.md", "# Old\n")
    write(brain.root / "log.md", "[[archive/old]] and [[old]]\n")
    brain.library.sync()

    brain.do(Archive(archives=False), brain.memory("Old"))

    assert brain.text("log.md") == "[[old]] and [[old]]\n"


def test_a_title_like_the_name_of_a_file_is_linked(brain: Changed) -> None:
    brain.do(Rename(title="claude.md"), brain.memory("Billing service"))

    assert brain.memory("claude.md").path == "claude.md"
    assert "see [[claude]] and" in brain.text("Retry policy.md")


def test_a_deleted_page_is_grave_and_says_who_still_names_it(brain: Changed) -> None:
    before = brain.tree()

    planned = brain.do(Delete(), brain.memory("Zoe"))

    assert planned.draft.is_grave
    (warning,) = planned.draft.warnings
    assert "Billing service.md, Retry policy.md" in warning
    assert set(before) - set(brain.tree()) == {"people/Zoe.md"}
    brain.undo()
    assert brain.tree() == before


def test_pages_are_merged_with_their_links(brain: Changed) -> None:
    brain.do(Merge(), brain.memory("Retry policy"), brain.memory("Billing service"))

    assert "Billing service.md" not in brain.tree()
    text = brain.text("Retry policy.md")
    assert "Three tries, see Billing service" in text
    assert (
        "Fails often, hence the [[Retries]]. Ask [Zoe](people/Zoe.md#phone).\n" in text
    )
    assert "[billing](../Retry%20policy.md)" in brain.text("people/Zoe.md")


def test_a_pin_is_remembered_and_follows_a_rename(brain: Changed) -> None:
    before = brain.tree()
    brain.do(Pin(pins=True), brain.memory("Zoe"))

    assert brain.tree() == before
    assert brain.memory("Zoe").pinned
    brain.do(Rename(title="Zoe Smith"), brain.memory("Zoe"))
    assert brain.memory("Zoe Smith").pinned


def test_unquoted_values_are_quoted(brain: Changed) -> None:
    write(brain.root / "bad.md", "---\ntitle: A: b\nx: 1\n---\nText.\n")
    brain.library.sync()

    brain.fix("invalid-yaml")

    assert brain.text("bad.md") == '---\ntitle: "A: b"\nx: 1\n---\nText.\n'


@pytest.mark.parametrize(
    ("intent", "titles", "sentence"),
    [
        (
            Rename(title="x"),
            ["Zoe", "Retry policy"],
            r"Only one page can be renamed at a time\.",
        ),
        (Rename(title=" \n"), ["Zoe"], "title"),
        (Create(title=" ", body="", fields={}), [], "title"),
        (Relate(type="link"), ["Zoe", "Retry policy"], "edit the text"),
        (Set(name="body", value="x"), ["Zoe"], r"Use edit to change `body`\."),
        (Merge(), ["Zoe", "Zoe"], "itself"),
    ],
)
def test_impossible_changes_are_refused(
    brain: Changed, intent: Intent, titles: list[str], sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        brain.plan(intent, *map(brain.memory, titles))


def test_a_header_that_cannot_be_read_is_not_changed(brain: Changed) -> None:
    raw = "---\ntitle: Open\n\nNever closed.\n"
    write(brain.root / "open.md", raw)
    brain.library.sync()
    memory = brain.record("memories", "open.md")

    for intent in (Set(name="type", value="x"), Retag(add=("x",))):
        with pytest.raises(
            NotPossibleError, match=r"The front matter of open\.md has no end\."
        ):
            brain.plan(intent, memory)

    assert brain.text("open.md") == raw
