"""Menus: stores, themes, queries, sort orders, similar memories, news, dates."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from store.clean import clean
from store.context import WINDOW, Part, below_home
from store.errors import WrongUseError
from store.kinds.memories import Memory
from store.library import Library, Record
from store.queues import QUEUES
from store.recall import Recalled
from store.records.answers import Double, News, Similar, Version
from store.records.reports import StoreReport
from store.search.edit import written
from store.search.tree import All, Fuzzy, Last, Named
from tui.browser.bars import VIEWS, counted
from tui.browser.pages import diff_body
from tui.browser.popups.popup import Choice, Heading, Popup, Row
from tui.browser.popups.question import Answer, Question, Wanted
from tui.browser.record import Origin, Step
from tui.browser.rooms.days import DatePopup, day_of
from tui.output.text import to_the_minute
from tui.themes import ANSI, CONTRAST, DARK, LIGHT, NONE
from widgets.calendar import MEMORIES, Counted
from widgets.memory_table import bar, code, fraction, glyph, stroke
from widgets.page import Facts, Joined, Plain
from widgets.sheet import Pieces
from widgets.styles import Palette
from widgets.table import DOWN, UP, Sorting, brief, told

if TYPE_CHECKING:
    from store.past.lookback import Lookback

# What an agent is given at its start.


def context_menu(parts: Sequence[Part], home: Path) -> list[Choice[int]]:
    """The files that agents read, in their order, each with its size.

    Before those of an agent comes their sum, as a share of the context.
    """
    rows: list[Choice[int]] = []
    numbered = enumerate(parts)
    for agent, several in groupby(numbered, key=lambda pair: pair[1].agent):
        own = list(several)
        total = sum(part.tokens for _, part in own if part.is_loaded)
        rows.append(_sum_of(agent, total, -1 - len(rows)))
        rows += [_part(number, part, total, home) for number, part in own]
    return rows


_BUDGET = 8
"""Cells of a bar for a budget."""


def _sum_of(agent: str, total: int, value: int) -> Choice[int]:
    share = total / WINDOW
    tokens = [*bar(share, _BUDGET, "key"), (f" {total:>7,} tokens", "muted")]
    told = f"{agent}: {_percent(share)} of a context of {WINDOW:,}"
    detail = "Tokens are estimated: four bytes each."
    return Choice(value, told, right=tokens, detail=detail)


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= _LITTLE or not share else f"under {_LITTLE:.1%}"


_LITTLE = 0.001
"""The smallest share that is told as a number."""


def _part(number: int, part: Part, total: int, home: Path) -> Choice[int]:
    over = part.used is not None and part.used > 1
    share = part.tokens / total if part.is_loaded else 0.0
    tone = "warning" if over or part.note else "key"
    return Choice(
        number,
        clean(below_home(part.path, home)),
        part.role if part.when == "always" else clean(f"{part.role} {part.when}"),
        before=[(f"{part.agent:<8} ", "faint")],
        right=[*_size(part, share, tone)],
        detail=_loaded(part),
    )


_WIDTH = _BUDGET + len(" 123,456 tokens")


def _size(part: Part, share: float, tone: str) -> Pieces:
    """How much of the context a file takes; why it is not read, if nothing is."""
    if part.note and not part.loaded_bytes:
        note = clean(part.note)
        short = note if len(note) <= _WIDTH else f"{note[: _WIDTH - 1]}…"
        return [(f"{short:>{_WIDTH}}", "warning")]
    until = f" to line {part.loaded_lines:,}" if part.note else " tokens"
    return [*bar(share, _BUDGET, tone), (f" {part.tokens:>7,}{until}", "muted")]


def _loaded(part: Part) -> str:
    """How much of a file is read, why not all of it, and what it is."""
    read = f"{part.loaded_lines:,} of {part.lines:,} lines are read"
    if part.used is not None:
        read += f", {part.used:.0%} of {part.limit}"
    why = clean(part.note or "")
    what = part.role if part.when == "always" else f"{part.role} {clean(part.when)}"
    told = (why, read, what)
    return " ".join(f"{one[:1].upper()}{one[1:]}." for one in told if one)


# What an agent would recall for a prompt.

_SIGNS = {True: ("● ", "active"), False: ("◌ ", "faint")}


def recall_prompt(check: Callable[[str], object]) -> Wanted:
    """Ask for a prompt."""
    return Wanted("recall for a prompt", "what you would ask the agent", check=check)


def recall_menu(found: Sequence[Recalled]) -> list[Choice[int]]:
    """The memories of a project, first those that a prompt brings."""
    return [
        Choice(
            number,
            clean(one.name),
            clean(one.description),
            before=[("◐ ", "warning") if one.near else _SIGNS[one.is_recalled]],
            right=[(clean(", ".join(one.words)), "key")],
            detail=clean(f"{_why(one)}."),
        )
        for number, one in enumerate(found)
    ]


def _why(one: Recalled) -> str:
    if one.is_recalled:
        told = f"Recalled: {one.loaded_lines:,} lines, {one.loaded_bytes:,} bytes"
        return f"{told}, {one.note}" if one.note else told
    return f"{'Near miss' if one.near else 'Not recalled'}: {one.note}"


# Menus of stores, themes, saved queries and sort orders.

ALL_STORES = ""
"""The value of the choice for all stores."""

_THEMES = {
    DARK: "light text on dark",
    LIGHT: "dark text on light",
    CONTRAST: "maximum contrast",
    ANSI: "the terminal's own 16 colours",
    NONE: "no colours",
}
NO_QUERIES = "No saved queries. Search, then run :save."
"""The message if there are no saved queries."""

_PARTS = 3
"""Number of path components that usually identify a store."""


def stores_menu(
    stores: Sequence[StoreReport], shown: Collection[str]
) -> list[Choice[str]]:
    """All stores, then each one; the open ones are marked."""
    everything = Choice(
        ALL_STORES,
        "All stores",
        f"{len(stores)} of them",
        before=_mark(is_set=len(shown) in (0, len(stores))),
        right=_count(sum(map(_records, stores))),
        detail="Show all stores together.",
    )
    return [everything, *(_store(one, shown, len(stores)) for one in stores)]


def themes_menu(possible: Sequence[str], current: str) -> list[Choice[str]]:
    """The themes that this terminal supports."""
    return [
        Choice(name, name, _THEMES[name], before=_mark(is_set=name == current))
        for name in possible
    ]


def saved_menu(
    queries: Mapping[str, str], counts: Mapping[str, int] | None = None
) -> list[Choice[str]]:
    """The saved queries with their counts, if known; equal queries appear once."""
    known = counts or {}
    texts: dict[str, str] = {}
    for name, text in queries.items():
        texts.setdefault(text, name)
    return [
        Choice(
            text,
            name,
            text,
            before=[("' ", "brand")],
            right=_count(known[name]) if name in known else (),
            detail=text,
        )
        for text, name in texts.items()
    ]


def naming_query(query: str, saved: Mapping[str, str]) -> Wanted:
    """The prompt for the name of a query, offering existing names."""
    taken = [Choice(name, name, text) for name, text in saved.items()]
    return Wanted("save query", f"name for {query}", check=_named, offers=taken)


def _named(name: str) -> None:
    if not name.strip():
        raise WrongUseError("Enter a name.")


def sort_menu(names: Sequence[str], current: Sorting) -> list[Choice[str]]:
    """The sort fields; a sign marks the current one."""
    sign = UP if current.is_ascending else DOWN
    return [
        Choice(
            name,
            name.replace("_", " "),
            before=[(f"{sign if name == current.name else ' '} ", "marked")],
            detail="Choose it again to reverse." if name == current.name else "",
        )
        for name in names
    ]


def _store(store: StoreReport, shown: Collection[str], stores: int) -> Choice[str]:
    """A store with its number of records."""
    is_alone = store.path in shown and len(shown) < stores
    return Choice(
        store.path,
        store.name,
        f"{store.format} · {_end_of(store.path)}",
        before=_mark(is_set=is_alone),
        right=_count(_records(store)),
        detail=f"{_holds(store)} · {_from_home(store.path)}",
    )


def _from_home(path: str) -> str:
    """A path with `~` for the home folder."""
    home, store = Path.home(), Path(path)
    return f"~/{store.relative_to(home)}" if store.is_relative_to(home) else path


def _end_of(path: str) -> str:
    """The last components of a path."""
    parts = PurePath(path).parts
    return path if len(parts) <= _PARTS else f"…/{'/'.join(parts[-_PARTS:])}"


def _records(store: StoreReport) -> int:
    """The number of a store's main records."""
    return store.memories or store.conversations or store.events


def _holds(store: StoreReport) -> str:
    """The content of a store, in words."""
    counts = {
        "memories": store.memories,
        "edges": store.edges,
        "episodes": store.episodes,
        "conversations": store.conversations,
        "messages": store.messages,
        "events": store.events,
        "problems": store.problems,
    }
    told = (f"{number} {name}" for name, number in counts.items() if number)
    return ", ".join(told) or "empty"


def _mark(*, is_set: bool) -> Pieces:
    return [("✓ " if is_set else "  ", "marked")]


def _count(number: int) -> Pieces:
    return [(brief(number), "muted")]


# Memories by a part of their title.

MOST = 10
"""Maximum number of memories."""

LEAST = 2
"""Minimum number of typed letters; a single one matches too much."""


def named(library: Library, typed: str) -> list[Memory]:
    """The memories with similar titles, best first."""
    rows = library.lists.like("memories", Fuzzy(typed))[:MOST]
    records = library.lists.numbered("memories", rows)
    return _memories([records[row] for row in rows if row in records])


def at_a_glance(memory: Memory) -> Pieces:
    """The stage and type of a memory."""
    return [glyph(memory.stage), (" ", ""), code(memory.type), (" ", "")]


def told_of(memory: Memory) -> str:
    """The description or the tags of a memory, to distinguish equal titles."""
    return memory.description or ", ".join(memory.tags)


def _memories(records: Sequence[Record]) -> list[Memory]:
    return [record for record in records if isinstance(record, Memory)]


# Menus of similar memories, and of the path between two.

_ARROW = 18
"""Cells for the arrow of a link."""

_LINKED, _APART = "→ ", "  "


def alike_menu(found: Sequence[Similar]) -> list[Choice[str]]:
    """Similar memories with the reason; linked ones are marked."""
    return [
        Choice(
            one.memory.ref,
            one.memory.title,
            before=[
                (_LINKED if one.linked else _APART, "arrow"),
                *at_a_glance(one.memory),
            ],
            right=[(f"{one.score:.2f}", "muted")],
            detail=told(one.reason),
        )
        for one in found
    ]


def way_menu(way: Sequence[Step]) -> list[Choice[str]]:
    """The memories on a path, each with the link that leads to it."""
    return [
        Choice(
            step.memory.ref,
            step.memory.title,
            before=[*_come_by(step), (" ", ""), *at_a_glance(step.memory)],
            right=[(_strength(step), "muted")],
            detail=told(told_of(step.memory)),
        )
        for step in way
    ]


def _come_by(step: Step) -> Pieces:
    """The link from the previous memory, drawn as in the graph."""
    link = step.link
    if link is None:
        return [(" " * _ARROW, "")]
    return stroke(link.type, link.strength, _ARROW, comes_in=link.direction == "in")


def _strength(step: Step) -> str:
    link = step.link
    return "" if link is None or link.strength is None else fraction(link.strength)


# Duplicates, one choice per group.


def doubles_menu(doubles: Sequence[Double]) -> list[Choice[str]]:
    """The groups of duplicates, each with its first memory, size and similarity."""
    return [
        _choice(of, list(group)) for of, group in groupby(doubles, lambda one: one.of)
    ]


def _choice(of: str, group: Sequence[Double]) -> Choice[str]:
    first, *others = group
    names = " · ".join(one.memory.title for one in others)
    return Choice(
        of,
        first.memory.title,
        before=[(f"{len(group)}× ", "muted"), *at_a_glance(first.memory)],
        right=[(f"{first.share:.2f}", "muted")],
        detail=told(f"{first.why}: {names}"),
    )


# Review queues with their counts.


def review_menu(counts: Mapping[str, int]) -> list[Choice[str]]:
    """All queues together, then each queue that is not empty."""
    everything = Choice(
        "",
        "everything",
        "all queues in turn",
        right=[(brief(counts[""]), "muted")],
        detail="then: space keep · p pin · d archive · e edit · . later",
        why_not=None if any(counts.values()) else "Nothing to review.",
    )
    return [
        everything,
        *(
            Choice(
                queue.name,
                queue.name,
                queue.why,
                right=[(brief(counts[queue.name]), "muted")],
                detail=queue.query or queue.why,
            )
            for queue in QUEUES
            if counts[queue.name]
        ),
    ]


# Provenance: the records to choose from, and the diff of a version.

_GO = Answer("go", "↵", "go to the message")
_CLOSE = Answer("close", "↵", "close")


def origins_menu(found: Sequence[Origin]) -> list[Choice[str]]:
    """Records to go to, in the given order."""
    return [
        Choice(
            one.ref,
            told(one.title),
            before=[(f"{one.when} " if one.when else "", "muted")],
            detail=told(one.title),
        )
        for one in found
    ]


def version_question(version: Version, palette: Palette) -> Question:
    """Show what a version changed, and offer to go to its message."""
    title = f"{version.by}: {clean(version.what)}"
    answers = (_GO,) if version.conversation else (_CLOSE,)
    return Question(title, diff_body(version), answers, palette)


# Time travel: the choice of a day, and the differences to the present.

_LOOK = Answer("close", "↵", "OK")


class AsOfPopup(DatePopup):
    """Returns the day to travel to."""

    def __init__(self, days: Mapping[str, int], now: int, palette: Palette) -> None:
        super().__init__(Counted.of(days, MEMORIES), day_of(now), palette)
        self._title = "as of"


def as_of_popup(days: Mapping[str, int], now: int, palette: Palette) -> AsOfPopup:
    """The popup for a day, with the number of memories per day."""
    return AsOfPopup(days, now, palette)


def since_then_question(lookback: "Lookback", palette: Palette) -> Question:
    """Show how an earlier state differs from the present, and how exact it is."""
    facts = [
        (view.label, _told(*lookback.differences[view.kind]))
        for view in VIEWS
        if any(lookback.differences[view.kind])
    ]
    differing = Facts(facts) if facts else Plain("No changes since.")
    notes: Sequence[str] = lookback.notes()
    title = f"as of {lookback.when} · read-only"
    body = Joined(differing, Plain("\n\n".join(notes)))
    return Question(title, body, (_LOOK,), palette)


def _told(new: int, changed: int, gone: int) -> str:
    counts = ((new, "new"), (changed, "changed"), (gone, "gone"))
    return " · ".join(f"{count} {word}" for count, word in counts if count)


# What is new in the stores since the user's last session.

_EVERYWHERE = "all stores"


class Fresh(NamedTuple):
    """The new records of a kind, in one store or in all."""

    kind: str
    store: str | None

    @property
    def query(self) -> str:
        """The query that finds them."""
        since = Named("since", (Last(),))
        if self.store is None:
            return written(since)
        return written(All((since, Named("store", (self.store,)))))


class NewsPopup(Popup[Fresh]):
    """Returns what to list."""

    def __init__(self, news: Sequence[News], palette: Palette) -> None:
        super().__init__("what's new", "type to search", palette)
        self._news = news

    @property
    def nothing(self) -> str:
        """The message if nothing is new."""
        return "Nothing new since your last visit."

    def rows(self, typed: str) -> Sequence[Row]:
        """The counts of new records by kind, in all stores and in each."""
        words = typed.casefold().split()
        named = [
            one
            for one in self._news
            if all(word in f"{one.name} {one.store}".casefold() for word in words)
        ]
        return [*self._everywhere(words), *(row for one in named for row in _of(one))]

    def _everywhere(self, words: Sequence[str]) -> Iterator[Row]:
        """The counts over all stores, if several have new records."""
        if words or sum(bool(any(_counts(one))) for one in self._news) < 2:  # noqa: PLR2004  # one store alone is listed below
            return
        yield Heading(_EVERYWHERE)
        sums = (sum(column) for column in zip(*map(_counts, self._news), strict=True))
        yield from _choices(None, list(sums), "")


_KINDS = tuple(view for view in VIEWS if hasattr(News, view.kind))


def _of(news: News) -> Iterator[Row]:
    """The counts of new records in a store, if there are any."""
    counts = _counts(news)
    if not any(counts):
        return
    when = to_the_minute(news.looked) if news.looked else ""
    yield Heading(
        f"{news.name} · since {when}" if when else f"{news.name} · first visit"
    )
    yield from _choices(news.store, counts, news.store)


def _counts(news: News) -> list[int]:
    return [getattr(news, view.kind) for view in _KINDS]


def _choices(
    store: str | None, counts: Sequence[int], detail: str
) -> Iterator[Choice[Fresh]]:
    for view, count in zip(_KINDS, counts, strict=True):
        if count:
            yield Choice(
                Fresh(view.kind, store),
                counted(count, view.kind),
                before=[("  ", "")],
                detail=detail,
            )
