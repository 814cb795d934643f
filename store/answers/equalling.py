"""Answers for who wants to find the same with another program."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.search.language.tree import EVERYTHING, Node

if TYPE_CHECKING:
    from store.equivalents.line import Equivalent


class Equalling(Finding):
    """Answers with lines for a shell."""

    def equivalent(self, kind: str, query: Node = EVERYTHING) -> "Equivalent":
        """The line that finds what a query finds, as far as a line can say it."""
        from store.catalogue.conditions.condition import ALWAYS
        from store.catalogue.tallies import holders_of
        from store.equivalents.line import equivalent

        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            held = holders_of(reader, kind, condition)
            held = held or holders_of(reader, kind, ALWAYS)
        files = [
            Path(os.path.normpath(Path(os.fsdecode(store), os.fsdecode(path))))
            for store, path in held
        ]
        return equivalent(kind, query, files, self._now)
