"""Any changes of memories in any style and order lose nothing and can be undone."""

import json
import re
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, given
from hypothesis import strategies as st

from store.edits.draft import Changeable
from store.files.frontmatter import read_page
from store.files.frontmatter_yaml import quote
from store.findings import Value
from store.formats.cognitive.format import FOLDERS, FORMAT, RELATION_TYPES
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Rebuild,
    Relate,
    Rename,
    Retag,
    Set,
    Touch,
)
from tests.examples import examples
from tests.store.formats.changed_stores import NOW, Changed
from tests.store.formats.changes import USUAL, Changes, asked, of_kind
from tests.store.formats.cognitive_changes import assert_sound, made, rebuilt, unindexed
from tests.store.formats.cognitive_generated import LINES, MadeMemory, stores
from tests.store.formats.unknown import Unknown

TITLES = LINES.filter(lambda text: len(text.split()) > 0)
VALUES: st.SearchStrategy[tuple[str, Value]] = st.one_of(
    st.tuples(st.just("importance"), st.sampled_from(["0.25", "1", "0"])),
    st.tuples(st.just("confidence"), st.sampled_from(["0.5", "0.125"])),
    st.tuples(st.just("title"), TITLES),
    st.tuples(st.just("type"), st.sampled_from(sorted(FOLDERS))),
    st.tuples(st.just("tags"), st.lists(LINES.filter(str.strip), max_size=3)),
    st.tuples(st.just("steps"), st.lists(LINES.filter(str.strip), max_size=3)),
    st.tuples(st.sampled_from(["mood", "x-y"]), LINES),
)


def write(root: Path, memories: list[MadeMemory]) -> None:
    for memory in memories:
        path = root / memory.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(memory.text.encode())


def carry_out(root: Path, intent: Intent, record: Changeable) -> str:
    """Draft a change, write its bytes, and return the new path of the memory."""
    with FORMAT.scribe(root) as scribe:
        draft = scribe.draft(intent, [record], Unknown(), NOW)
    path = getattr(record, "path", "")
    for step in draft.steps:
        after = getattr(step, "after", None)
        if after is None:
            (root / step.path).unlink()
        else:
            path = step.path
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(after)
    return path


def spaced(value: Value) -> Value:
    """A text on one line, or a list of them."""
    if isinstance(value, list):
        return [spaced(item) for item in value]
    return " ".join(value.split()) if isinstance(value, str) else value


@examples(25)
@given(stores(), VALUES)
def test_only_one_field_differs(
    memories: list[MadeMemory], change: tuple[str, Value]
) -> None:
    name, value = change
    memory = memories[0]
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, [memory])
        (root / "graph").mkdir(exist_ok=True)
        with Changed(root, FORMAT, root / "own") as store:
            (record,) = store.memories()
        before = read_page(memory.text.encode())

        path = carry_out(root, Set(name=name, value=value, adds=True), record)

        after = read_page((root / path).read_bytes())
        changed = {name, "updated"}
        assert after.body == before.body
        kept = {k: v for k, v in before.fields.items() if k not in changed}
        assert {k: v for k, v in after.fields.items() if k not in changed} == kept
        told = after.fields.get(name, [])
        wanted = value if name not in {"title", "tags", "steps"} else spaced(value)
        assert told == wanted
        assert list(after.fields)[: len(before.fields)] == list(before.fields) or (
            name not in before.fields
        )
        assert ("\r\n" in memory.text) == (b"\r\n" in (root / path).read_bytes())


@examples(20)
@given(stores(), st.sampled_from(["title", "importance", "type"]))
def test_setting_a_value_and_setting_it_back_restores_the_bytes(
    memories: list[MadeMemory], name: str
) -> None:
    memory = memories[0]
    old = read_page(memory.text.encode()).fields[name]
    assert isinstance(old, str)
    usual = {old, quote(old), "'" + old.replace("'", "''") + "'"}
    assume(any(f"\n{name}: {one}" in memory.text for one in usual))
    assume(old == " ".join(old.split()))
    new = {"title": "Another", "importance": "0.125", "type": "insight"}[name]
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, [memory])
        with Changed(root, FORMAT, root / "own") as store:
            for value in (new, old):
                (record,) = store.memories()
                store.do(Set(name=name, value=value, adds=True), record)
            (record,) = store.memories()
        raw = (root / record.path).read_bytes()

    updated = re.compile(rb"updated:[^\r\n]*")
    assert updated.sub(b"", raw) == updated.sub(b"", memory.text.encode())


ONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Set, name=st.just("mood"), value=st.none() | LINES),
    VALUES.map(lambda pair: Set(name=pair[0], value=pair[1], adds=True)),
    st.builds(Retag, add=st.tuples(TITLES), remove=st.just(("redis",))),
    st.builds(Pin, pins=st.booleans()),
    st.builds(Archive, archives=st.booleans()),
    st.builds(Rename, title=TITLES),
    st.sampled_from([Touch(), Delete()]),
)
TWO: st.SearchStrategy[Intent] = st.one_of(
    st.builds(
        Relate,
        type=st.sampled_from(sorted(RELATION_TYPES)),
        strength=st.just(0.5),
        context=st.just(": #"),
    ),
    st.sampled_from([Merge(), Delete()]),
)
EDGE: st.SearchStrategy[Intent] = st.one_of(
    st.just(Delete()),
    st.builds(Set, name=st.just("strength"), value=st.sampled_from([None, "0.25"])),
)
NONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(
        Create,
        title=TITLES,
        body=st.text(st.characters(exclude_categories=["Cs"])),
        fields=st.fixed_dictionaries({"type": st.sampled_from(sorted(FOLDERS))}),
    ),
    st.builds(
        Append,
        kind=st.just("episode"),
        fields=st.fixed_dictionaries({"title": TITLES, "summary": LINES}),
    ),
    st.builds(Rebuild, name=st.sampled_from(["core", "reflection", "state"])),
)
ASKED = asked(ONE, TWO, NONE) | of_kind(EDGE, "edges")


def fill(memories: list[MadeMemory], root: Path) -> None:
    """Write a graph with a correct index."""
    (root / "graph").mkdir(parents=True)
    write(root, memories)
    (root / "_index.json").write_text("{}")
    (root / "_index.json").write_text(rebuilt(root), encoding="utf-8")


class Graph(Changes):
    """A sound graph stays sound: valid YAML, both sides of links, a correct index."""

    format = FORMAT
    first = st.sampled_from([made, unindexed])
    asked = ASKED

    def assert_sound(self) -> None:
        assert_sound(self.store)


class GraphInAnyStyle(Changes):
    """A graph in unusual style; its index stays consistent."""

    format = FORMAT
    first = stores().map(lambda memories: partial(fill, memories))
    asked = ASKED

    def assert_sound(self) -> None:
        told = json.loads(self.store.text("_index.json"))
        assert told == json.loads(rebuilt(self.root))


TestGraph = Graph.TestCase
TestGraph.settings = USUAL
TestGraphInAnyStyle = GraphInAnyStyle.TestCase
TestGraphInAnyStyle.settings = USUAL
