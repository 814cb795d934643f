"""What each change writes into a graph, and that everything else stays."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError
from store.findings import Value
from store.formats.cognitive.format import FOLDERS
from store.records.intents import Create, Retag, Set
from tests.store.formats.changed_stores import NOW_TEXT, Changed, strictly
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    assert_sound,
    index_of,
    opened,
)
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DEPLOY_PATH,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    write,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_new_memory_goes_into_the_folder_of_its_type(
    store: Changed, kind: str
) -> None:
    fields: dict[str, Value] = {"type": kind, "tags": ["a", "b: c"], "steps": ["1: x"]}

    planned = store.do(
        Create(title='The "new" one: 레디스', body="Its text.\n", fields=fields)
    )

    made_one = store.memory('The "new" one: 레디스')
    assert planned.draft.action == f'new {kind} “The "new" one: 레디스”'
    assert made_one.id is not None
    assert made_one.path == f"graph/{FOLDERS[kind]}/the-new-one-{made_one.id[:6]}.md"
    text = store.text(made_one.path)
    assert strictly(text) | {"created": "", "updated": ""} == {
        "id": made_one.id,
        "type": kind,
        "title": 'The "new" one: 레디스',
        "tags": ["a", "b: c"],
        "importance": 0.5,
        "confidence": 0.8,
        "steps": ["1: x"],
        "created": "",
        "updated": "",
    }
    assert f"created: {NOW_TEXT}\n" in text
    assert text.endswith("---\n\nIts text.\n")
    assert index_of(store)["entries"][made_one.id]["path"] == made_one.path
    assert_sound(store)


def test_a_title_in_another_script_names_its_file(store: Changed) -> None:
    store.do(Create(title="레디스 연결"))

    assert store.memory("레디스 연결").path.startswith("graph/general/레디스-연결-")


def test_a_memory_with_the_same_title_is_reported(store: Changed) -> None:
    planned = store.do(Create(title=TITLE.lower()))

    assert planned.draft.warnings == (
        f"The title “{TITLE}” is already used by {TIMEOUTS_PATH}.",
    )


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("importance", "0.9", "importance: 0.8", "importance: 0.9"),
        ("confidence", "1e-1", "confidence: 0.9", "confidence: 0.1"),
        ("created", "2025-01-01", "2025-12-06T16:25:58+00:00", "2025-01-01"),
        ("tags", "redis, a b", "[redis, timeout]", "[redis, a b]"),
        ("mood", "so: so", "---\n\nSee", 'mood: "so: so"\n---\n\nSee'),
    ],
)
def test_a_field_is_set_and_nothing_else_changes(
    store: Changed, name: str, value: str, old: str, new: str
) -> None:
    before = store.tree()

    store.do(Set(name=name, value=value, adds=True), store.memory(TITLE))

    text = before[TIMEOUTS_PATH].decode()
    expected = text.replace(old, new, 1).replace(
        "updated: 2025-12-07T08:00:00", "updated: 2026-03-01T12:00:00"
    )
    after = store.tree()
    assert after[TIMEOUTS_PATH].decode() == expected
    differing = {path for path in after if before.get(path) != after[path]}
    assert differing == {TIMEOUTS_PATH, "_index.json"}
    assert_sound(store)
    store.undo()
    assert store.tree() == before


def test_setting_the_same_value_changes_nothing(store: Changed) -> None:
    assert store.plan(Set(name="importance", value="0.8"), store.memory(TITLE)).is_idle


def test_a_field_is_removed(store: Changed) -> None:
    store.do(Set(name="confidence", value=None), store.memory(TITLE))

    assert "confidence" not in strictly(store.text(TIMEOUTS_PATH))
    assert store.memory(TITLE).confidence == 0.8


def test_the_steps_of_a_procedure_are_edited(store: Changed) -> None:
    steps: list[Value] = ["Run tests", "Build: image", "Push to registry"]

    store.do(Set(name="steps", value=steps), store.memory(PINNED))

    assert 'steps:\n  - "Run tests"\n  - "Build: image"\n  - "Push to registry"\n' in (
        store.text(DEPLOY_PATH)
    )


def test_a_new_type_moves_the_file(store: Changed) -> None:
    store.do(Set(name="type", value="code_pattern"), store.memory(TITLE))

    path = TIMEOUTS_PATH.replace("solutions", "code-patterns")
    assert store.memory(TITLE).path == path
    assert index_of(store)["entries"][TIMEOUTS]["path"] == path
    assert_sound(store)


def test_a_pinned_memory_stays_in_the_vault_whatever_its_type(store: Changed) -> None:
    store.do(Set(name="type", value="fix"), store.memory(PINNED))

    assert store.memory(PINNED).path == DEPLOY_PATH


def test_a_new_title_is_copied_to_edges_and_texts(store: Changed) -> None:
    write(store.root, "graph/fixes/x-aaaaaa.md", "[[deploy_to production|D]] `[[x]]`\n")
    store.library.sync()

    store.do(Set(name="title", value="Ship it"), store.memory(PINNED))
    store.do(Set(name="title", value='Say "so"'), store.memory(TITLE))

    assert store.memory("Ship it").path == DEPLOY_PATH
    assert store.text("graph/fixes/x-aaaaaa.md") == "[[Ship it|D]] `[[x]]`\n"
    assert "See [[Ship it]].\n" in store.text(TIMEOUTS_PATH)
    assert 'from_title: "Say \\"so\\""\n' in store.text(EDGE_PATH)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("type", "rumour", r"Unknown type \(choose from solution, fix, decision,"),
        ("importance", "2", "from 0 to 1"),
        ("created", "soon", r"Invalid time in `created`\."),
        ("id", "x", r"The id can't be changed; links refer to it\."),
        ("relations", "x", r"Use link and unlink to change relations\."),
        ("title", " ", "one line"),
        ("title", None, r"`title` is required\."),
        ("no key", "x", r"Invalid field name 'no key'\."),
        ("importance", ["a"], r"`importance` must be a single text\."),
    ],
)
def test_unknown_fields_are_refused(
    store: Changed, name: str, value: Value | None, sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Set(name=name, value=value, adds=True), store.memory(TITLE))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("---\nid: a\ntitle: x\ntitle: y\n---\n", "Duplicate key “"),
        ("---\nid: a\ntitle: x: y\n---\n", "an unquoted value contains a colon and a"),
        ("---\nid: a\ntitle: x\n", r"The file has no front matter\."),
        (b"---\nid: a\ntitle: caf\xe9\n---\n", r"The file isn't UTF-8\."),
        ("---\rid: a\rtitle: x\r---\r", "carriage return"),
        ("---\nid: &a x\ntitle: *a\n---\n", "an anchor"),
        ("---\nid: a\ntitle: x\n---\n" + "x" * (9 << 20), "too large"),
    ],
)
def test_unsafe_changes_are_refused(
    store: Changed, text: str | bytes, sentence: str
) -> None:
    write(store.root, "graph/fixes/odd-aaaaaa.md", text)
    store.library.sync()
    odd = next(one for one in store.memories() if one.path.endswith("odd-aaaaaa.md"))

    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Set(name="importance", value="0.1"), odd)


def test_a_missing_file_has_an_error_of_its_own(store: Changed) -> None:
    memory = store.memory(TITLE)
    (store.root / TIMEOUTS_PATH).unlink()

    with pytest.raises(ChangedOnDiskError, match="does not exist"):
        store.plan(Retag(add=("x",)), memory)


def test_tags_are_added_and_removed(store: Changed) -> None:
    memories = [store.memory(TITLE), store.memory(OTHER), store.memory(PINNED)]

    planned = store.do(Retag(add=("new: one", "redis"), remove=("timeout",)), *memories)

    assert planned.draft.action == "tag 3 memories"
    assert 'tags: [redis, "new: one"]\n' in store.text(TIMEOUTS_PATH)
    assert index_of(store)["entries"][DEPLOY]["tags"] == ["redis", "new: one"]
    assert_sound(store)
    store.undo()
    assert "tags: [redis, timeout]\n" in store.text(TIMEOUTS_PATH)
