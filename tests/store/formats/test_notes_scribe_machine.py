"""Any changes in any order to notes in any style: nothing is lost, all is undone."""

from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.beneath import Root
from store.files.frontmatter import read_page
from store.findings import Value
from store.formats.notes import FORMAT
from store.formats.notes.scribe.listing import whole
from store.records.intents import (
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Rename,
    Retag,
    Set,
)
from tests.store.formats.changed_stores import Changed
from tests.store.frontmatter.documents import BODIES, entries

TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20
).filter(str.strip)
TITLES = TEXTS | st.sampled_from(
    ["Tabs", "a: b", "x # y", "[[z]]", "- q", "yes", "../x"]
)
TYPES = st.sampled_from(["user", "feedback", "project", "reference"])
PICKS = st.integers(0, 50)


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    """A note in one of the styles that such files are written in."""
    fields: dict[str, Value] = {"name": draw(TITLES), "description": draw(TITLES)}
    if draw(st.booleans()):
        fields["metadata"] = {"node_type": "memory", "type": draw(TYPES)}
    else:
        fields["type"] = draw(TYPES)
    lists = st.lists(TEXTS).map(list[Value])
    fields |= draw(st.dictionaries(st.sampled_from(["x-y", "tags"]), lists))
    lines = [line for pair in fields.items() for line in draw(entries(*pair))]
    body = draw(BODIES | st.just("See [[Tabs]] and [it](n1.md).\n"))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    head = newline.join([f"{mark}---", *lines, "---", ""])
    plain = draw(st.integers(0, 4)) == 0
    return (body if plain else head + body).encode()


FOLDERS = st.lists(notes(), min_size=1, max_size=4)


def fill(root: Path, pages: list[bytes]) -> Path:
    root.mkdir(parents=True)
    for number, page in enumerate(pages):
        (root / f"n{number}.md").write_bytes(page)
    (root / "MEMORY.md").write_text("", encoding="utf-8")
    return root


@settings(max_examples=60, deadline=None)
@given(
    notes(),
    st.tuples(st.sampled_from(["name", "description", "mood"]), TITLES)
    | st.tuples(st.just("type"), TYPES)
    | st.tuples(st.just("tags"), st.lists(TEXTS.map(str.strip), max_size=3)),
)
def test_one_field_differs_and_nothing_else(
    page: bytes, change: tuple[str, Value]
) -> None:
    name, value = change
    before = read_page(page)
    assume(before.has_header)
    with TemporaryDirectory() as folder:
        root = fill(Path(folder) / "memory", [page])
        with Changed(root, FORMAT, Path(folder) / "own") as store:
            (record,) = store.memories()
            store.do(Set(name=name, value=value), record)
        raw = (root / "n0.md").read_bytes()

    after = read_page(raw)
    assert after.body == before.body or name == "name"
    wanted: Value = " ".join(value.split()) if isinstance(value, str) else value
    wanted = value if name == "mood" else wanted
    below = before.fields.get("metadata")
    if name == "type" and isinstance(below, dict):
        assert after.fields == {**before.fields, "metadata": {**below, "type": wanted}}
    else:
        told = [" ".join(t.split()) for t in wanted if isinstance(t, str)]
        expected = wanted if isinstance(wanted, str) else told
        assert after.fields == {**before.fields, name: expected}
    strict = yaml.safe_load(after.header)
    assert not isinstance(value, str) or name == "type" or strict[name] == wanted
    assert (b"\r\n" in page) == (b"\r\n" in raw)
    assert page.startswith(b"\xef\xbb\xbf") == raw.startswith(b"\xef\xbb\xbf")


INTENTS: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Set, name=st.sampled_from(["name", "description"]), value=TITLES),
    st.builds(Set, name=st.just("type"), value=TYPES),
    st.builds(Set, name=st.just("mood"), value=st.none() | TEXTS),
    st.builds(Retag, add=st.tuples(TEXTS)),
    st.builds(Pin, pins=st.booleans()),
    st.builds(Archive, archives=st.booleans()),
    st.builds(Rename, title=TITLES),
    st.just(Delete()),
)


class Folder(RuleBasedStateMachine):
    """A folder whose index is as a program makes it, changed again and again."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self._done = 0

    @initialize(pages=FOLDERS)
    def begin(self, pages: list[bytes]) -> None:
        root = fill(Path(self._folder.name) / ".memory", pages)
        (root / "MEMORY.md").write_bytes(self._whole(root))
        self.store = Changed(root, FORMAT, Path(self._folder.name) / "own")
        self.first = self.store.tree()

    @rule(intent=INTENTS, pick=PICKS)
    def change_one(self, intent: Intent, pick: int) -> None:
        memories = self.store.memories()
        if memories:
            self._do(intent, memories[pick % len(memories)])

    @rule(title=TITLES, body=BODIES, kind=TYPES)
    def create(self, title: str, body: str, kind: str) -> None:
        self._do(Create(title=title, body=body, fields={"type": kind}))

    @rule(pick=PICKS, step=PICKS)
    def merge(self, pick: int, step: int) -> None:
        memories = self.store.memories()
        if len(memories) > 1:
            other = pick + 1 + step % (len(memories) - 1)
            self._do(Merge(), *(memories[at % len(memories)] for at in (pick, other)))

    @rule()
    def undo(self) -> None:
        if self._done:
            self.store.undo()
            self._done -= 1

    @invariant()
    def the_index_is_what_a_program_would_make(self) -> None:
        if hasattr(self, "store"):
            raw = (self.store.root / "MEMORY.md").read_bytes()
            assert raw == self._whole(self.store.root)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            while self._done:
                self.undo()
            assert self.store.tree() == self.first
            self.store.close()
        self._folder.cleanup()

    def _whole(self, path: Path) -> bytes:
        with Root(path) as root:
            return whole(root).encode()

    def _do(self, intent: Intent, *records: Changeable) -> None:
        try:
            planned = self.store.plan(intent, *records)
        except NotPossibleError:
            return
        if planned.draft.steps and not planned.is_idle:
            self.store.library.change(planned, is_permitted=True)
            self._done += 1


UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Stores take so long to be made and changed that shrinking takes minutes."""

TestFolder = Folder.TestCase
TestFolder.settings = settings(
    max_examples=12, stateful_step_count=12, deadline=None, phases=UNSHRUNK
)
