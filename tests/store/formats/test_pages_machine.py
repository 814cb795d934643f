"""Any changes of pages in any order lose nothing, keep links, and can be undone."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, example, given
from hypothesis import strategies as st

from store.findings import name_key
from store.formats.pages.format import FORMAT
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
from tests.examples import examples
from tests.store.files.frontmatter.documents import BODIES
from tests.store.formats.changed_stores import Changed, strictly
from tests.store.formats.changes import USUAL, Changes, asked
from tests.store.formats.pages_stores import vault
from tests.store.formats.test_notes_scribe_machine import TEXTS, TITLES, TYPES, notes

TAKEN = {"name:zoe", "name:billing-service", "name:retry-policy", "name:retries"}


def fill(pages: list[bytes], root: Path) -> None:
    vault(root)
    for number, page in enumerate(pages):
        (root / f"n{number}.md").write_bytes(page)


def linked(store: Changed) -> set[tuple[str | None, str | None]]:
    """Which files link to which others."""
    paths = {memory.ref: memory.path for memory in store.memories()}
    ends = ((paths.get(e.from_ or ""), paths.get(e.to or "")) for e in store.edges())
    return {(start, end) for start, end in ends if start and end and start != end}


@examples(30)
@given(st.sampled_from(["Zoe", "Billing service", "Retry policy"]), TITLES)
@example("Zoe", "a]] [[b|c")
@example("Billing service", "100% (of it) #1.md")
@example("Billing service", ".hidden")
@example("Zoe", "billing_service/zoe")
def test_a_rename_keeps_every_link(title: str, new: str) -> None:
    with TemporaryDirectory() as folder:
        root = vault(Path(folder) / "vault")
        with Changed(root, FORMAT, Path(folder) / "own") as store:
            memory, before, tree = store.memory(title), linked(store), store.tree()
            assume(name_key(" ".join(new.split())) not in TAKEN)
            store.do(Rename(title=new), memory)
            (place,) = {one.path for one in store.memories()} - (
                {one for one, _ in before} - {memory.path}
            )
            renamed = {
                tuple(place if end == memory.path else end for end in ends)
                for ends in before
            }
            assert linked(store) == renamed
            assert next(
                one.title for one in store.memories() if one.path == place
            ) == " ".join(new.split())
            store.undo()
            assert store.tree() == tree
            assert linked(store) == before


ONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Set, name=st.sampled_from(["title", "description"]), value=TITLES),
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
NONE: st.SearchStrategy[Intent] = st.builds(
    Create,
    title=TITLES,
    body=BODIES,
    fields=st.fixed_dictionaries({}, optional={"type": TYPES}),
)


class Folder(Changes):
    """A vault and pages in any style; every header stays valid YAML."""

    format = FORMAT
    first = st.lists(notes(), max_size=3).map(lambda pages: partial(fill, pages))
    asked = asked(ONE, st.sampled_from([Merge(), Delete()]), NONE)

    def assert_sound(self) -> None:
        for page in self.root.rglob("*.md"):
            text = page.read_bytes().decode()
            assert not text.startswith("---\n") or strictly(text)


TestFolder = Folder.TestCase
TestFolder.settings = USUAL
