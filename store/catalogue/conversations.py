"""Build conversations from messages."""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, pairwise, repeat
from operator import itemgetter
from typing import NamedTuple, cast

import orjson
from msgspec import Struct, field

from store.derive.conversations import segments
from store.derive.paths import folder_name, project_folder, project_path
from store.findings import Rank
from store.kinds.conversations import CONVERSATIONS
from store.kinds.messages import COMPACTION, MESSAGES, QUEUED, Envelope, at_of, uuid_of
from store.kinds.table import Cell, Row, json_text, ref

# A transcript's own data: its session, its titles, its lines.


class Told(Struct):
    """The data from all pieces of one transcript."""

    session: str | None = None
    agent: str | None = None
    parent: str | None = None
    origin: str | None = None
    titles: dict[int, tuple[int, str]] = field(
        default_factory=dict[int, tuple[int, str]]
    )
    """By rank: the line of the last title, and its text."""
    lines: dict[str, int] = field(default_factory=dict[str, int])
    """The number of lines of each type."""

    def add(self, row: Row) -> None:
        """Add the data from one piece."""
        session, agent, parent, origin, titles, lines = row
        self.session = self.session or _text(session)
        self.agent = self.agent or _text(agent)
        self.parent = self.parent or _text(parent)
        self.origin = self.origin or _text(origin)
        for rank, line, text in orjson.loads(_text(titles) or "[]"):
            if line >= self.titles.get(rank, (0, ""))[0]:
                self.titles[rank] = (line, text)
        for kind, count in orjson.loads(_text(lines) or "{}").items():
            self.lines[kind] = self.lines.get(kind, 0) + count

    @property
    def title_facts(self) -> tuple[object, ...]:
        """What the rows of conversations take from it."""
        texts = {rank: text for rank, (_, text) in self.titles.items()}
        return (self.session, self.agent, self.parent, self.origin, texts)

    def row(self) -> Row:
        """The data as one row."""
        titles = [[rank, *title] for rank, title in sorted(self.titles.items())]
        return (
            self.session,
            self.agent,
            self.parent,
            self.origin,
            json_text(titles),
            json_text(self.lines),
        )


def together(rows: Iterable[Row]) -> Told:
    """The data from all pieces of a transcript."""
    told = Told()
    for row in rows:
        told.add(row)
    return told


def _text(cell: object) -> str | None:
    return cell if isinstance(cell, str) else None


# Totals of messages, computed from their rows; no side effects.
#
# Rows are processed column by column. There are hundreds of thousands, and most columns
# are mostly empty, so this takes a fraction of the time of a loop over all messages.

COLUMN = {name: number for number, name in enumerate(MESSAGES.table.filled)}
"""The position of each column in the row of a message."""

PROMPT = 400
"""Characters of a prompt that a title may need."""

Moment = tuple[int, str | None]
"""A time in microseconds, and as text."""


Envelopes = Mapping[Cell, Envelope]
"""The envelopes of a transcript, by number."""


def envelopes_of(rows: Iterable[Row]) -> Envelopes:
    """The envelopes in some rows."""
    return {number: cast("Envelope", tuple(cells)) for number, *cells in rows}


class Part(Struct):
    """The totals of some messages of a transcript."""

    key: str = ""
    """The key of the first message that counts; more messages do not change it."""
    session: str | None = None
    cwd: str | None = None
    branch: str | None = None
    prompt: str | None = None
    """The beginning of the first prompt."""
    first: Moment | None = None
    last: Moment | None = None
    entries: int = 0
    messages: int = 0
    prompts: int = 0
    tools: int = 0
    errors: int = 0
    compactions: int = 0
    unanswered: int = 0
    tokens: tuple[int, ...] = (0, 0, 0, 0)
    models: tuple[str, ...] = ()


class Sum:
    """Adds up messages in batches, in line order."""

    def __init__(self, envelopes: Envelopes) -> None:
        self.part = Part()
        self._envelopes = envelopes
        self._is_keyed = False
        self._calls: set[str] = set()
        self._answers: set[str] = set()

    def take(self, rows: Sequence[Row], counted: Sequence[Row]) -> None:
        """Add messages; `counted` are those that the gap rule uses."""
        self._name(rows, counted)
        self._count(rows)
        self._pair(rows)
        self._spend(rows)
        self._reach(counted)
        self._open(rows)

    def _open(self, rows: Sequence[Row]) -> None:
        """Take session, folder, branch and models from the envelopes."""
        part = self.part
        models = dict.fromkeys(part.models)
        for number in dict.fromkeys(map(_ENVELOPE, rows)):
            session, cwd, branch, model = self._envelopes[number]
            part.session = part.session or session
            part.cwd = part.cwd or cwd
            part.branch = part.branch or branch
            if model and not model.startswith("<"):
                models[model] = None
        part.models = tuple(models)

    def _name(self, rows: Sequence[Row], counted: Sequence[Row]) -> None:
        """Set the key from the first message, preferably one that counts."""
        if self._is_keyed:
            return
        self._is_keyed = bool(counted)
        if counted or not self.part.key:
            row = (counted or rows)[0]
            key, uuid = row[COLUMN["key"]], row[COLUMN["uuid"]]
            self.part.key = (key if isinstance(key, str) else uuid_of(uuid)) or ""

    def _count(self, rows: Sequence[Row]) -> None:
        part = self.part
        prompts = [row for row in rows if row[COLUMN["kind"]] == "prompt"]
        if prompts and part.prompt is None:
            part.prompt = str(prompts[0][-1])[:PROMPT]
        part.prompts += len(prompts)
        part.messages += len(rows)
        part.entries += _sum(rows, "entries")
        part.errors += _sum(rows, "errors")
        flags = _cells(rows, "flags")
        part.compactions += sum((number(each) or 0) & COMPACTION for each in flags)

    def _pair(self, rows: Sequence[Row]) -> None:
        """Add calls and results."""
        self.part.tools += sum(map(len, _lists(rows, "tools")))
        self._calls.update(*_lists(rows, "calls"))
        self._answers.update(*_lists(rows, "answers"))
        paired = self._calls & self._answers
        self._calls -= paired
        self._answers -= paired
        self.part.unanswered = len(self._calls)

    def _spend(self, rows: Sequence[Row]) -> None:
        """Add tokens."""
        spent = [str(cell).split() for cell in _cells(rows, "tokens")]
        if spent:
            added = [sum(map(int, column)) for column in zip(*spent, strict=True)]
            totals = zip(self.part.tokens, added, strict=True)
            self.part.tokens = tuple(map(sum, totals))

    def _reach(self, rows: Sequence[Row]) -> None:
        """Extend the time span."""
        begin, end, at = COLUMN["at_micros"], COLUMN["until_micros"], COLUMN["at"]
        part = self.part
        begun = [(one, row) for row in rows if isinstance(one := row[begin], int)]
        if not begun:
            return
        first, row = min(begun, key=itemgetter(0))
        if part.first is None or first < part.first[0]:
            part.first = (first, at_of(row[at], first))
        ended = [
            (max(one, until) if isinstance(until := row[end], int) else one, row)
            for one, row in begun
        ]
        last, row = max(ended, key=itemgetter(0))
        if part.last is None or last > part.last[0]:
            is_own = last == row[begin]
            part.last = (last, at_of(row[at] if is_own else None, last))


def number(cell: Cell) -> int | None:
    """The number in a cell; None if it is not a number."""
    return cell if isinstance(cell, int) else None


def _cells(rows: Sequence[Row], name: str) -> Iterator[Cell]:
    """The values of a column that are not null."""
    column = COLUMN[name]
    return (row[column] for row in rows if row[column] is not None)


def _lists(rows: Sequence[Row], name: str) -> list[list[str]]:
    """The lists in a column, parsed together."""
    return orjson.loads(f"[{','.join(map(str, _cells(rows, name)))}]")


def _sum(rows: Sequence[Row], name: str) -> int:
    return sum(cell for cell in _cells(rows, name) if isinstance(cell, int))


# The conversations of one transcript, from the rows of its messages; no side effects.

_LINE, _KEY = COLUMN["line"], COLUMN["conversation_key"]
_ENVELOPE = itemgetter(COLUMN["envelope"])

_AT_ONCE = 4096
"""Rows that are added up at once, so that no transcript is in memory as a whole."""


class Talk(Struct):
    """A conversation: its totals and its lines."""

    part: Part
    runs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The first and last line of each of its runs."""


class Times(Struct):
    """The times of a transcript's messages, and which ones the gap rule uses."""

    lines: list[Cell]
    begins: list[int | None]
    ends: list[int | None]
    counts: list[bool]

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[Cell, Cell, Cell, Cell, Cell]],
        *,
        has_entries: bool = False,
    ) -> "Times":
        """Create from line, start, end, entries and role of each message.

        `has_entries` says whether there are entries among messages before these.
        """
        several = list(rows)
        counts = [bool(row[3]) for row in several]
        if not (has_entries or any(counts)):
            counts = [row[4] is not None for row in several]
            counts = counts if any(counts) else [True] * len(several)
        return cls(
            [row[0] for row in several],
            [one if isinstance(one := row[1], int) else None for row in several],
            [one if isinstance(one := row[2], int) else None for row in several],
            counts,
        )

    def earliest(self, line: int) -> int | None:
        """The earliest start of a message from a line on."""
        place = bisect_left(self.lines, line, key=lambda each: number(each) or 0)
        begins = self.begins[place:]
        return min((begin for begin in begins if begin is not None), default=None)

    def numbers(self, gap: int) -> Iterable[int]:
        """The number of the conversation of each message, by one and the same gap.

        Messages on one line are in the same conversation, as runs consist of lines.
        """
        if self._is_one(gap):
            return repeat(0)
        columns = zip(self.begins, self.ends, self.counts, strict=True)
        numbers = segments(list(columns), gap)
        if len(set(self.lines)) == len(self.lines):
            return numbers
        for index, (before, line) in enumerate(pairwise(self.lines), 1):
            if line == before:
                numbers[index] = numbers[index - 1]
        return numbers

    def _is_one(self, gap: int) -> bool:
        """Whether no silence exceeds the gap; checks this without sorting by time."""
        first = last = None
        for begin, end in self._counted():
            if first is None or last is None:
                first, last = begin, end
            elif begin > last + gap or begin + gap < first:
                return False
            else:
                first, last = min(first, begin), max(last, end)
        return True

    def _counted(self) -> Iterator[tuple[int, int]]:
        """The start and end of each message that counts."""
        columns = zip(self.begins, self.ends, self.counts, strict=True)
        for begin, end, counts in columns:
            if counts and begin is not None:
                yield begin, max(begin, end or begin)


def times_of(messages: Sequence[Row]) -> Times:
    """The times of messages that are already in memory."""
    names = ("line", "at_micros", "until_micros", "entries", "role")
    return Times.of(map(itemgetter(*(COLUMN[name] for name in names)), messages))


def by_gap(whole: "Whole", gap: int) -> list[Talk]:
    """The conversations according to the gap rule, in the order they begin."""
    times = whole.times
    named = zip(times.numbers(gap), times.counts, whole.messages, strict=False)
    talks = _talks(named, whole.envelopes)
    return [talks[name] for name in sorted(talks, key=lambda name: number(name) or 0)]


def by_name(messages: Iterable[Row], envelopes: Envelopes) -> dict[Cell, Talk]:
    """The conversations that messages name themselves, by that name."""
    return _talks(((row[_KEY], True, row) for row in messages), envelopes)


def _talks(
    named: Iterable[tuple[Cell, bool, Row]], envelopes: Envelopes
) -> dict[Cell, Talk]:
    """Add up the messages of each name, run by run."""
    sums: dict[Cell, Sum] = {}
    runs: dict[Cell, list[tuple[int, int]]] = {}
    for name, stretch in groupby(named, key=itemgetter(0)):
        added = sums.setdefault(name, Sum(envelopes))
        lines: list[int] = []
        while several := list(islice(stretch, _AT_ONCE)):
            rows = [row for _, _, row in several]
            added.take(rows, [row for _, counts, row in several if counts])
            lines += (number(rows[0][_LINE]) or 0, number(rows[-1][_LINE]) or 0)
        runs.setdefault(name, []).append((lines[0], lines[-1]))
    return {name: Talk(added.part, runs[name]) for name, added in sums.items()}


# Rows of conversations from the rows of one source; no side effects, as this runs in
# reader processes.

COLUMNS = CONVERSATIONS.table.filled

_PLAN = "implement the following plan:"
"""The first line of many prompts, which names none of them."""
_TITLE = 120
"""Characters of a prompt that are used as a title."""

_SHORT = 8
"""Characters of an identifier that are used as a title if there is nothing else."""


class Made(NamedTuple):
    """A conversation, ready to be written."""

    row: Row
    runs: list[tuple[int, int]]
    """The first and last line of each of its runs."""


class Whole(NamedTuple):
    """All rows of a source; its messages may be streamed."""

    times: Times
    messages: Iterable[Row]
    sessions: Iterable[Row]
    writes: Sequence[Row]
    """The lines and paths of the files written, in line order."""
    envelopes: Envelopes
    project: str | None = None
    """The project of conversations before them, which is that of all."""


def conversations_of(place: bytes, path: str, whole: Whole, gap: int) -> list[Made]:
    """The conversations of a transcript, by the gap rule."""
    told = together(whole.sessions)
    talks = by_gap(whole, gap)
    begun = sorted((talk.runs, talk.part.cwd) for talk in talks if talk.part.cwd)
    own = next((folder_name(cwd) for _, cwd in begun if cwd), None)
    project = whole.project or own
    lines = [number(line) or 0 for line, *_ in whole.writes]
    made: list[Made] = []
    for position, talk in enumerate(talks):
        row = _row(talk.part, told, ref("conversation", place, path, talk.part.key))
        row["project"] = project
        row["origin"] = told.origin
        row["is_closed"] = position < len(talks) - 1
        row["files_written"] = json_text(_written(talk, whole.writes, lines))
        made.append(Made(tuple(row[name] for name in COLUMNS), talk.runs))
    return made


def listed_conversations(
    place: bytes,
    path: str,
    listed: Sequence[Mapping[str, Cell]],
    messages: Iterable[Row],
    envelopes: Envelopes,
    among: Container[Cell] | None = None,
) -> list[Made]:
    """The conversations that a source lists, and those that only messages name.

    What the source does not say about one is computed from its messages. If `among` is
    given, other conversations of the messages are left out.
    """
    talks = by_name(messages, envelopes)
    told = {row["key"]: row for row in listed}
    made: list[Made] = []
    for key in dict.fromkeys((*told, *talks)):
        if among is not None and key not in among:
            continue
        talk = talks.get(key) or Talk(Part())
        row = _row(talk.part, Told(), ref("conversation", place, path, str(key)))
        row["key"] = key
        row |= {name: cell for name, cell in told.get(key, {}).items() if cell}
        row["title"] = _listed_title(told.get(key, {}), talk.part) or key or path
        folder = project_folder("", str(row["source_file"] or ""))
        named = project_path(folder, filter(None, (talk.part.cwd, _text(row["cwd"]))))
        row["project"] = folder_name(named) if named else row["project"]
        row["files_written"] = row.get("files_written") or "[]"
        row["origin"] = _origin(row["source_file"], row["session"])
        made.append(Made(tuple(row[name] for name in COLUMNS), talk.runs))
    return made


def _origin(file: Cell, session: Cell) -> str:
    """The name of the transcript that a conversation was copied from, if known."""
    name = str(file).rpartition("/")[2] if file else ""
    return name or (f"{session}.jsonl" if session else "")


def _listed_title(told: Mapping[str, Cell], part: Part) -> Cell:
    """The source's title for a conversation, or its first prompt."""
    return told.get("title") or title_of(part.prompt)


def without_repeated(messages: list[Row]) -> list[Row]:
    """The messages without queued prompts that were also sent."""
    flags = COLUMN["flags"]
    waiting = {id(r) for r in messages if r[flags] and (number(r[flags]) or 0) & QUEUED}
    if not waiting:
        return messages
    prompts = [row for row in messages if row[COLUMN["kind"]] == "prompt"]
    sent = {_said(row) for row in prompts if id(row) not in waiting}
    return [r for r in messages if not (id(r) in waiting and _said(r) in sent)]


def _said(row: Row) -> str:
    return str(row[COLUMN["text"]]).strip()


def _row(part: Part, told: Told, name: str) -> dict[str, Cell]:
    """The row of a conversation, by column."""
    first, last = part.first or (None, None), part.last or (None, None)
    session = part.session or told.session
    return {
        **_counted(part),
        "ref": name,
        "key": part.key,
        "session": session,
        "source_file": None,
        "project": folder_name(part.cwd) if part.cwd else None,
        "cwd": part.cwd,
        "branch": part.branch,
        "title": _title(part, told) or (told.agent or session or part.key)[:_SHORT],
        "first": first[1],
        "first_at": first[0],
        "last": last[1],
        "last_at": last[0],
        "entries": part.entries,
        "status": None,
        "agent": told.agent,
        "summary": None,
        "line": None,
        "fields": "{}",
        "origin": None,
    }


def _counted(part: Part) -> dict[str, Cell]:
    """The totals in the row of a conversation."""
    return {
        "messages": part.messages,
        "prompts": part.prompts,
        "tools": part.tools,
        "tool_errors": part.errors,
        "unanswered": part.unanswered,
        "tokens": " ".join(map(str, part.tokens)),
        "models": json_text(part.models),
        "compactions": part.compactions,
        "is_closed": True,
    }


def _title(part: Part, told: Told) -> str | None:
    """The best title: a given one, else the first prompt, else a generated name."""
    ranks = sorted(told.titles)
    if ranks and ranks[0] < Rank.ASKED:
        return told.titles[ranks[0]][1]
    return title_of(part.prompt) or (told.titles[ranks[0]][1] if ranks else None)


def title_of(prompt: str | None) -> str | None:
    """The first line of a prompt that says something, shortened to a title."""
    lines = (line.strip().lstrip("# ") for line in (prompt or "").splitlines())
    line = next((one for one in lines if one and one.casefold() != _PLAN), None)
    return line if line is None or len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _written(
    talk: Talk, writes: Sequence[Row], lines: Sequence[int]
) -> tuple[str, ...]:
    """The files that the messages of a conversation write, each once."""
    stretches = (
        writes[bisect_left(lines, first) : bisect_right(lines, last)]
        for first, last in talk.runs
    )
    return tuple({str(path): None for part in stretches for _, path, *_ in part})
