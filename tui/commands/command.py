"""Commands of the browser: where their keys are valid and when they are possible."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache

from msgspec import Struct, field

from tui.keys import Place

# Scopes: the whole program, its panes, and the inputs.


class Scope(StrEnum):
    """A part of the screen, or what several parts have in common."""

    EVERYWHERE = "everywhere"
    APP = "app"
    ROWS = "rows"
    RECORD = "record"
    LIST = "list"
    MEMORIES = "memories"
    EDGES = "edges"
    TIMELINE = "timeline"
    JOURNALS = "journals"
    DAYS = "days"
    EPISODES = "episodes"
    CALENDAR = "calendar"
    PROBLEMS = "problems"
    READER = "reader"
    REVIEW = "review"
    TRANSCRIPT = "transcript"
    LINKS = "links"
    FACETS = "facets"
    WELCOME = "welcome"
    QUERY = "query"
    CHOICES = "choices"
    POPUP = "popup"
    MENU = "menu"
    PROJECT = "project"
    PROMPT = "prompt"
    QUESTION = "question"
    REPORT = "report"
    WRITING = "writing"


_WITHIN: dict[Scope, tuple[Scope, ...]] = {
    Scope.EVERYWHERE: (),
    Scope.APP: (Scope.EVERYWHERE,),
    Scope.ROWS: (Scope.APP,),
    Scope.RECORD: (Scope.APP,),
    Scope.LIST: (Scope.ROWS, Scope.RECORD),
    Scope.MEMORIES: (Scope.LIST,),
    Scope.EDGES: (Scope.LIST,),
    Scope.TIMELINE: (Scope.LIST,),
    Scope.JOURNALS: (Scope.LIST,),
    Scope.DAYS: (Scope.APP,),
    Scope.EPISODES: (Scope.LIST, Scope.DAYS),
    Scope.CALENDAR: (Scope.DAYS,),
    Scope.PROBLEMS: (Scope.LIST,),
    Scope.REVIEW: (Scope.READER,),
    Scope.READER: (Scope.ROWS, Scope.RECORD),
    Scope.TRANSCRIPT: (Scope.ROWS, Scope.RECORD),
    Scope.LINKS: (Scope.ROWS, Scope.RECORD),
    Scope.FACETS: (Scope.ROWS,),
    Scope.WELCOME: (),
    Scope.QUERY: (Scope.EVERYWHERE,),
    Scope.CHOICES: (Scope.EVERYWHERE,),
    Scope.POPUP: (Scope.CHOICES,),
    Scope.MENU: (Scope.POPUP,),
    Scope.PROJECT: (Scope.POPUP,),
    Scope.PROMPT: (Scope.CHOICES,),
    Scope.QUESTION: (Scope.EVERYWHERE,),
    Scope.REPORT: (Scope.EVERYWHERE,),
    Scope.WRITING: (Scope.EVERYWHERE,),
}
"""For each scope, the outer scopes whose keys are valid in it too."""

_TYPED = {Scope.POPUP, Scope.PROJECT, Scope.PROMPT, Scope.WRITING}

TYPING = frozenset({Scope.QUERY, Scope.CHOICES, *_TYPED})
"""Scopes in which text is typed, so that printable keys insert text."""

POPUPS = frozenset({Scope.MENU, Scope.QUESTION, Scope.REPORT, *_TYPED})
"""Scopes that are shown above the screen."""

_BESIDE_ROWS = TYPING | POPUPS | {Scope.APP, Scope.EVERYWHERE, Scope.WELCOME}
"""Scopes whose commands do not need the list."""


@cache
def chain(scope: Scope) -> tuple[Scope, ...]:
    """A scope and its outer scopes, nearest first, without duplicates."""
    return tuple(dict.fromkeys(sorted(_outwards(scope), key=lambda one: -_depth(one))))


def places() -> Iterator[Place]:
    """All scopes, in the form that the key map uses."""
    for scope in Scope:
        is_menu = scope is Scope.MENU
        yield Place(scope, chain(scope), is_typing=scope in TYPING, is_menu=is_menu)


@cache
def acts_on_rows(scope: Scope) -> bool:
    """Whether commands of a scope read or change the listed rows."""
    return not _BESIDE_ROWS.issuperset(chain(scope))


def _outwards(scope: Scope) -> Iterator[Scope]:
    yield scope
    for outer in _WITHIN[scope]:
        yield from _outwards(outer)


def _depth(scope: Scope) -> int:
    """The distance of a scope from the outermost one."""
    return 1 + max(map(_depth, _WITHIN[scope]), default=0)


# The state of the browser that decides which commands are possible.


class Situation(Struct, frozen=True):
    """The state when a key is pressed or help is opened."""

    rows: int = 0
    """Rows of the current list."""
    has_record: bool = False
    """Whether the cursor is on a record."""
    is_several: bool = False
    """Whether its row groups several records."""
    is_memory: bool = False
    """Whether it is a memory."""
    is_conversation: bool = False
    """Whether it is a conversation, which can be pinned even if its store is read-only.
    """
    is_append_only: bool = False
    """Whether it is an entry of an append-only log."""
    marked: int = 0
    """Number of marked records."""
    links: int = 0
    """Number of links from and to the record."""
    leads: int = 0
    """Links in the open text; also positive if unread text may contain some."""
    hits: int = 0
    """Number of query hits in the reader."""
    query: str = ""
    """The text in the query bar."""
    is_past: bool = False
    """Whether an earlier state is shown."""
    behind: int = 0
    """Number of places to go back to."""
    ahead: int = 0
    """Number of places to go forward to."""
    stores: int = 0
    """Number of open stores."""
    possible: Mapping[str, str] = field(default_factory=dict[str, str])
    """The actions that the record supports, each with why it is not possible now."""
    reverses: frozenset[str] = frozenset()
    """The ids of commands that would undo what was done to the record: `pin`."""
    is_mendable: bool = False
    """Whether it is a problem that can be fixed from here."""
    undoable: int = 0
    """Number of changes that can be undone."""
    redoable: int = 0
    """Number of changes that can be redone."""
    elsewhere: int = 0
    """Number of changes in stores that are not open."""
    half_done: int = 0
    """Number of half-done changes that the user has to resolve."""
    drafts: int = 0
    """Number of unsaved drafts."""
    read_only: str = ""
    """Why the record's store is read-only; empty if it is not."""
    has_file: bool = False
    """Whether the record has a file that can be shown or opened."""
    is_journal: bool = False
    """Whether a list of journals has the focus; it has sections even if it is empty."""


# Guards: functions that return why a command is not possible, or None if it is.

_TWO = 2

SENSELESS = "Not available for this record."
"""The reason if a command can never apply to the record."""

Guard = Callable[[Situation], str | None]
"""Checks the situation and returns the reason against a command, or None."""


def always(_situation: Situation) -> str | None:
    """Allow a command in every situation."""
    return None


def _needs(is_met: Callable[[Situation], object], why_not: str) -> Guard:
    """A guard that requires a condition, and the reason if it is not met."""
    return lambda situation: None if is_met(situation) else why_not


needs_rows = _needs(lambda now: now.rows, "The list is empty.")
needs_record = _needs(lambda now: now.has_record, "No record selected.")
needs_several = _needs(lambda now: now.is_several, SENSELESS)
needs_problem = _needs(lambda now: now.has_record, "No problem selected.")
needs_sides = _needs(
    lambda now: now.is_journal or now.has_record, "No record selected."
)
needs_memory = _needs(lambda now: now.is_memory, "Only memories can be compared.")
needs_two_marked = _needs(
    lambda now: now.marked == _TWO, "Mark two memories first, with space."
)
needs_links = _needs(lambda now: now.links, "This record has no links.")
needs_leads = _needs(lambda now: now.leads, "No links in this text.")
needs_target = _needs(lambda now: now.leads or now.links, "No links in this text.")
needs_past = _needs(lambda now: now.is_past, "You are viewing the present.")
needs_now = _needs(lambda now: not now.is_past, "You are viewing the past.")
needs_query = _needs(lambda now: now.query, "No search active. Press / to search.")
needs_places_behind = _needs(lambda now: now.behind, "Nothing to go back to.")
needs_places_ahead = _needs(lambda now: now.ahead, "Nothing to go forward to.")
needs_half_done = _needs(lambda now: now.half_done, "No half-done changes.")
needs_drafts = _needs(lambda now: now.drafts, "No unsaved drafts.")
needs_stores = _needs(lambda now: now.stores > 1, "Only one store is open.")


def needs_file(situation: Situation) -> str | None:
    """Require a record with a file."""
    is_met = not situation.has_record or situation.has_file
    return needs_record(situation) if is_met else "This record has no file of its own."


def needs_hits(situation: Situation) -> str | None:
    """Require query hits in the open text."""
    is_met = not situation.query or situation.hits
    return needs_query(situation) if is_met else "No matches in this text."


def possible(*words: str) -> Guard:
    """Require a record that supports at least one of these actions.

    If records are marked, the one at the cursor need not support it, because some of
    the marked ones may.
    """

    def guard(situation: Situation) -> str | None:
        if not situation.has_record:
            return needs_record(situation)
        if situation.is_append_only:
            return "Episodes are append-only."
        if situation.marked:
            return needs_permission(situation)
        return _why_not(situation, words) or needs_permission(situation)

    return guard


def keepable(situation: Situation) -> str | None:
    """Require a record that can be pinned; conversations need no writable store."""
    if not situation.is_conversation:
        return possible("pin")(situation)
    return None if situation.marked else _why_not(situation, ("pin",)) or None


def _why_not(situation: Situation, words: Sequence[str]) -> str:
    """Why none of these actions is possible now; empty if one is."""
    told = [situation.possible[word] for word in words if word in situation.possible]
    return min(told, key=bool, default=SENSELESS)


def needs_permission(situation: Situation) -> str | None:
    """Require a writable store."""
    return situation.read_only or None


def possible_fix(situation: Situation) -> str | None:
    """Require a problem that can be fixed."""
    if situation.has_record and not situation.is_mendable:
        return "Can't be fixed from here."
    return needs_problem(situation)


def needs_undoable(situation: Situation) -> str | None:
    """Require a change to undo, or a half-done one."""
    is_any = situation.undoable or situation.half_done
    return None if is_any else _nothing("undo", situation)


def needs_redoable(situation: Situation) -> str | None:
    """Require a change to redo."""
    return None if situation.redoable else _nothing("redo", situation)


def needs_changes(situation: Situation) -> str | None:
    """Require earlier changes."""
    is_any = situation.undoable or situation.redoable
    return None if is_any else _nothing("undo", situation)


def _nothing(word: str, situation: Situation) -> str:
    """The message if nothing can be undone here, and how to include other stores."""
    if not situation.elsewhere:
        return f"Nothing to {word}."
    number = situation.elsewhere
    changes = "1 change" if number == 1 else f"{number} changes"
    return f"Nothing to {word} here. gu includes {changes} in other stores."


# A command of the browser with its keys and texts.


class Group(StrEnum):
    """The headings of commands in the help."""

    MOVING = "moving"
    LOOKING = "looking"
    SEARCHING = "searching"
    MARKING = "marking"
    COPYING = "copying"
    CHANGING = "changing"
    SCREEN = "the screen"
    PROGRAM = "the program"


class Command(Struct, frozen=True):
    """An action that the user starts with a key or by name."""

    id: str
    """Its name in the settings: words joined by hyphens."""
    key: str
    """Its default keys, separated by commas; hints show the first one."""
    title: str
    """A few words for the palette."""
    help: str
    """A sentence for the page of keys."""
    does: str = ""
    """What runs it: a part of the browser and its method, `changes.pin`, or an action
    of a popup, `choice(1)`. Empty for the action that is named like the id."""
    guard: Guard = always
    """Returns why it is not possible, or None."""
    hint: str = ""
    """Its word in the row of hints; empty if it is not shown there."""
    word: str = ""
    """Its word among the continuations of a chord, where titles do not fit."""
    also: str = ""
    """Synonyms and names on the command line that find it, separated by spaces."""
    is_destructive: bool = False
    """Whether it is found by its title only, never by a word that is near it."""
    scope: Scope = Scope.EVERYWHERE
    """Where its keys are valid."""
    group: Group = Group.PROGRAM
    """Its heading in the help."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its default keys."""
        return tuple(self.key.split(", ")) if self.key else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The words of its id, and its synonyms."""
        return (*self.id.split("-"), *self.also.split())

    @property
    def method(self) -> str:
        """The part of the browser and its method; empty if only panes run it."""
        path = self.does.partition("(")[0]
        return path if "." in path else ""

    @property
    def call(self) -> str:
        """Its Textual action, with arguments."""
        name, bracket, arguments = self.does.partition("(")
        if self.method or not name:
            name = self.id.replace("-", "_")
        return f"{name}{bracket}{arguments}"

    @property
    def handler(self) -> str:
        """The name of the pane's method that runs it."""
        return f"action_{self.call.partition('(')[0]}"

    @property
    def asks(self) -> bool:
        """Whether it may ask questions, so that only one of its sort runs at a time."""
        return self.group is Group.CHANGING
