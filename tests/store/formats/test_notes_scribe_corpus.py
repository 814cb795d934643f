"""Real notes: planned changes are sound and minimal."""

from difflib import ndiff

import pytest
import yaml

from store.edits.draft import FileStep
from store.files.frontmatter import read_page
from store.formats.notes.format import FORMAT
from store.formats.port import Source
from store.kinds.memories import Memory
from store.records.intents import Delete, Intent, Rename, Retag, Set
from tests.store.formats.changed_stores import NOW
from tests.store.formats.notes_stores import corpus
from tests.store.formats.unknown import Unknown

NEW = 'Tells: # "all", and – 레디스'
INTENTS: list[Intent] = [
    Set(name="description", value=NEW),
    Set(name="type", value="reference"),
    Retag(add=("a b", "c: d")),
    Rename(title="Another / name"),
    Delete(),
]


def note(store: str, path: str, title: str) -> Memory:
    """A note with what its scribe needs."""
    return Memory(
        ref=f"memory:{path}",
        store=store,
        format="notes",
        id=None,
        type=None,
        title=title,
        description=None,
        tags=(),
        importance=None,
        confidence=None,
        created=None,
        updated=None,
        accessed=None,
        access_count=0,
        strength=None,
        stage=None,
        pinned=False,
        archived=False,
        path=path,
        line=None,
        links_in=0,
        links_out=0,
        problems=(),
    )


@pytest.mark.parametrize("name", ["koenvue", "slay", "memory-plugin"])
@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.word)
def test_real_notes_can_be_changed(name: str, intent: Intent) -> None:
    root = corpus(name)
    with FORMAT.open(root) as store:
        sources = [found for found in store.scan() if isinstance(found, Source)]
        titles = {one.path: store.read(one).memories for one in sources}
    with FORMAT.scribe(root) as scribe:
        for path, found in titles.items():
            for memory in found:
                record = note(str(root), path, memory.title)
                for step in scribe.draft(intent, [record], Unknown(), NOW).steps:
                    assert isinstance(step, FileStep)
                    check(step, intent)


def check(step: FileStep, intent: Intent) -> None:
    before, after = step.before or b"", step.after or b""
    if step.path.endswith("MEMORY.md"):
        old_lines, new_lines = (raw.decode().split("\n") for raw in (before, after))
        assert sum(line[0] in "+-" for line in ndiff(old_lines, new_lines)) <= 2
    elif isinstance(intent, Set | Retag):
        old, new = read_page(before), read_page(after)
        assert old.body == new.body.removeprefix("\n") or old.body == new.body
        assert isinstance(yaml.safe_load(new.header), dict)
        kept = {k: v for k, v in old.fields.items() if new.fields.get(k) != v}
        assert len(kept) <= 2
