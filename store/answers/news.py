"""Answers about what came since somebody last looked."""

from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.catalogue.reader import Reader, known_stores
from store.search.language.tree import Last, Named

if TYPE_CHECKING:
    from store.records.news import News

KINDS = (
    *("memories", "edges", "episodes", "conversations", "messages"),
    *("documents", "problems"),
)
"""The kinds of which it is told what is new."""

SINCE_LAST = Named("since", (Last(),))
"""What is new since the last look, or changed."""


class Newsworthy(Finding):
    """Answers with how much is new, store by store."""

    def news(self) -> "list[News]":
        """What is new in each store that is looked at, in order of their paths."""
        from store.catalogue.per_store import counts_per_store
        from store.catalogue.views import VIEWS

        with self._reader() as reader:
            counts = {
                kind: counts_per_store(
                    reader, VIEWS[kind], self._condition(reader, kind, SINCE_LAST)
                )
                for kind in KINDS
            }
            return self._told(reader, counts)

    def _told(self, reader: Reader, counts: dict[str, dict[int, int]]) -> "list[News]":
        from store.records.news import News
        from store.times import parse

        rows = {str(one.path): one.row for one in known_stores(reader.connection)}
        looked = self._circumstances.looked
        return [
            News(
                store=one.path,
                name=one.name,
                looked=parse(looked[one.path]).iso if one.path in looked else None,
                **{kind: counts[kind].get(rows[one.path], 0) for kind in KINDS},
            )
            for one in reader.stores()
        ]
