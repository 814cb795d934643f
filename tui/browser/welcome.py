"""First start and empty lists: the welcome page, messages, and what to do."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, zip_longest

from msgspec import Struct
from rich.cells import cell_len
from textual.strip import Strip

from store.clean import clean
from store.formats.port import Format
from store.formats.register import FORMATS
from store.search.tree import Compared, leaves
from tui.browser.bars import EDITING, VIEWS, counted, grouped, listed, plural, singular
from tui.browser.display import Display, Part
from tui.browser.layout import Layout
from tui.browser.panes import BETWEEN, FirstStrip
from tui.browser.session import STARTS, Session
from tui.browser.sync import Reading
from tui.browser.worker import Found
from tui.commands.command import Command, Group, Scope
from tui.commands.registry import Keyed
from tui.keys import Keymap, shown
from widgets.memory_table import GLYPHS, IMPORTANCE, STAGE_WORDS, STRENGTH, USES
from widgets.page import Page, Plain
from widgets.sheet import PANE, Content, Pieces, Sheet, ruled, strip
from widgets.table import fit, named
from widgets.text import Run, Runs, TextLine, flow, wrap

# The progress of the sync, for the status bar.


def progress(reading: Reading) -> str:
    """The progress of a sync; empty if it is finished."""
    if reading.failure:
        return reading.failure
    if reading.finished:
        return ""
    if 0 < reading.total <= reading.done:
        return f"indexing {counted(reading.total, 'files')}…"
    if reading.total:
        return f"reading {grouped(reading.done)} of {counted(reading.total, 'files')}…"
    if reading.done:
        return f"another recollect is reading: {counted(reading.done, 'files')} so far"
    return "reading…"


# What the formats store, to adapt views and to explain empty ones.

_ALWAYS = frozenset({"problems"})

_KNOWN = {form.name: form for form in FORMATS}
_FACTS = frozenset({STRENGTH, IMPORTANCE, USES})
"""Facts about memories that only some formats store."""


def fades(form: str) -> bool:
    """Whether memories of a format lose strength over time."""
    return form in _KNOWN and STRENGTH in _KNOWN[form].facts


def lacking(forms: Iterable[str]) -> frozenset[str]:
    """The facts that none of these formats stores; none if one of them is unknown."""
    known = frozenset(forms)
    if not known or not known <= _KNOWN.keys():
        return frozenset()
    return _FACTS.difference(*(_KNOWN[form].facts for form in known))


def keeps(form: str, kind: str) -> bool:
    """Whether a format stores records of a kind; True for unknown formats."""
    return kind in _ALWAYS or form not in _KNOWN or kind in _KNOWN[form].kinds


def that_keep_none(forms: Iterable[str], kind: str) -> tuple[str, ...]:
    """The names of the formats, if none of them stores a kind; else empty."""
    names = tuple(sorted(set(forms)))
    return () if any(keeps(name, kind) for name in names) else names


# Why a list is empty, and what to do.

_SHARES = frozenset({"importance", "confidence"})
"""Fields with values from 0 to 1."""


class Emptiness(Struct, frozen=True):
    """The circumstances of an empty list."""

    kind: str
    """The kind of record listed."""
    formats: Sequence[str]
    """The formats of the open stores, one per store."""
    query: str = ""
    """The query."""
    complaint: str = ""
    """What is wrong with the query, if anything."""
    reading: Reading | None = None
    """The progress of a running sync."""
    none: str = ""
    """The message if the stores could have such records but do not."""
    elsewhere: Mapping[str, int] = {}
    """The number of matches of the query in other kinds."""
    in_other_stores: int = 0
    """The number of matches in other stores, if only one is shown."""
    similar: Mapping[str, int] = {}
    """The number of similar titles in other kinds, if nothing matches anywhere."""


def why_empty(emptiness: Emptiness) -> tuple[str, ...]:
    """The lines shown instead of rows: the reason, then what to do."""
    if not emptiness.formats:
        return ("No store is open.",)
    none = that_keep_none(emptiness.formats, emptiness.kind)
    if none:
        return (_keep_none(emptiness, none),)
    reading = _being_read(emptiness.reading)
    if emptiness.query:
        return (*_matches_nothing(emptiness), *reading)
    return reading or (emptiness.none or f"There are no {emptiness.kind} here.",)


def out_of_reach(found: Found | None) -> str:
    """Why no value can match the query, if so."""
    for leaf, is_negated in leaves(found.tree) if found else ():
        if isinstance(leaf, Compared) and leaf.name in _SHARES and not is_negated:
            value = leaf.value
            is_above = leaf.operator in {">", ">=", "="}
            if isinstance(value, float) and is_above and value > 1:
                return f"{leaf.name} is 0…1"
    return ""


def _keep_none(emptiness: Emptiness, formats: tuple[str, ...]) -> str:
    """The message if no format stores this kind."""
    stores = "This store has" if len(emptiness.formats) == 1 else "These stores have"
    names = listed(formats)
    told = f"format {names} keeps" if len(formats) == 1 else f"formats {names} keep"
    return f"{stores} no {plural(emptiness.kind)}; {told} none."


def _being_read(reading: Reading | None) -> tuple[str, ...]:
    """The message while a sync is running."""
    told = progress(reading) if reading else ""
    if not told or not reading or reading.failure:
        return (told,) if told else ()
    return (told, "They appear here as they are read, newest first.")


def _matches_nothing(emptiness: Emptiness) -> tuple[str, ...]:
    """The message if nothing matches the query."""
    because = f" – {clean(emptiness.complaint)}" if emptiness.complaint else ""
    none = f"No {singular(emptiness.kind)} matches `{clean(emptiness.query)}`{because}"
    others = {
        "Matches elsewhere": emptiness.elsewhere,
        "Similar titles elsewhere": emptiness.similar,
    }
    told = [
        f"{label}: {' · '.join(_views(found))}"
        for label, found in others.items()
        if found
    ]
    if number := emptiness.in_other_stores:
        told.insert(0, f"{grouped(number)} in other stores · g s enter shows all")
    return f"{none} · esc clears", *told


def _views(found: Mapping[str, int]) -> list[str]:
    """The views of some kinds, each with its key and the number of matches."""
    return [
        f"{view.label} {grouped(found[view.kind])} (key {view.key})"
        for view in VIEWS
        if view.kind in found
    ]


# Where stores were searched, if none was found.


def nowhere(formats: Iterable[Format]) -> str:
    """The message if no store was found: where each format usually is."""
    rows = [(form.name, form.usually, "not found") for form in formats if form.usually]
    return "\n".join(("No stores found.", "", *_aligned(rows)))


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows aligned in columns."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (width - cell_len(cell))
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def empty_page(emptiness: Emptiness) -> Page:
    """The reader's page if nothing is listed: why, and what to do."""
    told = "\n".join(why_empty(emptiness)) if emptiness.formats else nowhere(FORMATS)
    return Page(None, (), {"read": Plain(told)})


# A few lines above the bars: errors in the settings, or hints for new users.
#
# The first command other than a motion hides them.

MOST = 3
"""Maximum number of lines."""

_HINTS = (
    ("filter", "search"),
    ("next-pane", "next pane"),
    ("allow-changes", "allow edits"),
    ("undo", "undo"),
    ("keys", "all keys"),
    ("palette", "commands"),
)


def first_hints(keymap: Keymap, start: int, done: str = "") -> tuple[str, ...]:
    """The line of hints for a start, counted from 1, with the current keys.

    `done` is a command that is not needed any more.
    """
    told = (
        f"{shown(keys[0])} {word}"
        for command, word in _HINTS
        if command != done and (keys := keymap.keys(command))
    )
    return (BETWEEN.join(told),) if start <= STARTS else ()


def complaints_told(complaints: Sequence[str]) -> tuple[str, ...]:
    """Errors in the settings, one per line, and the number of the others."""
    if len(complaints) <= MOST:
        return tuple(complaints)
    more = len(complaints) - MOST + 1
    return (*complaints[: MOST - 1], f"And {more} more; all are shown when you quit.")


# The page of the first start: what is here and how it works, in one screen.
#
# Where it is too high, blank lines go first, then the longer sentences.


class Facts(Struct, frozen=True):
    """What the page says of the open stores."""

    stores: int
    """The number of stores."""
    counts: Mapping[str, int]
    """The number of records of each kind."""
    reading: Reading | None = None
    """The progress of the sync; None if it is finished."""
    formats: frozenset[str] = frozenset()
    """The formats of the stores."""
    is_editing: bool = False
    """Whether edits are allowed."""


_KINDS = ("memories", "edges", "conversations", "events", "episodes", "messages")
"""Kinds whose counts describe stores; the first that there are, are shown."""

_COUNTED = 2
_WIDEST = 76
_MARGIN = 3
_FRAMED = 60
"""The width from which the page has a margin and two columns of keys."""

_ABOUT = "recollect shows what your coding agents remember."
_NOTE = "A memory is a note that an agent wrote for later."
_FADES = "Memories fade unless they are used; pinning one stops that."
_FADES_BRIEFLY = "Memories fade unless used; pinned ones don't."
_LASTS = "Those without a sign never fade."
_STARTS_SO = "Any key starts. :welcome brings this page back."

_KEYS = (
    ("filter", "search; typos are fine", "search"),
    ("pin", "pin, so it never fades", "pin"),
    ("read", "read the selected record", "read"),
    ("edit", "edit in your editor", "edit"),
    ("into-links", "follow links, {go-back} goes back", ""),
    ("undo", "undo, also tomorrow", "undo"),
    ("keys", "all keys and signs", "all keys"),
    ("palette", "all commands by name", ""),
)
"""Commands with what they do, in two columns, and in a word where there is less room.
"""

Lines = list[Pieces]

_BLANK: Pieces = ()


def lesson(facts: Facts, keyed: Keyed, width: int, height: int) -> Lines:
    """The lines of the page, as many as there is room for."""
    room = min(width - 2 * _MARGIN, _WIDEST) if width >= _FRAMED else width - 2
    title = list(ruled(named([[("Welcome", PANE)]], width), width, has_focus=True))
    full, least = _in_full(facts, keyed, room), _in_brief(facts, keyed, room)
    apart = [_BLANK, *(line for part in full for line in (*part, _BLANK))]
    ways = (apart, [*chain.from_iterable(full)], least)
    lines = next((way for way in ways if len(way) < height), least)
    above = max(height - 1 - len(lines), 0) // 4
    left = (" " * (max(width - room, 0) // 2), "")
    head = [title] if len(lines) < height else []
    return [*head, *([_BLANK] * above), *([left, *line] for line in lines)]


def _in_full(facts: Facts, keyed: Keyed, width: int) -> list[Lines]:
    """The parts of the page: what is here, what fades, keys, edits, how to go on."""
    is_fading = any(map(fades, facts.formats))
    mixed = f" {_LASTS}" if not all(map(fades, facts.formats)) else ""
    fading = f" {_FADES}{mixed}" if is_fading else ""
    stores = _key(keyed, "welcome-stores", "list the stores", Scope.WELCOME)
    return [
        [
            *_wrapped([Run(_ABOUT)], width),
            *_flowed([[Run(_found(facts), "strong")], stores], width),
        ],
        [
            *_wrapped([Run(f"{_NOTE}{fading}")], width),
            *(_flowed(_stages(), width) if is_fading else []),
        ],
        _columns(keyed, width)
        if width >= _FRAMED - 2 * _MARGIN
        else _row(keyed, width),
        _wrapped(_access_told(facts, keyed), width),
        _wrapped([Run(_STARTS_SO, "muted")], width),
    ]


def _in_brief(facts: Facts, keyed: Keyed, width: int) -> Lines:
    """The same in as few lines as possible."""
    is_fading = any(map(fades, facts.formats))
    return [
        *_wrapped([Run(_found(facts, said="", most=1), "strong")], width),
        *(_wrapped([Run(_FADES_BRIEFLY)], width) if is_fading else []),
        *(_flowed(_stages(), width, 2) if is_fading else []),
        *_row(keyed, width),
        *_wrapped([Run("Any key starts.", "muted")], width),
    ]


def _found(facts: Facts, said: str = " found", most: int = _COUNTED) -> str:
    """The number of stores, and what was read of them so far."""
    stores = f"{counted(facts.stores, 'stores')}{said}"
    if facts.reading is not None:
        apart = ". " if facts.reading.failure else ", "
        return f"{stores}{apart}{clean(progress(facts.reading))}"
    held = [counted(n, kind) for kind in _KINDS if (n := facts.counts.get(kind, 0))]
    return ": ".join(filter(None, (stores, ", ".join(held[:most]))))


def _stages() -> list[Runs]:
    return [
        [Run(sign, stage), Run(f" {STAGE_WORDS.get(stage, stage)}", "muted")]
        for stage, sign in GLYPHS.items()
    ]


def _access_told(facts: Facts, keyed: Keyed) -> Runs:
    """Whether edits are allowed, and the key that changes it."""
    key = Run(_keys(keyed, "allow-changes"), "key")
    if facts.is_editing:
        allowed = Run("Edits are allowed. Press "), key, Run(" to turn them off; ")
    else:
        allowed = (Run("Stores are read-only. Press "), key, Run(" to allow edits; "))
    return (*allowed, Run("every edit is backed up."))


def _columns(keyed: Keyed, width: int) -> Lines:
    told = [(_keys(keyed, command), word) for command, word, _ in _KEYS]
    told = [
        (key, word.replace("{go-back}", _keys(keyed, "go-back"))) for key, word in told
    ]
    widest = max(cell_len(key) for key, _ in told) + 2
    cells: list[Pieces] = [
        [*fit([(key, "key")], widest), (word, "")] for key, word in told if key
    ]
    pairs = zip_longest(cells[::2], cells[1::2], fillvalue=_BLANK)
    return [[*fit(one, width // 2), *other] for one, other in pairs]


def _row(keyed: Keyed, width: int) -> Lines:
    named = [(command, word) for command, _, word in _KEYS if word]
    named.insert(-1, ("allow-changes", "allow edits"))
    told = [_key(keyed, command, word) for command, word in named]
    stores = _key(keyed, "welcome-stores", "stores", Scope.WELCOME)
    return _flowed([*filter(None, told), stores], width, 2)


def _key(keyed: Keyed, command: str, word: str, scope: Scope = Scope.MEMORIES) -> Runs:
    """A key and what it does; nothing if the command has no key."""
    key = _keys(keyed, command, scope)
    return [Run(key, "key"), Run(f" {word}", "muted")] if key else []


def _keys(keyed: Keyed, command: str, scope: Scope = Scope.MEMORIES) -> str:
    """The first key of a command, as a newcomer knows it."""
    keys = keyed.keymap.keys_in(scope, command)[:1]
    return "".join("enter" if one == ("enter",) else keyed.look(one) for one in keys)


def _wrapped(runs: Runs, width: int) -> Lines:
    return [_pieces(line) for line in wrap(runs, width)]


def _flowed(groups: Sequence[Runs], width: int, gap: int = 3) -> Lines:
    return [_pieces(line) for line in flow(groups, width, gap)]


def _pieces(line: TextLine) -> Pieces:
    return [(run.text, run.tone) for run in line.runs]


class WelcomePage(Content):
    """The page on its sheet, which never takes the focus."""

    def __init__(self, leave: Callable[[], None]) -> None:
        """`leave` is called on a click."""
        super().__init__(Sheet(id="welcome"))
        self.sheet.can_focus = False
        self._leave = leave
        self._lay: Callable[[int, int], Lines] = lambda _width, _height: []
        self._lines: Lines = []
        self._laid = (0, 0)
        """The width and the height that the lines are for."""

    @property
    def height(self) -> int:
        """As many lines as there is room for."""
        return self.sheet.room

    def show(self, lay: Callable[[int, int], Lines]) -> None:
        """Show the lines that `lay` makes for a width and a height."""
        self._lay, self._laid = lay, (0, 0)
        self.sheet.redraw()

    def line(self, number: int, width: int) -> Strip:
        """One of the lines, laid out for the size that the sheet has now."""
        size = width, self.sheet.room
        if size != self._laid:
            self._lines, self._laid = self._lay(*size), size
        pieces = self._lines[number] if number < len(self._lines) else ()
        return strip(pieces, width, self.sheet.brush())

    def clicked(self, number: int, x: int, times: int) -> None:
        """A click starts as a key does."""
        del number, x, times
        self._leave()


class Welcome(Part):
    """The page over the panes, until a key is pressed that is not for it."""

    display: Display
    session: Session
    layout: Layout
    keyed: Keyed
    complaints: tuple[str, ...]
    """Errors in the settings."""
    _page: WelcomePage | None = None
    _has_just_left: bool = False
    """Whether the current key closed the page."""

    @property
    def is_shown(self) -> bool:
        """Whether it covers the panes."""
        return self._page is not None

    @property
    def takes_keys(self) -> bool:
        """Whether keys may be for it: nothing is open above it."""
        return self.is_shown and not self.display.is_covered

    @property
    def keys(self) -> Collection[str]:
        """The keys for it, as displayed."""
        if not self.takes_keys:
            return ()
        return [*map(self.keyed.look, self.keyed.keymap.meanings(Scope.WELCOME))]

    def greet(self) -> None:
        """Show errors in the settings; a new user sees the page, or some hints."""
        start = self.session.kept.starts + 1
        if start == 1:
            self.show()
        strip = self.display.base.query_one(FirstStrip)
        if self.complaints:
            strip.show(complaints_told(self.complaints), "warning")
        elif start > 1:
            done = "allow-changes" if self.session.access == EDITING else ""
            strip.show(first_hints(self.keyed.keymap, start, done))

    def show(self) -> None:
        """Show the page."""
        if self._page is None:
            self._page = WelcomePage(self.leave)
            self.display.body.mount(self._page.sheet)
            self.layout.paint()
        self.tell()

    def tell(self) -> None:
        """Update its text."""
        if self._page is None:
            return
        session, keyed = self.session, self.keyed
        stores = session.library.stores
        facts = Facts(
            len(stores.chosen),
            session.counts,
            session.now_reading,
            frozenset(stores.formats),
            session.access == EDITING,
        )
        self._page.show(partial(lesson, facts, keyed))

    def leave(self) -> None:
        """Show the panes again."""
        if self._page is not None:
            self._page.sheet.remove()
            self._page = None

    def heed(self, key: str) -> None:
        """Leave if a key is not for the page."""
        own = self.keyed.keymap.meanings(Scope.WELCOME)
        self._has_just_left = self.takes_keys and (key,) not in own
        if self._has_just_left:
            self.leave()

    def covered(self, command: Command) -> bool:
        """Whether a key that closed the page would mark or change what it covered.

        Any other command does what it always does.
        """
        return (
            self._has_just_left
            and command.group in {Group.MARKING, Group.CHANGING}
            and command.id != "allow-changes"
        )

    def acted(self, command: Command) -> None:
        """Leave it for a command; but for motions, hide the hints as well."""
        if self.takes_keys and command.scope is not Scope.WELCOME:
            self.leave()
        if command.group is not Group.MOVING:
            self.display.base.query_one(FirstStrip).show(())
