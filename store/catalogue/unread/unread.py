"""What a look at the files that are not read yet came to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.condition import Condition
from store.catalogue.finding.finder import Finder
from store.catalogue.finding.search import Best
from store.catalogue.reader import Page, Reader
from store.catalogue.unread.aside import Aside
from store.catalogue.unread.merging import Part, merged_best, merged_page
from store.catalogue.unread.together import KINDS, needs_every_file
from store.catalogue.views import VIEWS, Record, View
from store.closing import Closing
from store.search.language.tree import EVERYTHING, Node


class Sought(Struct, frozen=True):
    """What is looked for."""

    tree: Node
    kinds: Sequence[str]
    """The kinds that it is about; none means every kind."""
    circumstances: Circumstances

    @property
    def told_by_one(self) -> list[str]:
        """The kinds of which one file can tell."""
        return [kind for kind in self.kinds or tuple(VIEWS) if kind not in KINDS]

    @property
    def can_be_told(self) -> bool:
        """Whether some of the files can tell what is looked for at all."""
        if self.tree == EVERYTHING or not self.told_by_one:
            return False
        return not needs_every_file(self.tree)


@dataclass(slots=True)
class Unread(Closing):
    """How much is not read, and what was found in it ahead of the sync.

    Its records are what they will be, but for what other files say of them.
    """

    sought: Sought
    """What it was found for; it adds to the answers to this alone."""
    aside: Aside
    """What was read of it."""
    files: int
    """How many files the stores have."""
    unread: int
    """How many of them are not read, or not to their end."""
    is_settled: bool
    """Whether what spans files was put together, too."""
    looked: int = 0
    """How many of the unread were looked through."""

    @property
    def sentence(self) -> str | None:
        """What the user ought to know of it; None where all is read."""
        if not self.unread:
            told = "All files are read; what links them is not put together yet."
            return None if self.is_settled else told
        verb = "is" if self.unread == 1 else "are"
        told = f"{self.unread} of {self.files} files {verb} not read yet"
        if not self.looked:
            return f"{told}."
        verb = "was" if self.looked == 1 else "were"
        return f"{told}; {self.looked} of them {verb} looked through."

    @staticmethod
    def beginning(page: Page) -> Page:
        """All that comes before the end of a page."""
        return Page(limit=None if page.limit is None else page.offset + page.limit)

    def best(self, best: Best, page: Page) -> Best:
        """A page of the best of these files and of the catalogue.

        Those of the catalogue come from the first one on, as `beginning` asks.
        """
        beginning = self.beginning(page)
        finder, sought = self._finder, self.sought
        kinds = sought.told_by_one
        if kinds:
            fresh = finder.search(self.aside.reader, sought.tree, kinds, beginning)
            best = merged_best(best, fresh)
        return best._replace(hits=best.hits[page.offset : beginning.limit])

    def page(
        self, view: View[Record], page: Page, reader: Reader, condition: Condition
    ) -> Iterator[Record]:
        """A page of the records of the catalogue and of these files."""
        if view.table not in self.sought.told_by_one:
            return reader.page(view, page, self.sought.circumstances.now, condition)
        here = self.aside.reader
        meant = self._finder.condition(here, view.table, self.sought.tree)
        catalogue, aside = Part(reader, condition), Part(here, meant)
        now = self.sought.circumstances.now
        return merged_page(view, page, now, catalogue, aside)

    def close(self) -> None:
        """Forget what was found."""
        self.aside.close()

    @property
    def _finder(self) -> Finder:
        finder = Finder()
        finder.circumstances = self.sought.circumstances
        return finder
