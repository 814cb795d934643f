"""Sample stores in a real folder pass the contract of editable formats."""

from typing import ClassVar

from hypothesis import strategies as st

from store.formats.port import Format
from store.records.intents import Create, Delete, Intent, Relate, Rename, Set
from tests.store.answers.plain import make
from tests.store.formats.changed_stores import Changed
from tests.store.formats.changes import USUAL, Changes, asked
from tests.store.formats.sample import Folder, SampleFormat

TITLES = st.text("abc xyz", min_size=1, max_size=9).filter(str.strip).map(str.strip)
ONE: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Set, name=st.just("type"), value=TITLES),
    st.builds(Rename, title=TITLES),
    st.just(Delete()),
)


class Pages(Changes):
    """Every page is one line of three parts, and the log is unchanged."""

    format: ClassVar[Format] = SampleFormat({})
    first = st.just(make)
    asked = asked(ONE, st.just(Relate(type="fact")), st.builds(Create, title=TITLES))

    def assert_sound(self) -> None:
        for name, page in Folder(self.root).items():
            assert page.count(b" | ") >= 1 or page.endswith(b"|")
            assert name != "diary.log" or page == b"Rain | weather | Soil\n"

    def opened(self) -> Changed:
        form = SampleFormat({self.root: Folder(self.root)})
        return Changed(self.root, form, self.folder / "own")


TestPages = Pages.TestCase
TestPages.settings = USUAL
