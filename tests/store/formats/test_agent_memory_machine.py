"""Any changes in any order to any lines: nothing is lost, and all can be undone."""

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from store.edits.refusals import NotPossibleError
from store.files.jsonl.spans import NotSplicedError
from store.records.intents import (
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Retag,
    Set,
    Touch,
)
from store.records.memory import Memory
from tests.store.formats.agent_memory_changes import (
    CORE,
    changed,
    index_agrees,
    memories,
    tree,
    undone,
)
from tests.store.formats.agent_memory_stores import (
    lines,
    make_small_store,
    own_id,
    rebuilt,
    thing,
    write,
)

TEXTS = st.text(max_size=20) | st.sampled_from(["café", '"\\', "\u2028", "\U0001f600"])
BROKEN = st.sampled_from(
    [b"", b" ", b"{", b"[1]", b"null", b"\xff", b'{"id": 1', b"\0", b"\r", b'"\\ud83d"']
)


@st.composite
def odd_lines(draw: st.DrawFn) -> bytes:
    """A memory as hardly anybody writes it, or something that is none."""
    if draw(st.booleans()):
        return draw(BROKEN)
    whole = thing(
        draw(st.integers(1, 9)),
        content=draw(TEXTS) or "x",
        big=draw(st.sampled_from([1, 2**70, 1.5, None])),
        tags=draw(st.lists(TEXTS, max_size=3) | st.none()),
    )
    if draw(st.booleans()):
        del whole[draw(st.sampled_from(["category", "archived", "updated_at"]))]
    text = json.dumps(
        whole,
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([(",", ":"), (", ", " : "), (" ,", ": ")])),
    )
    raw = text.replace("café", draw(st.sampled_from(["café", "caf\\u00e9", "\\ud83d"])))
    return raw.encode("utf-8", "surrogatepass")


@st.composite
def odd_files(draw: st.DrawFn) -> bytes:
    raw = b"\n".join(draw(st.lists(odd_lines(), max_size=6)))
    return raw + draw(st.sampled_from([b"", b"\n", b"\r\n", b"\n\n"]))


def raw_lines(root: Path) -> Counter[bytes]:
    """Every line that is not blank, of all files of lines."""
    return Counter(
        line.strip()
        for path, raw in tree(root).items()
        if path.endswith(".jsonl")
        for line in raw.split(b"\n")
        if line.strip()
    )


def is_unique(root: Path, memory: Memory) -> bool:
    return sum(one.id == memory.id for one in memories(root)) == 1


@settings(max_examples=60, deadline=None)
@given(odd_files(), st.data())
def test_putting_away_and_bringing_back_keeps_every_line(
    raw: bytes, data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "memories"
        root.mkdir()
        make_small_store(root)
        write(root, CORE, raw)
        there = [one for one in memories(root) if one.path == CORE]
        chosen = [one for one in there if is_unique(root, one)]
        if not chosen:
            return
        some = data.draw(st.lists(st.sampled_from(chosen), min_size=1, unique=True))
        before = raw_lines(root)

        changed(root, Archive(), some)
        away = [one for one in memories(root) if one.path.startswith("archive/2026")]
        assert {one.id for one in away} == {one.id for one in some}
        changed(root, Archive(archives=False), away)

        assert raw_lines(root) == before
        assert {one.id for one in memories(root) if one.path == CORE} == {
            one.id for one in there
        }


@settings(max_examples=60, deadline=None)
@given(odd_files(), TEXTS)
def test_one_value_set_leaves_every_other_line(raw: bytes, value: str) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "memories"
        root.mkdir()
        make_small_store(root)
        write(root, CORE, raw)
        for one in [m for m in memories(root) if m.path == CORE and is_unique(root, m)]:
            before = (root / CORE).read_bytes().split(b"\n")
            try:
                changed(root, Set(name="note", value=value), [one])
            except (NotPossibleError, NotSplicedError):
                continue
            after = (root / CORE).read_bytes().split(b"\n")
            differ = [
                n
                for n, pair in enumerate(zip(before, after, strict=True), 1)
                if pair[0] != pair[1]
            ]
            assert differ in ([one.line], [])


class Changes(RuleBasedStateMachine):
    """A store that is changed at random, with all that was before remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.root = Path(self.folder.name) / "memories"
        self.root.mkdir()
        make_small_store(self.root)
        write(self.root, "default.json", json.dumps({"core_memories": [thing(11)]}))
        odd = b'{ "id":"%s","content" :"caf\\u00e9","n":1.10 }' % own_id(8).encode()
        write(self.root, CORE, lines(thing(1), b"broken", b"", odd, thing(2)))
        write(self.root, "index.json", rebuilt(self.root).after)
        self.past = [tree(self.root)]

    def teardown(self) -> None:
        with self.folder:
            for before in reversed(self.past[:-1]):
                undone(self.root)
                assert tree(self.root) == before

    def do(self, intent: Intent, records: list[Memory]) -> None:
        try:
            draft = changed(self.root, intent, records)
        except NotPossibleError:
            return
        if draft.steps:
            self.past.append(tree(self.root))

    def some(self, data: st.DataObject, least: int = 1) -> list[Memory]:
        there = memories(self.root)
        if len(there) < least:
            return []
        chosen = st.lists(
            st.sampled_from(there), min_size=least, max_size=3, unique=True
        )
        return data.draw(chosen)

    @rule(data=st.data(), value=TEXTS, name=st.sampled_from(["body", "category", "x"]))
    def set(self, data: st.DataObject, value: str, name: str) -> None:
        self.do(Set(name=name, value=value), self.some(data))

    @rule(data=st.data(), kind=st.sampled_from(["core", "learning"]))
    def set_type(self, data: st.DataObject, kind: str) -> None:
        self.do(Set(name="type", value=kind), self.some(data))

    @rule(data=st.data(), tag=TEXTS)
    def tag(self, data: st.DataObject, tag: str) -> None:
        self.do(Retag(add=(tag, "b"), remove=("python",)), self.some(data))

    @rule(data=st.data(), archives=st.booleans())
    def archive(self, data: st.DataObject, *, archives: bool) -> None:
        self.do(Archive(archives=archives), self.some(data))

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        self.do(Delete(), self.some(data))

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        self.do(Merge(), self.some(data, least=2))

    @rule(data=st.data(), intent=st.sampled_from([Pin(), Touch()]))
    def note(self, data: st.DataObject, intent: Intent) -> None:
        self.do(intent, self.some(data))

    @rule(title=TEXTS)
    def create(self, title: str) -> None:
        self.do(Create(title=title), [])

    @invariant()
    def the_index_agrees(self) -> None:
        assert index_agrees(self.root)

    @invariant()
    def what_is_broken_is_still_there(self) -> None:
        assert b"broken" in (self.root / CORE).read_bytes()

    @invariant()
    def every_other_line_is_json(self) -> None:
        for line in raw_lines(self.root):
            assert line == b"broken" or isinstance(json.loads(line), dict)


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)
