"""What is offered while one types: completions, saved queries, earlier queries."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tui.browser.asking.understanding import Known

if TYPE_CHECKING:
    from store.search.language.completing import Completion

_EARLIER = 5
"""So many earlier queries are offered beside other things."""

_SIGNS = (":", "<", ">", "=")
"""What a completion ends in behind which a value is typed."""


class Source(StrEnum):
    """Where an offer comes from."""

    WORD = "word"
    SAVED = "saved"
    EARLIER = "earlier"


class Offer(Struct, frozen=True):
    """A text to go on with."""

    source: Source
    title: str
    """What it is called."""
    help: str
    """What it is."""
    text: str
    """What would stand in the bar."""
    cursor: int
    """Where the cursor would be."""
    count: int | None = None
    """How many records have it, where that is known."""

    @property
    def key(self) -> tuple[Source, str]:
        """What tells it from all others."""
        return self.source, self.title


class Repertoire(Struct):
    """All that can be offered."""

    kind: str = "memories"
    """The kind of record that is asked about."""
    known: Known = field(default_factory=dict[str, Sequence[tuple[str, int]]])
    """The values of fields."""
    saved: Mapping[str, str] = field(default_factory=dict[str, str])
    """Saved queries by name."""
    earlier: Sequence[str] = ()
    """Earlier queries, the newest last."""

    def offers(self, text: str, cursor: int) -> Sequence[Offer]:
        """What a key that completes may mean, the likeliest first."""
        queries = [*self._saved(text), *list(self.asked_before(text))[:_EARLIER]]
        words = list(self.words(text, cursor))
        return [*words, *queries] if text.strip() else [*queries, *words]

    def words(self, text: str, cursor: int) -> Iterator[Offer]:
        """How the word at the cursor may go on."""
        from store.search.language.completing import completions

        for one in completions(text, cursor, [self.kind], self._values):
            offer = _word(one, text)
            if offer.text.rstrip() != text.rstrip():
                yield offer

    def asked_before(self, text: str) -> Iterator[Offer]:
        """The earlier queries that hold what is typed, the newest first."""
        typed = text.casefold().split()
        for query in reversed(self.earlier):
            folded = query.casefold()
            if query != text and all(word in folded for word in typed):
                yield Offer(Source.EARLIER, query, "", query, len(query))

    def _saved(self, text: str) -> Iterator[Offer]:
        """The saved queries whose names hold what is typed."""
        typed = text.strip().casefold()
        for name, query in self.saved.items():
            if typed in name.casefold() and query != text:
                yield Offer(Source.SAVED, name, query, query, len(query))

    def _values(self, name: str, begun: str) -> Sequence[tuple[str, int]]:
        word = begun.casefold()
        values = self.known.get(name, ())
        return [one for one in values if one[0].casefold().startswith(word)]


def is_behind_operator(text: str, cursor: int) -> bool:
    """Whether a value is being typed, whose choices few people know by heart."""
    word = text[:cursor].rsplit(" ", maxsplit=1)[-1]
    return any(sign in word for sign in _SIGNS) and '"' not in word


def _word(one: "Completion", text: str) -> Offer:
    """A completion in its place; behind a value that ends the text one may go on."""
    before, behind = text[: one.span.start] + one.text, text[one.span.end :]
    if not behind and not one.text.endswith(_SIGNS):
        before += " "
    return Offer(
        Source.WORD, one.text, one.help, before + behind, len(before), one.count
    )
