"""The columns of each list, and what they show."""

from collections.abc import Callable, Iterable

from store.clean import clean
from store.findings import Json
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge
from store.kinds.journals import Agent, Event, Measure
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.kinds.pages import Episode
from store.kinds.problems import Problem
from store.records.answers import Double, Due, Link, News, QuestionReport, Similar
from store.records.reports import KeptReport, Past, StoreReport
from store.times import parse
from tui.output.cells import (
    Column,
    Listed,
    beginning,
    day,
    few_digits,
    field,
    first_line,
    minute,
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

# Columns of the journal: changes and their backups.


def _done(record: Listed) -> str:
    return done(record.action) if isinstance(record, Past) else ""


def _standing(record: Listed) -> str:
    """Whether a change is undone or half done."""
    if not isinstance(record, Past):
        return ""
    return "half-done" if record.half_done else "undone" if record.undone else ""


def _dimmed(record: Listed) -> str:
    return {"undone": "dim", "half-done": "yellow"}.get(_standing(record), "")


CHANGES = (
    Column("Change", field("change"), 12, style=_dimmed),
    Column("When", minute("at"), 16, piped=second("at")),
    Column("What", _done, style=_dimmed),
    Column("", _standing, 9, style=_dimmed),
    store(),
)

BACKUPS = (
    Column("Backup", field("backup"), 20),
    Column("When", minute("at"), 16, piped=second("at")),
    Column("Before", field("action"), is_sparse=True),
    Column("Size", size("bytes"), 7, right=True),
    Column("Path", field("path"), is_path=True),
    store(),
)


# Columns of duplicate memories.


def _of_memory(name: str, record: Listed) -> str:
    """A field of the memory as text; empty if missing."""
    value = getattr(record.memory, name) if isinstance(record, Double) else None
    return clean(str(value or ""))


def _short_ref(record: Listed) -> str:
    return short_ref(_of_memory("ref", record))


def _first(record: Listed) -> str:
    """The ref of the first memory of its group, shortened."""
    return short_ref(record.of) if isinstance(record, Double) else ""


DOUBLES = (
    Column(
        "Ref", _short_ref, len("5b1c2d3e"), piped=lambda one: _of_memory("ref", one)
    ),
    Column("Same as", _first, len("5b1c2d3e"), piped=field("of")),
    Column("Share", share("share"), 5, right=True),
    Column("Type", lambda one: _of_memory("type", one), 13),
    Column("Title", lambda one: _of_memory("title", one)),
    Column("Why", field("why")),
    Column("Path", lambda one: _of_memory("path", one), is_path=True, is_spare=True),
    Column("Store", lambda one: _of_memory("store", one), is_path=True, is_spare=True),
)


# Columns of memories and links.

_SHORT = {"outgoing": "out", "incoming": "in"}

_LARGE = 10_000
"""Strengths from here on, which are in the future, are shown as a magnitude only."""


def _title(record: Listed) -> str:
    """A memory's title and one-line description."""
    if not isinstance(record, Memory):
        return ""
    rest = f" — {record.description}" if record.description else ""
    return clean(f"{record.title}{rest}")


def _links(record: Listed) -> str:
    if not isinstance(record, Memory) or not (record.links_in or record.links_out):
        return ""
    return f"←{record.links_in} →{record.links_out}"


def _strength(record: Listed) -> str:
    if not isinstance(record, Memory) or record.strength is None:
        return ""
    if record.pinned:
        return "pinned"
    large = record.strength >= _LARGE
    return f"{record.strength:.0e}" if large else f"{record.strength:.2f}"


def _arrow(record: Listed) -> str:
    return "→" if isinstance(record, Link) and record.direction == "out" else "←"


def _sides(record: Listed) -> str:
    if not isinstance(record, Edge):
        return ""
    return " ".join(_SHORT.get(side, side) for side in record.sides)


def _when(record: Listed) -> str:
    if not isinstance(record, Episode):
        return ""
    return clean(f"{record.date} {record.time or ''}").strip()


def _updated(record: Listed) -> str:
    """The day of the last change; `~` marks that of the file, which says nothing."""
    text = day("updated")(record)
    if text or not isinstance(record, Memory) or not record.modified:
        return text
    return f"~{day('modified')(record)}"


MEMORIES = (
    ref(),
    Column("Type", field("type"), 13),
    Column("Title", _title),
    Column("Imp", share("importance"), 6, right=True),
    Column("Strength", _strength, 8, right=True),
    Column("Stage", field("stage"), 8, style=styled("stage")),
    Column("Links", _links, 8),
    Column("Updated", _updated, 11),
    store(),
)

EDGES = (
    ref(),
    Column("From", field("from_title")),
    Column("Type", field("type"), 14),
    Column("To", field("to_title")),
    Column("Str", share("strength"), 4, right=True),
    Column("Written in", _sides, 17),
)

EPISODES = (
    ref(),
    Column("When", _when, 16),
    Column("Title", field("title")),
    Column("Type", field("type"), 13),
    Column("Summary", field("summary")),
)

LINKS = (
    Column("", _arrow, 1),
    Column("Type", field("type"), 14),
    Column("Title", field("title")),
    ref(),
    Column("Str", share("strength"), 4, right=True),
    Column("Why", field("context")),
)


# Columns of documents and problems.


def _place(record: Listed) -> str:
    if not isinstance(record, Problem):
        return ""
    return clean(record.path) + (f":{record.line}" if record.line else "")


DOCUMENTS = (
    ref(),
    Column("Role", field("role"), 12),
    Column("Path", field("path"), is_path=True),
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


def _fix(record: Listed) -> str:
    """The command without the program, and without the store, which has a column."""
    fix = record.fix if isinstance(record, Problem) else None
    return (fix or "").removeprefix(_PROGRAM).partition(_STORE)[0]


HEALTH = (
    *PROBLEMS[:-1],
    Column("Fix", _fix, 34, is_sparse=True, piped=field("fix")),
    PROBLEMS[-1],
    Column("Id", field("id"), 22, is_spare=True),
)


# Columns of journals and ledgers: events, metrics, agents.

_MICRO_CENTS = 1_000_000
"""How many of the ledger's smallest cost units make a cent."""


def _failed(record: Listed) -> str:
    return "✗" if isinstance(record, Event) and record.is_error else ""


def _red(_record: Listed) -> str:
    return "red"


def _duration(record: Listed) -> str:
    if not isinstance(record, Measure) or record.duration_s is None:
        return ""
    return lasted(record.duration_s)


def _when_journals(record: Listed) -> str:
    """When a metric was recorded, or else when what it measures ended or started."""
    if not isinstance(record, Measure):
        return ""
    return clean(record.at or record.end or record.start or "")


def _minute(record: Listed) -> str:
    return to_the_minute(_when_journals(record))


def _evidence(record: Listed) -> str:
    """The source of a metric, and whether what it points to exists."""
    if not isinstance(record, Measure):
        return ""
    mark = "" if not record.pointer else " ✓" if record.points_to else " ✗"
    return clean(record.source or "") + mark


def _metric(record: Listed) -> str:
    return in_short(record.metric) if isinstance(record, Measure) else ""


def _measured(record: Listed) -> str:
    """What was measured: a name, or the claim itself."""
    if not isinstance(record, Measure) or record.name or record.kind != "claim":
        return field("name")(record)
    return _metric(record)


def _metric_whole(record: Listed) -> str:
    return in_whole(record.metric) if isinstance(record, Measure) else ""


def _told(record: Listed, *names: str) -> Json:
    """The first non-empty value among these columns of an agent's ledger."""
    if not isinstance(record, Agent):
        return None
    values = (record.columns.get(name) for name in names)
    return next((value for value in values if value not in (None, "")), None)


def _column(*names: str) -> Callable[[Listed], str]:
    """A cell for the first non-empty of these columns of a ledger."""

    def cell(record: Listed) -> str:
        return in_short(_told(record, *names))

    return cell


def _status_style(record: Listed) -> str:
    return style_of(_told(record, "status"))


def _started(record: Listed) -> str:
    """When an agent was started; ledgers store it as an epoch."""
    began = _told(record, "started_ts", "started")
    if isinstance(began, str | int | float) and not isinstance(began, bool):
        return clean(parse(began).iso)
    return ""


def _started_minute(record: Listed) -> str:
    return to_the_minute(_started(record))


def _cost(record: Listed) -> str:
    """The cost of an agent in dollars."""
    fine, coarse = _told(record, "cost_micro_cents"), _told(record, "cost_cents")
    if isinstance(fine, int | float) and fine:
        return f"${fine / _MICRO_CENTS / 100:.2f}"
    return f"${coarse / 100:.2f}" if isinstance(coarse, int | float) else ""


def _total(record: Listed) -> int:
    """The total number of tokens of an agent."""
    counts = (_told(record, "tokens_in"), _told(record, "tokens_out"))
    return sum(int(number) for number in counts if isinstance(number, int | float))


def _tokens(record: Listed) -> str:
    return few_digits(_total(record))


def _all_tokens(record: Listed) -> str:
    return str(_total(record) or "")


EVENTS = (
    ref(),
    Column("When", minute("at"), 16, piped=field("at")),
    Column("", _failed, 1, style=_red, is_sparse=True),
    Column("Class", field("event_class"), 16),
    Column("Message", beginning("message")),
    Column("Tool", field("tool"), 12),
    Column("File", field("file_path"), is_path=True),
    Column("Session", field("session"), is_spare=True),
    store(),
)

MEASURES = (
    ref(),
    Column("When", _minute, 16, piped=_when_journals),
    Column("Kind", field("kind"), 9),
    Column("Name", _measured, piped=field("name")),
    Column("Duration", _duration, 11, right=True, piped=field("duration_s")),
    Column("Exit", field("exit"), 4, right=True, is_sparse=True),
    Column("Evidence", _evidence, 14),
    Column("Metric", _metric, piped=_metric_whole),
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
    Column("Tokens", _tokens, 6, right=True, is_sparse=True, piped=_all_tokens),
    store(),
)


# Columns of what is new in stores; empty ones are omitted.


def _since(record: Listed) -> str:
    if not isinstance(record, News):
        return ""
    return to_the_minute(record.looked) if record.looked else "never opened"


NEWS = (
    Column("Store", field("name"), 20),
    Column("Since", _since, 16),
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


def _formats(record: Listed) -> str:
    return " ".join(record.formats) if isinstance(record, QuestionReport) else ""


def _stores(record: Listed) -> str:
    return str(len(record.stores)) if isinstance(record, QuestionReport) else ""


QUESTIONS = (
    Column("Report", field("name"), 19),
    Column("Help", field("help")),
    Column("Arguments", field("words"), is_spare=True),
    Column("Formats", _formats, 14),
    Column("Stores", _stores, 6, right=True),
)


# Columns of memories due for review.


def _of_memory_reviewing(name: str, record: Listed) -> str:
    """A field of the memory as text; empty if missing."""
    value = getattr(record.memory, name) if isinstance(record, Due) else None
    return clean(str(value or ""))


def _short_ref_reviewing(record: Listed) -> str:
    return short_ref(_of_memory_reviewing("ref", record))


DUE = (
    Column(
        "Ref",
        _short_ref_reviewing,
        len("5b1c2d3e"),
        piped=lambda one: _of_memory_reviewing("ref", one),
    ),
    Column("Queue", field("queue"), len("duplicates")),
    Column("Type", lambda one: _of_memory_reviewing("type", one), 13),
    Column("Title", lambda one: _of_memory_reviewing("title", one)),
    Column("Why", field("why")),
    Column(
        "Store",
        lambda one: _of_memory_reviewing("store", one),
        is_path=True,
        is_spare=True,
    ),
)


# Columns of a forecast.


def _score(name: str) -> Callable[[Listed], str]:
    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return "" if value is None else f"{value:.2f}"

    return cell


FORECAST = (
    ref(),
    Column("Changes", field("changes_on"), len("2026-02-14")),
    Column("Stage", field("stage"), len("archived")),
    Column("Then", field("stage_then"), len("archived")),
    Column("Strength", _score("strength"), 8, right=True),
    Column("Then", _score("strength_then"), 8, right=True),
    Column("Title", field("title")),
    store(),
)


# Columns of similar memories.


def _of_memory_similar(name: str, record: Listed) -> str:
    """A field of the memory as text; empty if missing."""
    value = getattr(record.memory, name) if isinstance(record, Similar) else None
    return clean(str(value or ""))


def _short_ref_similar(record: Listed) -> str:
    return short_ref(_of_memory_similar("ref", record))


def _linked(record: Listed) -> str:
    return "linked" if isinstance(record, Similar) and record.linked else ""


SIMILAR = (
    Column(
        "Ref",
        _short_ref_similar,
        len("5b1c2d3e"),
        piped=lambda one: _of_memory_similar("ref", one),
    ),
    Column("Score", share("score"), 5, right=True),
    Column("Type", lambda one: _of_memory_similar("type", one), 13),
    Column("Title", lambda one: _of_memory_similar("title", one)),
    Column("Why", field("reason")),
    Column("Linked", _linked, 6, is_sparse=True),
    Column(
        "Store",
        lambda one: _of_memory_similar("store", one),
        is_path=True,
        is_spare=True,
    ),
)


# Columns of stores; empty ones are omitted.


def _writable(record: Listed) -> str:
    return "" if isinstance(record, StoreReport) and record.writable else "read-only"


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
    Column("", _writable, 9, is_sparse=True),
)


# Columns of conversations and messages.


def total_of(conversation: Conversation) -> int:
    """The total number of tokens of a conversation."""
    tokens = conversation.tokens
    return tokens.input + tokens.output + tokens.cache_read + tokens.cache_creation


def _tokens_transcripts(record: Listed) -> str:
    return few_digits(total_of(record)) if isinstance(record, Conversation) else ""


def _all_tokens_transcripts(record: Listed) -> str:
    return str(total_of(record)) if isinstance(record, Conversation) else ""


def _first_line(record: Listed) -> str:
    return clean(first_line(record.text)) if isinstance(record, Message) else ""


def _tools(record: Listed) -> str:
    return clean(" ".join(record.tools)) if isinstance(record, Message) else ""


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
        _tokens_transcripts,
        6,
        right=True,
        is_sparse=True,
        piped=_all_tokens_transcripts,
    ),
    Column("Source", field("source"), is_path=True, is_spare=True),
    store(),
)

MESSAGES = (
    ref(),
    Column("When", second("at"), 19, piped=field("at")),
    Column("Kind", field("kind"), 12),
    Column("Text", beginning("text"), piped=_first_line),
    Column("Tools", _tools, 16),
    Column("Conversation", field("conversation"), is_spare=True),
)


# Columns of the vault: what is saved, expiring or damaged.


def _is_gone(record: Listed) -> str:
    return "only here" if isinstance(record, KeptReport) and record.gone else ""


KEPT = (
    ref(),
    Column("Pinned", minute("at"), 16, piped=second("at")),
    Column("Title", field("title")),
    Column("Files", field("files"), 5, right=True),
    Column("Size", size("bytes"), 7, right=True),
    Column("", _is_gone, 9, is_sparse=True),
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

VERSIONS = (
    ref(),
    Column("When", minute("at"), 16),
    Column("By", field("by"), 7),
    Column("What", beginning("what")),
    Column("Who", field("who"), 16, is_sparse=True),
    number("+", "added", 5),
    number("-", "removed", 5),
)


# The columns of each list, as shown to people.

_COLUMNS: dict[str, tuple[Column, ...]] = {
    "memories": MEMORIES,
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
    "stores": STORES,
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


def write_list(kind: str, records: Iterable[Listed], *, nothing: str) -> None:
    """Print a list of a known kind, in its columns."""
    write_rows(columns_for(kind), records, nothing=nothing)
