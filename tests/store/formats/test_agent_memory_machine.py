"""Any changes of any lines in any order lose nothing and can be undone."""

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from store.errors import NotPossibleError
from store.files.json_edit import NotSplicedError
from store.formats.agent_memory.format import FORMAT
from store.kinds.memories import Memory
from store.records.intents import (
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Rebuild,
    Retag,
    Set,
    Touch,
)
from tests.examples import examples
from tests.store.formats.agent_memory_changes import (
    CORE,
    changed,
    index_agrees,
    memories,
    tree,
)
from tests.store.formats.agent_memory_stores import (
    lines,
    make_small_store,
    own_id,
    rebuilt,
    thing,
    write,
)
from tests.store.formats.changes import USUAL, Changes, asked

TEXTS = st.text(max_size=20) | st.sampled_from(["café", '"\\', "\u2028", "\U0001f600"])
BROKEN = st.sampled_from(
    [b"", b" ", b"{", b"[1]", b"null", b"\xff", b'{"id": 1', b"\0", b"\r", b'"\\ud83d"']
)


@st.composite
def odd_lines(draw: st.DrawFn) -> bytes:
    """An unusual memory, or something that is not a memory."""
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


@examples(25)
@given(odd_files(), st.data())
def test_archiving_and_unarchiving_keeps_every_line(
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


@examples(25)
@given(odd_files(), TEXTS)
def test_setting_one_value_leaves_every_other_line(raw: bytes, value: str) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "memories"
        root.mkdir()
        make_small_store(root)
        write(root, CORE, raw)
        for one in [m for m in memories(root) if m.path == CORE and is_unique(root, m)]:
            before = (root / CORE).read_bytes().split(b"\n")
            try:
                changed(root, Set(name="note", value=value, adds=True), [one])
            except (NotPossibleError, NotSplicedError):
                continue
            after = (root / CORE).read_bytes().split(b"\n")
            differ = [
                n
                for n, pair in enumerate(zip(before, after, strict=True), 1)
                if pair[0] != pair[1]
            ]
            assert differ in ([one.line], [])


ONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Set, name=st.sampled_from(["body", "category", "x"]), value=TEXTS),
    st.builds(Set, name=st.just("type"), value=st.sampled_from(["core", "learning"])),
    st.builds(Retag, add=st.tuples(TEXTS, st.just("b")), remove=st.just(("python",))),
    st.builds(Archive, archives=st.booleans()),
    st.builds(Pin, pins=st.booleans()),
    st.sampled_from([Touch(), Delete()]),
)
TWO = st.sampled_from([Merge(), Delete(), Archive()])
NONE = st.builds(Create, title=TEXTS) | st.just(Rebuild(name="index"))


def fill(root: Path) -> None:
    """A store with a document of version 1.0, an odd line, a broken one, an index."""
    root.mkdir()
    make_small_store(root)
    write(root, "default.json", json.dumps({"core_memories": [thing(11)]}))
    odd = b'{ "id":"%s","content" :"caf\\u00e9","n":1.10 }' % own_id(8).encode()
    write(root, CORE, lines(thing(1), b"broken", b"", odd, thing(2)))
    write(root, "index.json", rebuilt(root).after)


class Server(Changes):
    """Other lines stay JSON, broken ones stay, and the index is correct."""

    format = FORMAT
    first = st.just(fill)
    asked = asked(ONE, TWO, NONE)
    refusals = (NotSplicedError,)

    def assert_sound(self) -> None:
        assert index_agrees(self.root)
        assert b"broken" in (self.root / CORE).read_bytes()
        for line in raw_lines(self.root):
            assert line == b"broken" or isinstance(json.loads(line), dict)


TestServer = Server.TestCase
TestServer.settings = USUAL
