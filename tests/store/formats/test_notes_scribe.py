"""What each change writes into a folder of notes, and that everything else stays."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.errors import LockedError, NotPossibleError
from store.records.intents import Create, Relate, Retag, Rewrite, Set, Touch
from tests.store.formats.changed_stores import NOW, Changed, strictly
from tests.store.formats.notes_changes import KEPT, kept, opened
from tests.store.formats.notes_stores import note, write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path, kept(tmp_path / "memory")) as changed:
        yield changed


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("description", "Tabs: # always", "Tabs, not spaces", '"Tabs: # always"'),
        ("description", "One, two", "Tabs, not spaces", "One, two"),
        ("type", "project", "type: feedback", "type: project"),
        ("importance", "0.5", "not spaces\n", "not spaces\nimportance: 0.5\n"),
    ],
)
def test_a_field_is_set_and_its_line_follows(
    store: Changed, name: str, value: str, old: str, new: str
) -> None:
    before = store.tree()

    store.do(Set(name=name, value=value, adds=True), store.memory("Tabs"))

    assert store.text("tabs.md") == before["tabs.md"].decode().replace(
        old, new, 1
    ).replace("2026-01-06T16:42:40.669Z", "2026-03-01T12:00:00.000Z")
    line = KEPT.replace("Tabs, not spaces", value) if name == "description" else KEPT
    assert store.text("MEMORY.md") == line
    assert strictly(store.text("tabs.md"))
    store.undo()
    assert store.tree() == before


def test_chosen_words_in_the_index_stay(store: Changed) -> None:
    store.do(Set(name="description", value="Somebody"), store.memory("Zoe"))

    assert "description: 'Somebody'\n" in store.text("zoe.md")
    assert store.text("MEMORY.md") == KEPT


def test_a_new_name_is_copied_to_the_index_and_to_texts(store: Changed) -> None:
    store.do(Set(name="name", value="Tab: stops"), store.memory("Tabs"))

    assert 'name: "Tab: stops"\n' in store.text("tabs.md")
    assert "* [Tab: stops](tabs.md): Tabs, not spaces\n" in store.text("MEMORY.md")
    assert store.text("zoe.md").endswith(
        "She said [[tabs]], [[Tabs|so]] and `[[tabs]]`.\n"
    )


@pytest.mark.parametrize("title", ["Tabs", "Plain"])
def test_without_a_name_the_title_is_the_name(store: Changed, title: str) -> None:
    path = store.memory(title).path

    store.do(Set(name="title", value="Tabulators"), store.memory(title))

    assert store.memory("Tabulators").path == path
    header = strictly(store.text(path))
    assert (header["name"], "title" in header) == ("Tabulators", False)


def test_a_note_without_a_header_gets_one(store: Changed) -> None:
    store.do(Set(name="type", value="reference"), store.memory("Plain"))

    assert store.text("plain.md") == (
        "---\nmetadata: \n  node_type: memory\n  type: reference\n"
        "  modified: 2026-03-01T12:00:00.000Z\n---\n\n"
        "# Plain\n\nNothing but text, and [[TABS]].\n"
    )


def test_an_invalid_yaml_header_is_fixed_too(store: Changed) -> None:
    write(
        store.root / "bad.md",
        note("name: Bad\ndescription: Style: NYC # 1\ntype: user\n"),
    )
    store.library.sync()

    planned = store.do(Set(name="type", value="project"), store.memory("Bad"))

    assert store.text("bad.md") == note(
        'name: Bad\ndescription: "Style: NYC # 1"\ntype: project\n'
    )
    assert (
        "Invalid YAML in bad.md; missing quotes will be added."
        in planned.draft.warnings[0]
    )


def test_a_type_unknown_to_agents_is_reported(store: Changed) -> None:
    planned = store.do(Set(name="type", value="report"), store.memory("Tabs"))
    made = store.plan(Create(title="Now", fields={"type": "report"}))

    told = ("Agents don't know the type `report`.",)
    assert planned.draft.warnings == made.draft.warnings == told


def test_tags_are_added_and_removed(store: Changed) -> None:
    store.do(Retag(add=("a b", "c")), store.memory("Tabs"), store.memory("Plain"))
    store.do(Retag(add=("d",), remove=("c",)), store.memory("Tabs"))

    assert "not spaces\ntags: [a b, d]\n" in store.text("tabs.md")
    assert store.text("plain.md").startswith("---\ntags: [a b, c]\n---\n\n# Plain")
    store.do(Set(name="tags", value="x, y"), store.memory("Tabs"))
    assert "tags: [x, y]\n" in store.text("tabs.md")
    store.do(Set(name="tags", value=None), store.memory("Tabs"))
    assert "tags" not in store.text("tabs.md")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("description", " ", "one line"),
        ("importance", "much", "a number"),
        ("metadata", "x", r"Use edit to change `metadata`\."),
        ("no key", "x", r"Invalid field name 'no key'\."),
    ],
)
def test_unknown_fields_are_refused(
    store: Changed, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Set(name=name, value=value, adds=True), store.memory("Tabs"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "---\nname: O\nname: P\n---\n",
            r"Can't change odd\.md\. Duplicate key “name” \(line 3\)\.",
        ),
        (
            "---\nname: O\n x\n- y\n---\n",
            r"Can't change odd\.md\. Invalid YAML front matter: a line does",
        ),
        (
            b"---\nname: caf\xe9\n---\n",
            r"Can't change odd\.md\. The file isn't UTF-8\.",
        ),
        ("---\nname: O\n", r"The front matter of odd\.md has no end\."),
    ],
)
def test_unsafe_changes_are_refused(
    store: Changed, text: str | bytes, sentence: str
) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    (store.root / "odd.md").write_bytes(raw)
    store.library.sync()
    odd = next(one for one in store.memories() if one.path == "odd.md")

    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Set(name="type", value="user"), odd)


def test_the_text_from_an_editor_is_saved(store: Changed) -> None:
    memory = store.memory("Tabs")
    was = store.library.plans.form(memory).raw
    raw = was.replace(b"name: Tabs", b"name: Stops").replace(b"Use", b"Take")

    store.do(Rewrite(was=was, raw=raw), memory)

    assert store.text("tabs.md") == raw.decode().replace(
        "2026-01-06T16:42:40.669", "2026-03-01T12:00:00.000"
    )
    assert "* [Stops](tabs.md)" in store.text("MEMORY.md")
    with pytest.raises(ChangedOnDiskError):
        store.plan(Rewrite(was=was, raw=raw), memory)


def test_a_text_that_cannot_be_parsed_is_not_saved(store: Changed) -> None:
    memory = store.memory("Tabs")
    was = store.library.plans.form(memory).raw

    with pytest.raises(
        NotPossibleError,
        match=r"Can't save\. Invalid YAML front matter: an unquoted value",
    ):
        store.plan(Rewrite(was=was, raw=was.replace(b"Tabs, not", b"a: b")), memory)


def test_the_index_can_be_edited_as_text(store: Changed) -> None:
    index = store.record("documents", "MEMORY.md")
    was = store.library.plans.form(index).raw

    store.do(Rewrite(was=was, raw=was + b"More.\n"), index)

    assert store.text("MEMORY.md") == f"{KEPT}More.\n"


def test_nothing_is_written_while_memories_are_consolidated(store: Changed) -> None:
    lock = write(store.root / ".consolidate-lock", "123")
    planned = store.plan(Set(name="type", value="user"), store.memory("Tabs"))
    assert planned.draft.foreign_locks[0].path == ".consolidate-lock"

    with pytest.raises(LockedError):
        store.library.changes.apply(planned, is_permitted=True)
    old = NOW / 1e6 - 3601 * 24 * 365
    os.utime(lock, (old, old))
    store.library.changes.apply(planned, is_permitted=True)


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [(150, None), (170, "173 of 200 lines"), (230, "agents don't load the rest")],
)
def test_the_fill_level_of_the_index_is_reported(
    tmp_path: Path, notes: int, sentence: str | None
) -> None:
    root = tmp_path / "memory"
    lines = [f"- [n{n}](n{n}.md) — x\n" for n in range(notes)]
    write(root / "MEMORY.md", "# Notes\n\n" + "".join(lines))
    write(root / "n1.md", note("name: n1\ndescription: x\ntype: user\n"))
    with opened(tmp_path, root) as store:
        warnings = store.do(Create(title="new", body="x")).draft.warnings

    told = [warning for warning in warnings if "MEMORY.md will have" in warning]
    assert [sentence in one for one in told if sentence] == [True] * bool(sentence)
    assert bool(told) == bool(sentence)


def test_links_are_edited_in_texts_and_recalls_are_not_counted(store: Changed) -> None:
    tabs, zoe = store.memory("Tabs"), store.memory("Zoe")
    with pytest.raises(
        NotPossibleError,
        match=r"Links are part of the text; edit the text to change one\.",
    ):
        store.plan(Relate(type="SOLVES"), tabs, zoe)
    with pytest.raises(NotPossibleError, match=r"This format doesn't count recalls\."):
        store.plan(Touch(), tabs)
    possible = store.library.plans.possible
    assert possible(None, store.root) == {"new": "", "append": "", "rebuild": ""}
    assert set(possible(tabs).values()) == {""}
    assert "edit the text" in possible(store.edges()[0])["delete"]
    assert possible(store.record("documents", "MEMORY.md")) == {"edit": ""}
