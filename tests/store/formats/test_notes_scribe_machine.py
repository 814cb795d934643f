"""Any changes of notes in any style and order lose nothing and can be undone."""

import re
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from store.files.beneath import Root
from store.files.frontmatter import read_page
from store.findings import Value
from store.formats.notes.edit_index import whole
from store.formats.notes.format import FORMAT
from store.records.intents import (
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Pin,
    Rebuild,
    Rename,
    Retag,
    Set,
)
from tests.examples import examples
from tests.store.files.frontmatter.documents import BODIES, entries
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.changes import USUAL, Changes, asked
from tests.store.formats.notes_changes import kept

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
    """A note in one of the usual styles."""
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


def fill_by_rule(pages: list[bytes], root: Path) -> None:
    """The same with a generated index."""
    fill(root, pages)
    with Root(root) as opened:
        index = whole(opened).encode()
    (root / "MEMORY.md").write_bytes(index)


@examples(25)
@given(
    notes(),
    st.tuples(st.sampled_from(["name", "description", "mood"]), TITLES)
    | st.tuples(st.just("type"), TYPES)
    | st.tuples(st.just("tags"), st.lists(TEXTS.map(str.strip), max_size=3)),
)
def test_only_one_field_differs(page: bytes, change: tuple[str, Value]) -> None:
    name, value = change
    before = read_page(page)
    assume(before.has_header)
    with TemporaryDirectory() as folder:
        root = fill(Path(folder) / "memory", [page])
        with Changed(root, FORMAT, Path(folder) / "own") as store:
            (record,) = store.memories()
            store.do(Set(name=name, value=value, adds=True), record)
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


ONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Set, name=st.sampled_from(["name", "description"]), value=TITLES),
    st.builds(Set, name=st.just("type"), value=TYPES),
    st.builds(
        Set, name=st.just("mood"), value=st.none() | TEXTS, adds=st.sampled_from([True])
    ),
    st.builds(Retag, add=st.tuples(TEXTS)),
    st.builds(Pin, pins=st.booleans()),
    st.builds(Archive, archives=st.booleans()),
    st.builds(Rename, title=TITLES),
    st.just(Delete()),
)
NONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(
        Create,
        title=TITLES,
        body=BODIES,
        fields=st.fixed_dictionaries({"type": TYPES}),
    ),
    st.just(Rebuild(name="notes-index")),
)
ASKED = asked(ONE, st.sampled_from([Merge(), Delete()]), NONE)


class Folder(Changes):
    """A folder with a generated index, which stays as generated."""

    format = FORMAT
    first = FOLDERS.map(lambda pages: partial(fill_by_rule, pages))
    asked = ASKED

    def assert_sound(self) -> None:
        with Root(self.root) as root:
            assert (self.root / "MEMORY.md").read_bytes() == whole(root).encode()


class KeptFolder(Changes):
    """A folder with an index that somebody keeps by hand, of what is valid YAML.

    It stays that, and every line that lists a note leads to one.
    """

    format = FORMAT
    first = st.just(kept)
    asked = ASKED

    def assert_sound(self) -> None:
        index = (self.root / "MEMORY.md").read_text("utf-8")
        for target in re.findall(r"(?m)^[-*] \[[^]]*\]\(([^)#]+)", index):
            assert (self.root / unquote(target).strip("<>")).is_file(), target
        for page in self.root.glob("*.md"):
            text = page.read_bytes().decode()
            assert not text.startswith("---\n") or strictly(text)


TestFolder = Folder.TestCase
TestFolder.settings = USUAL
TestKeptFolder = KeptFolder.TestCase
TestKeptFolder.settings = USUAL
