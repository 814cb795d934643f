"""A field that neither the record nor its format has is added only on request."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.errors import UnknownFieldError
from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.cognitive.format import FORMAT as COGNITIVE
from store.formats.notes.format import FORMAT as NOTES
from store.formats.pages.format import FORMAT as PAGES
from store.formats.port import Format
from store.records.intents import Create, Set
from tests.store.formats.agent_memory_stores import thing
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_stores import memory_text, write
from tests.store.formats.kei_stores import jsonl
from tests.store.formats.notes_stores import note

STORES: dict[Format, dict[str, str]] = {
    COGNITIVE: {"graph/solutions/one-a1b2c3.md": memory_text(more="mood: calm\n")},
    NOTES: {"one.md": note("name: One\ntype: user\nmood: calm\n")},
    PAGES: {"one.md": "---\ntitle: One\nmood: calm\n---\nText.\n"},
    AGENT_MEMORY: {"learnings.jsonl": jsonl(thing(1, "learning", mood="calm"))},
}
"""A store of each format, with one memory that has a field of its own."""


@pytest.fixture(params=STORES, ids=lambda form: form.name)
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Changed]:
    root = tmp_path / "memory"
    (root / "graph").mkdir(parents=True)
    for path, text in STORES[request.param].items():
        write(root, path, text)
    with Changed(root, request.param, tmp_path / "own") as changed:
        yield changed


def test_a_misspelt_field_is_refused_and_the_right_one_suggested(
    store: Changed,
) -> None:
    (memory,) = store.memories()
    for value in ("0.5", None):
        with pytest.raises(UnknownFieldError, match="Did you mean 'importance'"):
            store.plan(Set(name="importanc", value=value), memory)
    with pytest.raises(UnknownFieldError, match=r"field 'zzz'. --add adds"):
        store.plan(Set(name="zzz", value="x"), memory)


def test_a_field_is_added_on_request(store: Changed) -> None:
    (memory,) = store.memories()
    before = store.tree()

    store.do(Set(name="zzz", value="x", adds=True), memory)

    (path,) = (path for path, raw in before.items() if store.tree()[path] != raw)
    assert "zzz" in store.text(path)


def test_a_field_that_the_record_already_has_is_set_and_removed(store: Changed) -> None:
    (memory,) = store.memories()

    store.do(Set(name="mood", value="glad"), memory)
    assert any(b"glad" in raw for raw in store.tree().values())

    store.do(Set(name="mood", value=None), *store.memories())
    live = {k: raw for k, raw in store.tree().items() if ".backup" not in k}
    assert not any(b"mood" in raw for raw in live.values())


def test_a_new_memory_gets_no_misspelt_field(store: Changed) -> None:
    intent = Create(title="Two", fields={"importanc": "0.5"})
    with pytest.raises(UnknownFieldError, match="Did you mean 'importance'"):
        store.plan(intent)

    store.do(Create(title="Two", fields={"mood": "calm"}, adds=True))
    assert len(store.memories()) == 2
