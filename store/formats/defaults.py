"""What a format answers where its stores have nothing of the kind."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from store.closing import Closing
from store.derive.exchange import Exchange
from store.errors import UnreadableError
from store.findings import Findings, Json
from store.formats.port import Passage, Place, Question, Rebuilt, Source, Vectors

if TYPE_CHECKING:
    from store.edits.draft import Shown
    from store.edits.port import Scribe


class FormatDefaults:
    """A format without questions, derived files, and stores within its own."""

    rebuilds: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()

    def scribe(self, path: Path) -> "Scribe":
        """Its stores are only looked at."""
        from store.edits.refusals import NotPossibleError  # noqa: PLC0415  # for changes

        raise NotPossibleError(f"Stores such as {path} are only looked at.")

    def shown(self, path: str) -> "Shown | None":
        """Nothing in them is secret as such."""
        del path

    @property
    def questions(self) -> tuple[Question, ...]:
        """There is nothing to ask."""
        return ()


class OpenStoreDefaults(Closing):
    """An open store without messages, questions, derived files or vectors."""

    def source_at(self, path: str) -> Source | None:
        """Only a scan can tell."""
        del path

    def read_lines(
        self, source: Source, exchange: Exchange, others: int
    ) -> Findings | None:
        """Files are read whole."""
        del source, exchange, others

    def passage(self, source: Source, place: Place) -> Passage:
        """There are no messages that could be opened."""
        raise UnreadableError(f"{source.path} holds no message at line {place.line}.")

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """There is nothing to ask."""
        del question, words, now
        return iter(())

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """There is nothing to make anew."""
        del name
        return iter(())

    def vectors(self) -> Vectors | None:
        """There are no vectors."""
        return None
