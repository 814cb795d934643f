"""The input line of a query, with colours and suggestions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct, field
from rich.highlighter import Highlighter
from rich.style import Style
from rich.text import Text
from textual import events
from textual.reactive import reactive
from textual.widgets import Input

from store.clean import clean
from store.kinds.field import Field, Match
from store.search import parse as complaints
from store.search.edit import Completion, completions
from store.search.fields import fields_of, names
from store.search.parse import parse
from store.search.tree import LONGEST, Complaint, Part, Span, What
from store.text import fold
from widgets.lines import Face
from widgets.rows import Held
from widgets.sheet import Piece, Pieces, Sheet
from widgets.styles import DARK, FOCUSED, NOWHERE, Palette
from widgets.table import brief, fit, told

# An input line: a single line without control characters.


class LineInput(Input):
    """Typed text without control characters; a steady cursor saves bytes."""

    DEFAULT_CSS = """
    LineInput {
        width: 1fr;
        background: transparent;
        &:focus { background-tint: transparent; }
        &:ansi { background: transparent; }
        & > .input--placeholder { color: $hue-slate; }
        & > .input--cursor, &:ansi > .input--cursor {
            background: transparent;
            color: $foreground;
            text-style: reverse;
        }
    }
    """

    def __init__(self, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder, select_on_focus=False, compact=True)
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        """Clean the value and join its lines."""
        return clean(" ".join(value[: 2 * LONGEST].splitlines()))[: LONGEST + 1]

    def on_paste(self, event: events.Paste) -> None:
        """Insert pasted lines as one."""
        event.prevent_default()
        event.stop()
        lines = [line.strip() for line in event.text[: 2 * LONGEST].splitlines()]
        self.replace(clean(" ".join(filter(None, lines))), *sorted(self.selection))


# How a query is coloured while it is typed.

Known = Mapping[str, Sequence[tuple[str, int]]]
"""The values of each field, by its full name, with their counts."""

_WHOLE = 50
"""Below this number the values of a field are complete, because no more are counted."""

_TONES = {
    What.WORD: "marked",
    What.PHRASE: "marked",
    What.FIELD: "tag",
    What.OPERATOR: "muted",
    What.VALUE: "arrow",
    What.NEGATION: "warning",
    What.EITHER: "muted",
    What.GROUP: "muted",
    What.FUZZY: "marked italic",
    What.START: "marked italic",
    What.PATTERN: "ok",
    What.BAD: "",
}


class Coloured(NamedTuple):
    """A span of the text and its style."""

    span: Span
    tones: str


class Said(Struct, frozen=True):
    """A value in the query, and its field."""

    span: Span
    value: str
    field: Field


class Understanding(Struct, frozen=True):
    """The meaning of a text in one view."""

    parts: tuple[Coloured, ...]
    """The parts of the query."""
    bad: tuple[Complaint, ...]
    """Errors."""
    foreign: tuple[Complaint, ...]
    """Parts that only other views understand; they are ignored and not errors."""

    is_begun: bool = False
    """Whether the last value is only the beginning of an existing one."""

    @property
    def is_finished(self) -> bool:
        """Whether it can run, even without a field; otherwise the last result stays."""
        return not self.is_begun and all(one.is_of_field for one in self.bad)

    @property
    def reason(self) -> Complaint | None:
        """The complaint to show, errors first."""
        return next(iter((*self.bad, *self.foreign)), None)


NOTHING = Understanding((), (), ())
"""The meaning of an empty text."""


@lru_cache(maxsize=16)
def _parsed(
    text: str, kind: str
) -> tuple[tuple[Part, ...], tuple[Complaint, ...], frozenset[int]]:
    """The parts of a text, the complaints, and where fields of other kinds are."""
    here = parse(text, [kind])
    if not here.complaints:
        return here.parts, (), frozenset()
    fields = (part for part in parse(text).parts if part.what is What.FIELD)
    return here.parts, here.complaints, frozenset(part.span.start for part in fields)


def understand(text: str, kind: str, known: Known) -> Understanding:
    """Parse a text as a query about a kind of record."""
    if not text:
        return NOTHING
    parts, complained, elsewhere = _parsed(text, kind)
    begun = {part.span.start for part in parts if part.what is What.BAD}
    foreign = tuple(
        one
        for one in complained
        if one.span.start in begun and one.span.start in elsewhere
    )
    said = tuple(_said(text, kind, parts))
    unknown = tuple(one for value in said for one in _unheard(value, known, text))
    bad = tuple(one for one in complained if one not in foreign) + unknown
    return Understanding(
        tuple(Coloured(part.span, _TONES[part.what]) for part in parts),
        bad,
        foreign,
        is_begun=any(_is_begun(value, known, text) for value in said),
    )


def _said(text: str, kind: str, parts: Sequence[Part]) -> Iterator[Said]:
    """The values of fields whose values come from the stores."""
    fields: list[Field] = []
    for part in parts:
        said = text[part.span.start : part.span.end]
        if part.what is What.FIELD:
            all_fields = fields_of(frozenset({kind}))
            found = names(said.casefold(), all_fields)
            fields = [field for field in all_fields if field.name in found]
        elif part.what is What.VALUE:
            is_listed = len(fields) == 1 and fields[0].match is Match.IS
            if is_listed and fields[0].choices is None and '"' not in said:
                yield Said(part.span, said, fields[0])
        elif part.what is not What.OPERATOR:
            fields = []


def _unheard(said: Said, known: Known, text: str) -> Iterator[Complaint]:
    """A complaint if all values of the field are known and this is not one of them.

    There is none for the beginning of a known value at the end of the text, which may
    still grow.
    """
    values = [value for value, _ in known.get(said.field.name, ())]
    folded = [fold(value) for value in values]
    if not 0 < len(values) < _WHOLE or fold(said.value) in folded:
        return
    if not _is_begun(said, known, text):
        yield complaints.unknown_value(said.span, said.field.name, said.value, values)


def _is_begun(said: Said, known: Known, text: str) -> bool:
    """Whether a value at the end of the text is only the beginning of known ones."""
    word = fold(said.value)
    folded = [fold(value) for value, _ in known.get(said.field.name, ())]
    is_last = said.span.end == len(text)
    return (
        is_last and word not in folded and any(one.startswith(word) for one in folded)
    )


# The input line of a query, coloured by its meaning.

_UNDERLINED = Style(underline=True)

_PLACEHOLDER = "words  tag:redis  is:orphan  strength<.2  created<7d"
"""The hint in the empty line."""

_STRUCK = "muted struck"
"""The style of parts that only other views understand."""


class _Colours(Highlighter):
    """Colours a text by its meaning."""

    def __init__(self, line: "QueryInput") -> None:
        self._line = line

    def highlight(self, text: Text) -> None:
        """Colour the parts of the query and mark errors, or show it in words."""
        query, words = self._line.called
        if words and text.plain == query and not self._line.has_focus:
            text.plain = words
            return
        palette, understood = self._line.palette, self._line.understand(text.plain)
        for span, tones in understood.parts:
            text.stylize(palette.style(tones), *span)
        for complaint in understood.foreign:
            text.stylize(palette.style(_STRUCK), *complaint.span)
        for complaint in understood.bad:
            text.stylize(palette.style("error") + _UNDERLINED, *complaint.span)


class QueryInput(LineInput):
    """The query, coloured by its meaning."""

    palette: reactive[Palette] = reactive(DARK)
    """The palette for the parts of the query."""

    def __init__(self, understand: Callable[[str], Understanding]) -> None:
        super().__init__(_PLACEHOLDER)
        self.called: tuple[str, str] = ("", "")
        """A query, and the words shown for it unless it is typed in."""
        self.highlighter = _Colours(self)
        self.understand = understand


# Suggestions: completions, saved queries, earlier queries.

_EARLIER = 5
"""Maximum earlier queries suggested among other things."""

_SIGNS = (":", "<", ">", "=")
"""The ends of completions after which a value follows."""


class Source(StrEnum):
    """The source of a suggestion."""

    WORD = "word"
    SAVED = "saved"
    EARLIER = "earlier"


class Offer(Struct, frozen=True):
    """A suggestion."""

    source: Source
    title: str
    """The text shown."""
    help: str
    """Its description."""
    text: str
    """The resulting query."""
    cursor: int
    """The resulting position of the cursor."""
    count: int | None = None
    """The number of records with this value, if known."""

    @property
    def key(self) -> tuple[Source, str]:
        """Identifies the suggestion."""
        return self.source, self.title


class Repertoire(Struct):
    """Everything that can be suggested."""

    kind: str = "memories"
    """The kind of record queried."""
    known: Known = field(default_factory=dict[str, Sequence[tuple[str, int]]])
    """The values of fields."""
    saved: Mapping[str, str] = field(default_factory=dict[str, str])
    """Saved queries by name."""
    earlier: Sequence[str] = ()
    """Earlier queries, newest last."""

    def suggested(
        self, source: Source, text: str, cursor: int, *, is_wide: bool
    ) -> Sequence[Offer]:
        """Earlier queries, completions, or with `is_wide` everything."""
        if source is Source.EARLIER:
            return list(self.asked_before(text))
        return self.offers(text, cursor) if is_wide else list(self.words(text, cursor))

    def offers(self, text: str, cursor: int) -> Sequence[Offer]:
        """Completions, saved queries and earlier queries, most likely first."""
        queries = [*self._saved(text), *list(self.asked_before(text))[:_EARLIER]]
        words = list(self.words(text, cursor))
        return [*words, *queries] if text.strip() else [*queries, *words]

    def words(self, text: str, cursor: int) -> Iterator[Offer]:
        """Completions of the word at the cursor."""
        for one in completions(text, cursor, [self.kind], self._values):
            offer = _word(one, text)
            if offer.text.rstrip() != text.rstrip():
                yield offer

    def asked_before(self, text: str) -> Iterator[Offer]:
        """Earlier queries that contain the typed words, newest first."""
        typed = fold(text).split()
        for query in reversed(self.earlier):
            folded = fold(query)
            if query != text and all(word in folded for word in typed):
                yield Offer(Source.EARLIER, query, "", query, len(query))

    def _saved(self, text: str) -> Iterator[Offer]:
        """Saved queries whose names contain the typed text."""
        typed = fold(text.strip())
        for name, query in self.saved.items():
            if typed in fold(name) and query != text:
                yield Offer(Source.SAVED, name, query, query, len(query))

    def _values(self, name: str, begun: str) -> Sequence[tuple[str, int]]:
        word = fold(begun)
        values = self.known.get(name, ())
        return [one for one in values if fold(one[0]).startswith(word)]


def is_behind_operator(text: str, cursor: int) -> bool:
    """Whether a value is being typed, for which suggestions open without a key."""
    word = text[:cursor].rsplit(" ", maxsplit=1)[-1]
    return any(sign in word for sign in _SIGNS) and '"' not in word


def _word(one: Completion, text: str) -> Offer:
    """A completion in its place; at the end of the text, a space follows a value."""
    before, behind = text[: one.span.start] + one.text, text[one.span.end :]
    if not behind and not one.text.endswith(_SIGNS):
        before += " "
    return Offer(
        Source.WORD, one.text, one.help, before + behind, len(before), one.count
    )


# The list of suggestions below the bar, above everything else.

MOST = 8
"""Maximum number of rows."""

_WIDTH = 64
_TITLE = 26
_COUNT = 5
_GLYPHS = {Source.WORD: " ", Source.SAVED: "'", Source.EARLIER: "↶"}


class OfferSheet(Sheet, can_focus=False):
    """The suggestions on the screen."""

    DEFAULT_CSS = """
    OfferSheet {
        overlay: screen;
        constrain: inside inside;
        background: $panel;
        display: none;
        height: 1;
        width: 1;
        scrollbar-size-vertical: 0;
        max-width: 100vw;
    }
    """


class OfferList(Face[Offer]):
    """Suggestions, aligned with the word they complete; the bar keeps the focus."""

    def __init__(self) -> None:
        super().__init__(OfferSheet())
        self.is_walked = False
        """Whether keys move its cursor."""

    @property
    def is_open(self) -> bool:
        """Whether it is visible."""
        return bool(self.lines.sheet.display)

    def open(self, offers: Sequence[Offer], x: int, room: int, *, walks: bool) -> None:
        """Show suggestions at a column, with at most `room` rows."""
        if not offers or room <= 0:
            self.close()
            return
        self.is_walked, sheet = walks, self.lines.sheet
        sheet.styles.width = _WIDTH
        sheet.styles.height = min(MOST, len(offers), room)
        sheet.styles.offset = (x, 1)
        sheet.display = True
        self.lines.set_rows(Held(offers, key=lambda offer: offer.key), keeps=walks)

    def walk(self, rows: int) -> None:
        """Move the cursor, wrapping around at both ends."""
        self.lines.to((self.lines.cursor + rows) % max(self.lines.count(), 1))

    def close(self) -> None:
        """Hide the list."""
        self.lines.sheet.display = False
        self.is_walked = False

    def draw(self, record: Offer, width: int) -> Pieces:
        """Draw the source, the title, the description and the count."""
        room = max(width - 3, 0)
        pieces: list[Piece] = [(f"{_GLYPHS[record.source]} ", "brand")]
        if record.source is Source.EARLIER:
            return [*pieces, *fit([(told(record.title), "title")], room)]
        count = [(brief(record.count), "muted")] if record.count is not None else []
        title = min(_TITLE, max(room - _COUNT - 1, 0))
        rest = max(room - title - _COUNT - 1, 0)
        return [
            *pieces,
            *fit([(told(record.title), "title")], title),
            (" ", ""),
            *fit([(told(record.help), "muted")], rest),
            *fit(count, _COUNT, is_right=True),
            (" ", ""),
        ]

    def clicked(self, line: int, row: int, x: int, times: int) -> None:
        """Choose a suggestion with a single click."""
        del line, x, times
        self.lines.to(row)
        self.lines.choose()

    def cursor_state(self) -> str:
        """The cursor looks focused although the bar is."""
        return FOCUSED if self.is_walked else NOWHERE
