"""Memories merged, moved to another store, and edited as text."""

import json
from pathlib import Path

import pytest

from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError
from store.formats.agent_memory.format import FORMAT
from store.records.intents import Merge, Move, Rewrite
from tests.store.formats.agent_memory_changes import (
    CORE,
    LEARNINGS,
    PUT_AWAY,
    changed,
    drafted,
    index_agrees,
    make,
    named,
    rows,
    set_to,
    tree,
    undone,
)
from tests.store.formats.agent_memory_stores import (
    EARLIER,
    lines,
    make_small_store,
    own_id,
    thing,
    write,
)
from tests.store.formats.unknown import Unknown


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memories"
    root.mkdir()
    make_small_store(root)
    return root


class TestMerging:
    def test_the_first_memory_stays_and_gets_what_the_others_add(
        self, root: Path
    ) -> None:
        write(
            root,
            CORE,
            lines(
                thing(1, content="Use pytest.", access_count=2, category=...),
                thing(
                    2, tags=["x"], importance="high", extra=1.10, content="No mocks."
                ),
            ),
        )
        draft = changed(root, Merge(fields={"importance": "low"}), named(root, 1, 2))

        (one,) = rows(root, CORE)
        assert draft.is_grave
        assert one["content"] == "Use pytest.\n\nNo mocks."
        assert one["tags"] == ["python", "testing", "x"]
        assert (one["access_count"], one["importance"]) == (4, "low")
        assert (one["category"], one["created_at"]) == ("fact", EARLIER)
        assert b'"extra":1.1' in (root / CORE).read_bytes()

    def test_one_text_can_be_chosen(self, root: Path) -> None:
        changed(root, Merge(body="Chosen."), named(root, 1, 3))

        assert rows(root, CORE)[0]["content"] == "Chosen."
        assert rows(root, LEARNINGS) == []
        assert index_agrees(root)

    def test_a_merged_text_stays_within_the_limits(self, root: Path) -> None:
        write(root, CORE, lines(*(thing(n, content=f"{n}" * 3000) for n in (1, 2))))
        before = tree(root)

        with pytest.raises(NotPossibleError, match="this one would have 6,002"):
            changed(root, Merge(), named(root, 1, 2))
        assert tree(root) == before
        changed(root, Merge(body="Short."), named(root, 1, 2))
        assert rows(root, CORE)[0]["content"] == "Short."


class TestMoving:
    @pytest.mark.parametrize("keeps", [False, True])
    def test_a_memory_moves_to_another_store(self, root: Path, *, keeps: bool) -> None:
        other = root.parent / "other"
        other.mkdir()
        write(other, LEARNINGS, lines(thing(30, "learning")).rstrip(b"\n"))

        draft = changed(root, Move(to=str(other), keeps=keeps), named(root, 3, 5))

        verb = "copy" if keeps else "move"
        assert draft.action == f"{verb} 2 records to {other}"
        assert rows(other, LEARNINGS)[1] == thing(3, "learning")
        assert rows(other, PUT_AWAY)[0]["id"] == own_id(5)
        assert (len(rows(root, LEARNINGS)) == 1) is keeps
        assert index_agrees(root)
        undone(root)
        assert json.loads((other / LEARNINGS).read_bytes())["id"] == own_id(30)

    def test_a_memory_that_is_there_already_stays(self, root: Path) -> None:
        other = make_other(root)

        with pytest.raises(NotPossibleError, match="already"):
            drafted(root, Move(to=str(other)), named(root, 1))
        with pytest.raises(
            NotPossibleError, match=r"The memory is already in that store\."
        ):
            drafted(root, Move(to=str(root)), named(root, 1))
        with pytest.raises(NotPossibleError, match=r"isn't an agent_memory store\."):
            drafted(root, Move(to=str(root.parent)), named(root, 1))


def make_other(root: Path) -> Path:
    other = root.parent / "other"
    other.mkdir()
    return make(other, thing(1))


class TestRewriting:
    def test_untouched_fields_keep_their_spelling(self, root: Path) -> None:
        line = (
            b'{"id": "%s","type":"core","content":"caf\\u00e9","n":1.10,"m":{"a":1e5}}'
        )
        write(root, CORE, lines(line % own_id(8).encode()))
        (one,) = named(root, 8)
        with FORMAT.scribe(root) as scribe:
            form = scribe.form(one)
            assert '  "content": "café",\n' in form.raw.decode()
            raw = form.raw.replace(b'"a": 1e5', b'"a": 1e5,\n "b": [1, 2]')
            draft = scribe.draft(Rewrite(was=form.raw, raw=raw), [one], Unknown(), 0)

        (step,) = [one for one in draft.steps if one.path == CORE]
        meant = (
            line.replace(b'{"a":1e5}', b'{"a":1e5, "b":[1, 2]}') % own_id(8).encode()
        )
        assert getattr(step, "after", None) == lines(meant)

    def test_fields_are_added_and_removed(self, root: Path) -> None:
        (one,) = named(root, 1)
        with FORMAT.scribe(root) as scribe:
            was = scribe.form(one).raw
        told = json.loads(was)
        del told["category"]
        told |= {"type": "learning", "note": "new"}

        changed(root, Rewrite(was=was, raw=json.dumps(told).encode()), [one])

        moved = rows(root, LEARNINGS)[1]
        assert (moved["note"], "category" in moved) == ("new", False)

    @pytest.mark.parametrize(
        ("raw", "why"),
        [
            (b"[1]", "A memory is a single JSON object"),
            (b"{", "Invalid JSON"),
            (b'{"id": "x"}', "A memory needs `"),
            (
                b'{"id": "x", "content": "y"}',
                "The `id` can't be changed; other programs",
            ),
        ],
    )
    def test_an_invalid_memory_is_refused(
        self, root: Path, raw: bytes, why: str
    ) -> None:
        (one,) = named(root, 1)
        with FORMAT.scribe(root) as scribe:
            was = scribe.form(one).raw
        with pytest.raises(Exception, match=why):
            drafted(root, Rewrite(was=was, raw=raw), [one])

    def test_a_concurrent_change_is_not_overwritten(self, root: Path) -> None:
        (one,) = named(root, 1)
        with FORMAT.scribe(root) as scribe:
            was = scribe.form(one).raw
        set_to(root, 1, "category", "theirs")
        with pytest.raises(ChangedOnDiskError):
            drafted(root, Rewrite(was=was, raw=was), [one])
