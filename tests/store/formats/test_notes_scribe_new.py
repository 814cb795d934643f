"""New notes have the form of their store and are listed in its index."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.findings import Json, Value
from store.records.intents import Append, Create
from tests.store.formats.changed_stores import NOW, Changed, strictly
from tests.store.formats.notes_changes import GENERATED, KEPT, generated, kept, opened
from tests.store.formats.notes_stores import VARIANTS, note, write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path, kept(tmp_path / "memory")) as changed:
        yield changed


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path, generated(tmp_path / ".memory")) as changed:
        yield changed


def test_a_new_note_gets_the_form_of_its_store(store: Changed) -> None:
    fields: dict[str, Value] = {
        "description": 'Says: "no" # ever',
        "type": "feedback",
        "mood": "glad",
    }

    title = "No Mocks/Ever"
    planned = store.do(Create(title=title, body="Because.\n", fields=fields, adds=True))

    text = store.text("no-mocks-ever.md")
    assert planned.draft.action == "new “No Mocks/Ever” in no-mocks-ever.md"
    assert text == (
        "---\nname: No Mocks/Ever\n"
        'description: "Says: \\"no\\" # ever"\n'
        "metadata: \n  node_type: memory\n  type: feedback\n"
        "  modified: 2026-03-01T12:00:00.000Z\nmood: glad\n---\n\nBecause.\n"
    )
    assert strictly(text)["description"] == 'Says: "no" # ever'
    assert store.text("MEMORY.md") == KEPT.replace(
        "not spaces\n",
        'not spaces\n* [No Mocks/Ever](no-mocks-ever.md): Says: "no" # ever\n',
    )
    store.undo()
    assert store.text("MEMORY.md") == KEPT


@pytest.mark.parametrize("form", VARIANTS)
def test_a_new_note_gets_the_form_of_most_notes(tmp_path: Path, form: str) -> None:
    root = tmp_path / "memory"
    write(root / "MEMORY.md", "")
    for number in range(3):
        write(root / f"n{number}.md", note(VARIANTS[form]))
    with opened(tmp_path, root) as store:
        store.do(Create(title="new", fields={"description": "d", "type": "user"}))

        header = strictly(store.text("new.md"))
    expected = {
        "V1": {"type": "user"},
        "V2": {"type": "user"},
        "V4": {"metadata": {"node_type": "memory", "type": "user"}},
        "V5": {"metadata": {"node_type": "memory", "type": "user"}},
    }.get(form, {"metadata": {"type": "user"}})
    told = {k: v for k, v in header.items() if k not in {"name", "description"}}
    if form == "V6":
        assert told["metadata"].keys() == {"node_type", "type", "modified"}
    else:
        assert told == expected
    text = (root / "new.md").read_text("utf-8")
    assert ("metadata: \n" in text) == (form in {"V4", "V5", "V6"})


def test_a_loop_rebuilds_its_index(loop: Changed) -> None:
    loop.do(Create(title="Aphid", body="# Green\nand small\n"))

    assert loop.text("aphid.md") == (
        '---\nname: Aphid\ndescription: "# Green"\ntype: user\n---\n\n'
        "# Green\nand small\n"
    )
    assert loop.text("MEMORY.md") == GENERATED.replace(
        "- [Bee]", "- [Aphid](aphid.md) — # Green\n- [Bee]"
    )


def test_a_loop_without_an_index_gets_one(tmp_path: Path) -> None:
    root = generated(tmp_path / ".memory")
    (root / "MEMORY.md").unlink()
    with opened(tmp_path, root) as loop:
        loop.do(Create(title="Cat", body="Purrs"))

        assert loop.text("MEMORY.md") == GENERATED + "- [Cat](cat.md) — Purrs\n"


def test_a_store_without_an_index_gets_none(tmp_path: Path) -> None:
    root = kept(tmp_path / "memory")
    (root / "MEMORY.md").unlink()
    with opened(tmp_path, root) as store:
        planned = store.do(Create(title="Cat", body="Purrs"))

        assert not (root / "MEMORY.md").exists()
        assert "rebuild notes-index" in planned.draft.warnings[0]


def test_the_first_note_creates_the_index(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    root.mkdir()
    with opened(tmp_path, root) as store:
        store.do(Create(title="Cat", body="Purrs"))

        assert store.text("MEMORY.md") == "- [Cat](cat.md) — Purrs\n"
        assert store.text("cat.md") == (
            "---\nname: Cat\ndescription: Purrs\nmetadata:\n  type: user\n---\n"
            "\nPurrs\n"
        )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Tabs", "tabs-2.md"),
        ("memory", "memory-note.md"),
        ("../../etc/passwd", "etc-passwd.md"),
        (".hidden", "hidden.md"),
        ("a: b?", "a--b.md"),
        ("über Ä", "über-ä.md"),
        ("ü" * 300, "ü" * 100 + ".md"),
        ("...", "note.md"),
    ],
)
def test_a_name_makes_a_safe_file_name(store: Changed, name: str, path: str) -> None:
    (step, *_) = store.plan(Create(title=name)).draft.steps

    assert step.path == path


def test_a_duplicate_is_reported(store: Changed) -> None:
    same = store.do(Create(title="tabs"))
    alike = store.do(Create(title="Other", fields={"description": "tabs, NOT  spaces"}))

    assert same.draft.warnings[:2] == (
        "tabs.md already exists, so the file is named tabs-2.md.",
        "The title “Tabs” is already used by tabs.md.",
    )
    assert "tabs.md has the same description." in alike.draft.warnings


def test_extracted_records_become_notes(store: Changed) -> None:
    records: list[Json] = [
        {"name": "One", "type": "project", "description": "d: 1", "body": "Text"},
        {"name": "tabs", "description": "d", "body": "x"},
        {"description": "nameless", "body": "y"},
        {"name": "Two", "body": "no description"},
    ]

    planned = store.do(Append(kind="import", fields={"memories": records}))

    assert planned.draft.action == "import 2 records"
    assert planned.count == 2
    assert strictly(store.text("one.md"))["metadata"]["type"] == "project"
    assert strictly(store.text(f"memory_{NOW // 1_000_000}_2.md"))["name"] == (
        f"memory_{NOW // 1_000_000}_2"
    )
    assert planned.draft.warnings == (
        "“tabs” already exists and is skipped.",
        "Skipped 1 record without description or body.",
    )
    assert "[One](one.md): d: 1" in store.text("MEMORY.md")
    with pytest.raises(NotPossibleError, match="list of records"):
        store.plan(Append(kind="import", fields={"memories": ["x"]}))
    with pytest.raises(NotPossibleError, match=r"No records to import\."):
        store.plan(Append(kind="import", fields={}))
