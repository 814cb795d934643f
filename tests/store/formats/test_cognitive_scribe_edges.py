"""Links created, changed and removed, in every place that states them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from store.errors import NotPossibleError
from store.findings import Side, Value
from store.records.intents import Create, Delete, Merge, Relate, Rewrite, Set
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.cognitive_changes import (
    OTHER,
    PINNED,
    TITLE,
    assert_sound,
    index_of,
    made,
    opened,
)
from tests.store.formats.cognitive_stores import (
    DEPLOY,
    DEPLOY_PATH,
    DROPS,
    DROPS_PATH,
    EDGE,
    EDGE_PATH,
    TIMEOUTS,
    TIMEOUTS_PATH,
    memory_text,
    write,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Changed]:
    with opened(tmp_path) as changed:
        yield changed


def test_a_link_is_written_on_both_sides_and_to_an_edge_file(
    store: Changed,
) -> None:
    before = store.tree()
    intent = Relate(type="builds on", strength=0.75, context="One: then\nthe other")

    planned = store.do(intent, store.memory(PINNED), store.memory(TITLE))

    edge = store.edge("BUILDS_ON")
    assert edge.id is not None
    assert set(edge.sides) == {"file", "outgoing", "incoming", "index"}
    assert edge.path == (
        "graph/edges/deploy-to-production--BUILDS_ON--"
        f"fixed-redis-connection-timeouts-{edge.id[:6]}.md"
    )
    assert store.text(DEPLOY_PATH) == before[DEPLOY_PATH].decode().replace(
        "---\n\nAdded",
        f"relations:\n  - target: {TIMEOUTS}\n    type: BUILDS_ON\n"
        "    direction: outgoing\n    strength: 0.75\n"
        f'    context: "One: then the other"\n    edge_id: {edge.id}\n---\n\nAdded',
    )
    assert strictly(store.text(TIMEOUTS_PATH))["relations"][1] == {
        "target": DEPLOY,
        "type": "BUILDS_ON",
        "direction": "incoming",
        "strength": 0.75,
        "context": "One: then the other",
        "edge_id": edge.id,
    }
    assert store.text(edge.path).endswith("---\n\nOne: then\nthe other\n")
    assert planned.draft.steps[0].path == edge.path
    assert not planned.draft.is_grave
    assert_sound(store)

    store.do(Delete(), edge)

    assert store.tree() | {"_index.json": b""} == before | {"_index.json": b""}
    assert_sound(store)
    store.undo()
    store.undo()
    assert store.tree() == before


@pytest.mark.parametrize(
    ("start", "end", "kind", "sentence"),
    [
        (TITLE, OTHER, "SOLVES", r"These memories already have a SOLVES link\."),
        (TITLE, TITLE, "SOLVES", r"A memory can't be linked to itself\."),
        (TITLE, PINNED, "LIKES", "Unknown link type"),
    ],
)
def test_an_impossible_link_is_refused(
    store: Changed, start: str, end: str, kind: str, sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Relate(type=kind), store.memory(start), store.memory(end))


def test_a_store_of_the_first_generation_has_no_edge_files(tmp_path: Path) -> None:
    root = made(tmp_path / "graph")
    index = (root / "_index.json").read_text("utf-8")
    old = index.replace('"version": 2', '"version": 1').replace('"edges"', '"x"')
    write(root, "_index.json", old)
    with opened(tmp_path, root) as store:
        store.do(Relate(type="CAUSES"), store.memory(PINNED), store.memory(OTHER))

        assert store.edge("CAUSES").sides == ("outgoing", "incoming")
        assert "edge_id" not in strictly(store.text(DEPLOY_PATH))["relations"][0]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("strength", "0.5", {"strength": 0.5}),
        ("context", "Because\nof it", {"context": "Because of it"}),
        ("type", "causes", {"type": "CAUSES"}),
    ],
)
def test_an_edge_is_changed_on_all_sides(
    store: Changed, name: str, value: str, says: dict[str, Value]
) -> None:
    store.do(Set(name=name, value=value), store.edge("SOLVES"))

    for path in (TIMEOUTS_PATH, DROPS_PATH):
        (relation,) = strictly(store.text(path))["relations"]
        assert says.items() <= relation.items()
        assert relation["edge_id"] == EDGE
    (edge,) = (one for one in store.edges() if "file" in one.sides)
    if name == "context":
        assert store.text(edge.path).endswith("Because\nof it\n\nMore about it.\n")
    else:
        assert says.items() <= strictly(store.text(edge.path)).items()
    assert (edge.path == EDGE_PATH) == (name != "type")
    assert "updated: 2026-03-01T12:00:00+00:00" in store.text(edge.path)
    assert "updated: 2025-12-07T08:00:00+00:00" in store.text(DROPS_PATH)
    assert set(edge.sides) == {"file", "outgoing", "incoming", "index"}
    assert_sound(store)


def test_a_strength_is_removed(store: Changed) -> None:
    store.do(Set(name="strength", value=None), store.edge("SOLVES"))

    assert "strength" not in store.text(EDGE_PATH)
    assert "strength" not in store.text(TIMEOUTS_PATH)
    assert_sound(store)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("strength", "9", "0 to 1"),
        ("type", "LIKES", "Unknown link type"),
        ("from", "x", r"Only strength, context and type of an edge can be set\."),
    ],
)
def test_invalid_values_of_an_edge_are_refused(
    store: Changed, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(NotPossibleError, match=sentence):
        store.plan(Set(name=name, value=value), store.edge("SOLVES"))


def test_an_edge_that_only_the_index_has_needs_a_rebuild(
    store: Changed,
) -> None:
    edge = replace(store.edge("SOLVES"), sides=(Side.INDEX,))

    with pytest.raises(
        NotPossibleError,
        match="This link is only in the index; run `recollect rebuild index`",
    ):
        store.plan(Delete(), edge)


def test_a_wikilink_can_only_be_changed_in_the_text(store: Changed) -> None:
    edge = store.edge("link")

    assert store.library.plans.possible(edge) == {
        "delete": "This link is in the text; edit the text to change it.",
        "set": "This link is in the text; edit the text to change it.",
    }
    with pytest.raises(
        NotPossibleError,
        match=r"This link is in the text; edit the text to change it\.",
    ):
        store.plan(Delete(), edge)


def test_an_edge_edited_as_text_updates_both_ends(store: Changed) -> None:
    edge = store.edge("SOLVES")
    form = store.library.plans.form(edge)
    raw = form.raw.replace(b"SOLVES", b"CAUSES").replace(b"0.8", b"0.2")

    store.do(Rewrite(was=form.raw, raw=raw), edge)

    assert store.edge("CAUSES").path == EDGE_PATH.replace("SOLVES", "CAUSES")
    assert strictly(store.text(DROPS_PATH))["relations"][0]["strength"] == 0.2
    assert_sound(store)


def test_a_broken_edge_can_be_unlinked(tmp_path: Path) -> None:
    root = made(tmp_path / "graph")
    gone = (
        "relations:\n- target: 99999999-0000-4000-8000-000000000000\n  type: FOLLOWS\n"
    )
    path = "graph/fixes/half-c0ffee.md"
    own = "c0ffee00-0000-4000-8000-000000000000"
    write(root, path, memory_text(own, "fix", "Half", gone))
    with opened(tmp_path, root) as store:
        store.do(Delete(), store.edge("FOLLOWS"))

        assert store.text(path) == memory_text(own, "fix", "Half").replace(
            "2025-12-07T08:00:00", "2025-12-07T08:00:00"
        )


def test_a_merge_joins_and_redirects_edges(store: Changed) -> None:
    store.do(Create(title="Third", body="[[redis connection drops]]"))
    third = store.memory("Third")
    store.do(Relate(type="CAUSES"), third, store.memory(OTHER))
    store.do(Relate(type="FOLLOWS"), third, store.memory(OTHER))
    store.do(Relate(type="FOLLOWS"), third, store.memory(PINNED))
    store.do(Set(name="tags", value=["slow", "redis"]), store.memory(OTHER))
    before = store.tree()

    planned = store.do(
        Merge(fields={"title": "Deploy it", "importance": "0.9"}),
        store.memory(PINNED),
        store.memory(OTHER),
    )

    header = strictly(store.text(DEPLOY_PATH))
    assert planned.draft.is_grave
    assert header["title"] == "Deploy it"
    assert header["importance"] == 0.9
    assert header["tags"] == ["redis", "timeout", "slow"]
    assert not (store.root / DROPS_PATH).exists()
    assert strictly(store.text(EDGE_PATH))["to_id"] == DEPLOY
    assert strictly(store.text(EDGE_PATH))["to_title"] == "Deploy it"
    about = {(r["target"], r["type"]) for r in header["relations"]}
    assert about == {(third.id, "CAUSES"), (third.id, "FOLLOWS"), (TIMEOUTS, "SOLVES")}
    assert "[[Deploy it]]" in store.text(third.path)
    assert DROPS not in store.text(third.path)
    assert set(index_of(store)["entries"]) == {TIMEOUTS, DEPLOY, third.id}
    assert sorted(one.type for one in store.edges()) == [
        "CAUSES", "FOLLOWS", "SOLVES", "link", "link"
    ]  # fmt: skip
    assert_sound(store)
    store.undo()
    assert store.tree() == before


def test_of_two_joined_edges_the_one_with_a_file_stays(store: Changed) -> None:
    store.do(Create(title="Third", body="It has no edge file."))
    third = store.memory("Third")
    store.do(Relate(type="SOLVES", strength=0.1), third, store.memory(OTHER))
    own = next(edge for edge in store.edges() if edge.from_ == third.ref)
    assert own.path
    (store.root / own.path).unlink()
    (store.root / "_index.json").unlink()
    for path in (third.path, DROPS_PATH):
        text = re.sub(rf"\n *edge_id: \"?{own.id}\"?", "", store.text(path))
        write(store.root, path, text)
    store.library.sync()
    before = store.tree()
    file = store.text(EDGE_PATH)

    store.do(Merge(), third, store.memory(TITLE))

    (edge,) = (one for one in store.edges() if one.type == "SOLVES")
    assert (edge.path, edge.strength) == (EDGE_PATH, 0.8)
    assert store.text(EDGE_PATH).endswith(file.rpartition("---")[2])
    assert strictly(store.text(EDGE_PATH))["from_id"] == third.id
    assert_sound(store)
    store.undo()
    assert store.tree() == before


def test_merged_duplicates_keep_links_to_their_common_id(
    store: Changed,
) -> None:
    before = store.tree()
    write(store.root, "graph/problems/again-d0d0d0.md", store.text(DROPS_PATH))
    store.library.sync()
    copies = [memory for memory in store.memories() if memory.id == DROPS]
    first, second = sorted(copies, key=lambda memory: memory.path != DROPS_PATH)

    store.do(Merge(), first, second)

    assert store.edge("SOLVES").to == store.memory(OTHER).ref
    assert set(store.tree()) - set(before) == set()
    assert_sound(store)


def test_merged_texts_are_joined_or_chosen(store: Changed) -> None:
    write(store.root, DROPS_PATH, store.text(DROPS_PATH).replace("Added", "Lost"))
    store.library.sync()

    store.do(Merge(), store.memory(TITLE), store.memory(OTHER))

    assert store.text(TIMEOUTS_PATH).endswith(
        "---\n\nSee [[deploy to production]].\n\nLost socket_keepalive=True.\n"
    )
    store.undo()

    store.do(Merge(body="\nThis one.\n"), store.memory(TITLE), store.memory(OTHER))

    assert store.text(TIMEOUTS_PATH).endswith("---\n\nThis one.\n")
    assert "relations" not in strictly(store.text(TIMEOUTS_PATH))
