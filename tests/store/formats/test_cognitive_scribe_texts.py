"""Memories, edges and settings edited as text, and the consequences."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError
from store.records.intents import Rewrite
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_changes import TITLE, assert_sound, opened
from tests.store.formats.cognitive_stores import DROPS, TIMEOUTS, TIMEOUTS_PATH, write


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def test_the_text_from_an_editor_is_saved(store: Changed) -> None:
    memory = store.memory(TITLE)
    form = store.library.plans.form(memory)
    raw = form.raw.replace(b"See", b"Look at").replace(b"type: sol", b"type: problem #")

    store.do(Rewrite(was=form.raw, raw=raw), memory)

    path = TIMEOUTS_PATH.replace("solutions", "problems")
    text = store.text(path)
    assert form.suffix == ".md"
    assert text == raw.decode().replace(
        "updated: 2025-12-07T08:00:00", "updated: 2026-03-01T12:00:00"
    )
    assert_sound(store)


def test_an_editor_may_set_the_time_itself(store: Changed) -> None:
    was = (store.root / TIMEOUTS_PATH).read_bytes()
    raw = was.replace(b"2025-12-07", b"2025-12-09")

    store.do(Rewrite(was=was, raw=raw), store.memory(TITLE))

    assert (store.root / TIMEOUTS_PATH).read_bytes() == raw


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            b'title: "',
            b'title: so: "',
            r"Can't save\. Invalid YAML front matter: an unquoted value",
        ),
        (
            TIMEOUTS.encode(),
            DROPS.encode(),
            r"`id` can't be changed; restore the old value\.",
        ),
        (
            b"---\n\nSee",
            b"\n\nSee",
            r"Can't save\. The front matter has no end;",
        ),
    ],
)
def test_a_text_that_cannot_be_parsed_is_not_saved(
    store: Changed, old: bytes, new: bytes, sentence: str
) -> None:
    was = (store.root / TIMEOUTS_PATH).read_bytes()

    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Rewrite(was=was, raw=was.replace(old, new, 1)), store.memory(TITLE))


def test_a_concurrent_change_is_not_overwritten(store: Changed) -> None:
    memory = store.memory(TITLE)

    with pytest.raises(
        ChangedOnDiskError, match=r"has changed\. Reload and try again\."
    ):
        store.plan(Rewrite(was=b"old", raw=b"new"), memory)


def test_a_broken_header_can_be_edited_as_text(store: Changed) -> None:
    write(store.root, "graph/fixes/odd-aaaaaa.md", "---\nid: a\ntitle: x: y\n---\n")
    store.library.sync()
    odd = store.memory("x: y")
    was = store.library.plans.form(odd).raw

    store.do(Rewrite(was=was, raw=was.replace(b"x: y", b"x y")), odd)

    assert store.memory("x y").path == "graph/fixes/odd-aaaaaa.md"
