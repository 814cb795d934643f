"""The columns of each list, and what they show."""

from collections.abc import Callable, Iterable, Mapping

from store.clean import clean
from store.findings import Json
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge
from store.kinds.journals import Agent, Event, Measure
from store.kinds.memories import Memory
from store.kinds.pages import Document, Episode
from store.kinds.problems import Problem
from store.queues import DAMAGED
from store.records.answers import Double, Due, Forecast, Version
from store.records.reports import Backup, Past
from store.times import parse
from tui.output.cells import (
    Cell,
    Column,
    Headings,
    beginning,
    day,
    few_digits,
    field,
    first_line,
    minute,
    named_store,
    number,
    ref,
    second,
    share,
    short_ref,
    size,
    store,
    style_of,
    styled,
    write_rows,
)
from tui.output.reports import done
from tui.output.text import in_short, in_whole, lasted, to_the_minute
from tui.terminal.streams import is_for_a_person

# Columns of the journal: changes and their backups.


def _done(past: Past) -> str:
    return done(past.action)


def _standing(past: Past) -> str:
    """Whether a change is undone or half done."""
    return "half-done" if past.half_done else "undone" if past.undone else ""


def _dimmed(past: Past) -> str:
    return {"undone": "dim", "half-done": "yellow"}.get(_standing(past), "")


CHANGES = (
    Column("Change", field("change"), 12, style=_dimmed),
    Column("When", minute("at"), 16, piped=second("at")),
    Column("What", _done, style=_dimmed),
    Column("", _standing, 9, style=_dimmed),
    store(),
)


def _backup(backup: Backup) -> str:
    """The name of a backup; the beginning is enough for one named by its content."""
    return clean(backup.backup[: 8 if len(backup.backup) == _DIGEST else None])


_DIGEST = 64
"""The characters of a name made from the content of a backup."""

BACKUPS = (
    Column("Backup", _backup, 20, piped=field("backup")),
    Column("When", minute("at"), 16, piped=second("at")),
    Column("Before", field("action"), is_sparse=True),
    Column("Size", size("bytes"), 7, right=True),
    Column("Path", field("path"), is_path=True),
    store(),
)


# Columns of duplicate memories.


def _same_as(double: Double) -> str:
    """The first of the group, in the rows of the others."""
    return "" if double.of == double.memory.ref else short_ref(double.of)


DOUBLES = (
    ref("memory.ref"),
    Column("Same as", _same_as, 8, piped=field("of")),
    Column("Share", share("share"), 5, right=True),
    Column("Type", field("memory.type"), 13),
    Column("Title", field("memory.title")),
    Column("Why", field("why")),
    Column("Path", field("memory.path"), is_path=True, is_spare=True),
    store("memory.store"),
)


# Columns of memories and links.

_SHORT = {"outgoing": "out", "incoming": "in"}

_LARGE = 10_000
"""Strengths from here on, which are in the future, are shown as a magnitude only."""


def _title(memory: Memory) -> str:
    """A memory's title and one-line description."""
    rest = f" — {memory.description}" if memory.description else ""
    return clean(f"{memory.title}{rest}")


def _links(memory: Memory) -> str:
    if not (memory.links_in or memory.links_out):
        return ""
    return f"←{memory.links_in} →{memory.links_out}"


def _strength(memory: Memory) -> str:
    if memory.strength is None:
        return ""
    if memory.pinned:
        return "pinned"
    large = memory.strength >= _LARGE
    return f"{memory.strength:.0e}" if large else f"{memory.strength:.2f}"


def _importance(memory: Memory) -> str:
    """The importance; archiving sets it to 0, and restoring brings the former back."""
    is_set_aside = memory.archived and not memory.importance
    return "" if is_set_aside else share("importance")(memory)


def _sides(edge: Edge) -> str:
    return " ".join(_SHORT.get(side, side) for side in edge.sides)


def _when(episode: Episode) -> str:
    return clean(f"{episode.date} {episode.time or ''}").strip()


def _updated(memory: Memory) -> str:
    """The day of the last change; `~` marks that of the file, which says nothing."""
    text = day("updated")(memory)
    return text if text or not memory.modified else f"~{day('modified')(memory)}"


MEMORIES = (
    ref(),
    Column("Type", field("type"), 13),
    Column("Title", _title, least=30),
    Column(
        "Imp", _importance, 6, right=True, is_sparse=True, piped=share("importance")
    ),
    Column("Strength", _strength, 8, right=True, is_sparse=True),
    Column("Stage", field("stage"), 8, style=styled("stage"), is_sparse=True),
    Column("Links", _links, 8),
    Column("Updated", _updated, 11),
    store(),
)

MEMORIES_IN_SHORT = tuple(MEMORIES[at] for at in (0, 1, 2, 5, 7, 4, 3, 6, 8))
"""The columns for people: at 80 columns the date stays, by which lists are sorted."""

EDGES = (
    ref(),
    Column("From", field("from_title")),
    Column("Type", field("type"), 14),
    Column("To", field("to_title")),
    Column("Str", share("strength"), 4, right=True, is_sparse=True),
    Column("Written in", _sides, 17),
)

EPISODES = (
    ref(),
    Column("When", _when, 16),
    Column("Title", field("title")),
    Column("Type", field("type"), 13),
    Column("Summary", field("summary"), is_sparse=True),
)

LINKS = (
    Column("", lambda one: "→" if one.direction == "out" else "←", 1),
    Column("Type", field("type"), 14),
    Column("Title", field("title")),
    ref(),
    Column("Str", share("strength"), 4, right=True, is_sparse=True),
    Column("Why", field("context"), is_sparse=True),
)


# Columns of documents and problems.


def _place(problem: Problem) -> str:
    return clean(problem.path) + (f":{problem.line}" if problem.line else "")


def _whole_path(document: Document) -> str:
    """The file with its store: many stores have a document of the same name."""
    return clean(f"{document.store}/{document.path}")


DOCUMENTS = (
    ref(),
    Column("Role", field("role"), 12),
    Column("Path", _whole_path, is_path=True, piped=field("path")),
    Column("Size", size("text_bytes"), 7, right=True),
    Column("Title", field("title")),
    store(),
)

PROBLEMS = (
    Column("", field("severity"), 7, style=styled("severity")),
    Column("Code", field("code"), 18),
    Column("What", field("message")),
    Column("Where", _place, is_path=True),
    store(),
)


# Columns of problems with their fixes.

_PROGRAM = "recollect "
_STORE = " -s "


def _fix(problem: Problem) -> str:
    """The command without the program, and without the store, which has a column."""
    return (problem.fix or "").removeprefix(_PROGRAM).partition(_STORE)[0]


HEALTH = (
    *PROBLEMS[:-1],
    Column("Fix", _fix, 34, is_sparse=True, piped=field("fix")),
    PROBLEMS[-1],
    Column("Id", field("id"), 22, is_spare=True),
)


def _short_id(problem: Problem) -> str:
    return f"  {short_ref(problem.id)}"


HEALTH_IN_GROUPS = (
    Column("  Id", _short_id, 10),
    Column("What", field("message")),
    Column("Where", _place, is_path=True),
)
"""What people see of each problem, beneath its store and its code."""


# Columns of journals and ledgers: events, metrics, agents.

_MICRO_CENTS = 1_000_000
"""How many of the ledger's smallest cost units make a cent."""


def _failed(event: Event) -> str:
    return "✗" if event.is_error else ""


def _duration(measure: Measure) -> str:
    return "" if measure.duration_s is None else lasted(measure.duration_s)


def _when_measured(measure: Measure) -> str:
    """When a metric was recorded, or else when what it measures ended or started."""
    return clean(measure.at or measure.end or measure.start or "")


def _minute_measured(measure: Measure) -> str:
    return to_the_minute(_when_measured(measure))


def _evidence(measure: Measure) -> str:
    """The source of a metric, and whether what it points to exists."""
    mark = "" if not measure.pointer else " ✓" if measure.points_to else " ✗"
    return clean(measure.source or "") + mark


def _metric(measure: Measure) -> str:
    return in_short(measure.metric)


def _measured(measure: Measure) -> str:
    """What was measured: a name, or the claim itself."""
    is_claim = measure.kind == "claim" and not measure.name
    return _metric(measure) if is_claim else field("name")(measure)


def _told(agent: Agent, *names: str) -> Json:
    """The first non-empty value among these columns of an agent's ledger."""
    values = (agent.columns.get(name) for name in names)
    return next((value for value in values if value not in (None, "")), None)


def _column(*names: str) -> Callable[[Agent], str]:
    """A cell for the first non-empty of these columns of a ledger."""
    return lambda agent: in_short(_told(agent, *names))


def _status_style(agent: Agent) -> str:
    return style_of(_told(agent, "status"))


def _started(agent: Agent) -> str:
    """When an agent was started; ledgers store it as an epoch."""
    began = _told(agent, "started_ts", "started")
    if isinstance(began, str | int | float) and not isinstance(began, bool):
        return clean(parse(began).iso)
    return ""


def _started_minute(agent: Agent) -> str:
    return to_the_minute(_started(agent))


def _cost(agent: Agent) -> str:
    """The cost of an agent in dollars."""
    fine, coarse = _told(agent, "cost_micro_cents"), _told(agent, "cost_cents")
    if isinstance(fine, int | float) and fine:
        return f"${fine / _MICRO_CENTS / 100:.2f}"
    return f"${coarse / 100:.2f}" if isinstance(coarse, int | float) else ""


def _spent(agent: Agent) -> int:
    """The total number of tokens of an agent."""
    counts = (_told(agent, "tokens_in"), _told(agent, "tokens_out"))
    return sum(int(number) for number in counts if isinstance(number, int | float))


EVENTS = (
    ref(),
    Column("When", minute("at"), 16, piped=field("at")),
    Column("", _failed, 1, style=lambda _: "red", is_sparse=True),
    Column("Class", field("event_class"), 16),
    Column("Message", beginning("message")),
    Column("Tool", field("tool"), 12, is_sparse=True),
    Column("File", field("file_path"), is_path=True),
    Column("Session", field("session"), is_spare=True),
    store(),
)

MEASURES = (
    ref(),
    Column("When", _minute_measured, 16, piped=_when_measured),
    Column("Kind", field("kind"), 9),
    Column("Name", _measured, piped=field("name")),
    Column("Duration", _duration, 11, right=True, piped=field("duration_s")),
    Column("Exit", field("exit"), 4, right=True, is_sparse=True),
    Column("Evidence", _evidence, 14),
    Column("Metric", _metric, piped=lambda one: in_whole(one.metric)),
    store(),
)

AGENTS = (
    ref(),
    Column("Id", _column("id"), 14),
    Column("Status", _column("status"), 8, style=_status_style),
    Column("Started", _started_minute, 16, piped=_started),
    Column("About", _column("summary", "branch")),
    Column("Model", _column("model"), 16, is_sparse=True),
    Column("Cost", _cost, 8, right=True, is_sparse=True),
    Column(
        "Tokens",
        lambda one: few_digits(_spent(one)),
        6,
        right=True,
        is_sparse=True,
        piped=lambda one: str(_spent(one) or ""),
    ),
    store(),
)


# Columns of what is new in stores; empty ones are omitted.


NEWS = (
    Column("Store", field("name"), 20),
    Column(
        "Since",
        lambda one: to_the_minute(one.looked) if one.looked else "never opened",
        16,
    ),
    number("Memories", "memories", 8),
    number("Edges", "edges", 6),
    number("Episodes", "episodes", 8),
    number("Conversations", "conversations", 13),
    number("Messages", "messages", 8),
    number("Documents", "documents", 9),
    number("Problems", "problems", 8),
    Column("Path", field("store"), is_path=True),
)


# Columns of saved queries.

QUERIES = (Column("Saved as", field("name"), 20), Column("Query", field("query")))


# Columns of the built-in reports.


QUESTIONS = (
    Column("Report", field("name"), 19),
    Column("Help", field("help")),
    Column("Arguments", field("words"), is_spare=True),
    Column("Formats", lambda one: " ".join(one.formats), 14),
    Column("Stores", lambda one: str(len(one.stores)), 6, right=True),
)


# Columns of memories due for review.


def _reason(due: Due) -> str:
    """What there is to decide, with the codes of its problems."""
    codes = ", ".join(due.memory.problems) if due.queue == DAMAGED else ""
    return f"{due.why}: {codes}" if codes else due.why


DUE = (
    ref("memory.ref"),
    Column("Queue", field("queue"), len("duplicates")),
    Column("Type", field("memory.type"), 13),
    Column("Title", field("memory.title")),
    Column("Why", _reason),
    store("memory.store"),
)


# Columns of a forecast.


def _score(name: str) -> Cell:
    def cell(forecast: Forecast) -> str:
        value = getattr(forecast, name)
        return "" if value is None else f"{value:.2f}"

    return cell


FORECAST = (
    ref(),
    Column("Changes", field("changes_on"), len("2026-02-14")),
    Column("Stage", field("stage"), len("archived")),
    Column("Stage then", field("stage_then"), len("Stage then")),
    Column("Strength", _score("strength"), 8, right=True),
    Column("Then", _score("strength_then"), 8, right=True),
    Column("Title", field("title")),
    store(),
)


# Columns of similar memories.


SIMILAR = (
    ref("memory.ref"),
    Column("Score", share("score"), 5, right=True),
    Column("Type", field("memory.type"), 13),
    Column("Title", field("memory.title")),
    Column("Why", field("reason")),
    Column("Linked", lambda one: "linked" if one.linked else "", 6, is_sparse=True),
    store("memory.store"),
)


# Columns of stores; empty ones are omitted.


STORES = (
    Column("Store", field("name"), 20),
    Column("Format", field("format"), 12),
    number("Memories", "memories", 8),
    number("Problems", "problems", 8),
    Column("Path", field("path"), is_path=True),
    number("Edges", "edges", 6),
    number("Episodes", "episodes", 8),
    number("Conversations", "conversations", 13),
    number("Messages", "messages", 8),
    number("Events", "events", 8),
    number("Measures", "measures", 8),
    Column("Size", size("bytes"), 7, right=True),
    Column("", lambda one: "" if one.writable else "read-only", 9, is_sparse=True),
)


_CONVERSATIONS = number("Conv.", "conversations", 5)
STORES_IN_SHORT = (*STORES[:3], _CONVERSATIONS, *STORES[3:7], *STORES[8:])
"""The columns for people, of whom many have stores with conversations alone."""


# Columns of conversations and messages.


def total_of(conversation: Conversation) -> int:
    """The total number of tokens of a conversation."""
    tokens = conversation.tokens
    return tokens.input + tokens.output + tokens.cache_read + tokens.cache_creation


CONVERSATIONS = (
    ref(),
    Column("When", minute("last"), 16, piped=field("last")),
    Column("Project", field("project"), 14),
    Column("Title", field("title")),
    Column("Status", field("status"), 8, style=styled("status")),
    number("Entries", "entries", 7),
    number("Prompts", "prompts", 7),
    number("Tools", "tools", 5),
    number("Errors", "tool_errors", 6),
    Column(
        "Tokens",
        lambda one: few_digits(total_of(one)),
        6,
        right=True,
        is_sparse=True,
        piped=lambda one: str(total_of(one)),
    ),
    Column("Source", field("source"), is_path=True, is_spare=True),
    store(),
)

MESSAGES = (
    ref(),
    Column("When", second("at"), 19, piped=field("at")),
    Column("Kind", field("kind"), 12),
    Column("Text", beginning("text"), piped=lambda one: clean(first_line(one.text))),
    Column("Tools", lambda one: clean(" ".join(one.tools)), 16, is_sparse=True),
    Column("Conversation", field("conversation"), is_spare=True),
)


# Columns of the vault: what is saved, expiring or damaged.


KEPT = (
    ref(),
    Column("Pinned", minute("at"), 16, piped=second("at")),
    Column("Title", field("title")),
    Column("Files", field("files"), 5, right=True),
    Column("Size", size("bytes"), 7, right=True),
    Column("", lambda one: "only here" if one.gone else "", 9, is_sparse=True),
    Column("Path", field("path"), is_path=True),
    store(),
)

ENDANGERED = (
    ref(),
    Column("Expires", minute("removed"), 16, piped=second("removed")),
    Column("Title", field("title")),
    Column("Size", size("bytes"), 7, right=True),
    Column("Path", field("path"), is_path=True),
    store(),
)

DAMAGES = (
    Column("What", field("message")),
    Column("Path", field("path"), is_path=True),
    store(),
)


# Columns of the versions of a file.

_AGAIN = ("undo ", "redo ")


def _version_ref(version: Version) -> str:
    """The ref of a version; an undo has that of its change, which isn't repeated."""
    return "" if version.what.startswith(_AGAIN) else short_ref(version.ref or "")


def _amount(version: Version) -> str:
    is_known = version.added or version.removed
    return f"+{version.added or 0} -{version.removed or 0}" if is_known else ""


VERSIONS = (
    Column("Ref", _version_ref, 8, piped=field("ref")),
    Column("When", minute("at"), 16),
    Column("By", field("by"), 7),
    Column("What", beginning("what")),
    Column("Who", field("who"), 16, is_sparse=True),
    Column("Lines", _amount, 9, right=True, is_sparse=True, piped=field("added")),
    Column("", lambda _: "", 1, is_sparse=True, piped=field("removed")),
)


# The columns of each list, as shown to people.

_COLUMNS: dict[str, tuple[Column, ...]] = {
    "memories": MEMORIES,
    "memories in short": MEMORIES_IN_SHORT,
    "edges": EDGES,
    "episodes": EPISODES,
    "conversations": CONVERSATIONS,
    "messages": MESSAGES,
    "events": EVENTS,
    "measures": MEASURES,
    "agents": AGENTS,
    "documents": DOCUMENTS,
    "problems": PROBLEMS,
    "health": HEALTH,
    "health in groups": HEALTH_IN_GROUPS,
    "stores": STORES,
    "stores in short": STORES_IN_SHORT,
    "news": NEWS,
    "links": LINKS,
    "similar": SIMILAR,
    "doubles": DOUBLES,
    "due": DUE,
    "forecast": FORECAST,
    "versions": VERSIONS,
    "questions": QUESTIONS,
    "queries": QUERIES,
    "changes": CHANGES,
    "backups": BACKUPS,
    "kept": KEPT,
    "endangered": ENDANGERED,
    "damages": DAMAGES,
}


def columns_for(kind: str) -> tuple[Column, ...]:
    """The columns of a list."""
    return _COLUMNS[kind]


def write_list(
    kind: str,
    records: Iterable[object],
    *,
    nothing: str,
    above: Headings | None = None,
    names: Mapping[str, str] | None = None,
    sort: str = "",
) -> None:
    """Print a list of a known kind, in its columns.

    Given the names of stores by path, the name replaces the path. As a narrow table
    has room for the first columns, it follows the ref, and what is sorted by the title.
    """
    if f"{kind} in short" in _COLUMNS and is_for_a_person():
        kind = f"{kind} in short"
    columns = columns_for(kind)
    if names:
        named = named_store(names)
        others = [one for one in columns if one.title != named.title]
        if columns is MEMORIES_IN_SHORT:
            first, kind_of, title, stage, updated, *others = others
            columns = (first, named, kind_of, title, updated, stage, *others)
        else:
            columns = (*others, named)
    if is_for_a_person():
        texts = [one.width is None and not one.is_spare for one in columns]
        at = len(columns) - texts[::-1].index(True)
        after = sorted(
            columns[at:], key=lambda one: not sort.startswith(one.title.lower() or " ")
        )
        columns = (*columns[:at], *after)
    write_rows(columns, records, nothing=nothing, above=above)
