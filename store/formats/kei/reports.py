"""The built-in reports over a store, by name."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from store.derive.events import OTHER, RUNNING, TASK
from store.derive.statistics import between, middle
from store.errors import WrongUseError
from store.findings import Json, MeasureFound
from store.formats.kei.databases import SKILLS, agent_rows, rows_of
from store.formats.kei.journals import (
    Record,
    instant,
    number,
    points_to,
    text,
    told,
    whole,
)
from store.formats.kei.layout import Role
from store.formats.kei.read import Item, read_backlog
from store.formats.kei.session_reports import (
    Asked,
    Given,
    Row,
    Rows,
    classes,
    coaccess,
    commands,
    databases,
    errors_per_session,
    events_of_class,
    events_per_session,
    measures,
    moment_in,
    number_in,
    numbered,
    one_session,
    patterns,
    pieces,
    retrospective,
    session_durations,
    similar,
    sources,
    traces,
)
from store.formats.kei.traces import session_of, words_of
from store.formats.port import Question, Source
from store.times import Instant

# Reports on tasks: durations, what is running, proof of claims.

_SECOND = 1_000_000


def task_median(store: Asked, given: Given) -> Rows:
    """The durations of tasks with a word in their name."""
    wanted = given.word.casefold()
    found = [
        task.duration_s
        for task in _timed(store)
        if task.duration_s is not None and wanted in (task.name or "").casefold()
    ]
    yield {"word": given.word, "tasks": len(found), "median_s": middle(found)}


def task_medians(store: Asked, _given: Given) -> Rows:
    """The durations of tasks by the first part of their name, up to the first `-`."""
    found = defaultdict[str, list[float]](list)
    for task in _timed(store):
        if task.duration_s is not None and task.name and task.name != task.id:
            found[task.name.partition("-")[0]].append(task.duration_s)
    for prefix, durations in sorted(found.items()):
        median = between(durations)
        yield {"prefix": prefix, "tasks": len(durations), "median_s": median}


def running(store: Asked, given: Given) -> Rows:
    """Tasks, sessions and agents that started and have not ended."""
    for path, found in measures(store, "task", "session"):
        if found.fields.get("state") == RUNNING:
            row = _running(found.kind, found.name, found.id, found.start, given.now)
            yield {**row, "path": path, "line": found.line}
    for path, database in databases(store, Role.LEDGER):
        for line, row in agent_rows(database):
            if row.get("status") == RUNNING:
                start, own = instant(row.get("started_ts")), text(row, "id")
                told = _running("agent", text(row, "branch"), own, start, given.now)
                yield {**told, "path": path, "line": line}


def claims(store: Asked, _given: Given) -> Rows:
    """Claimed numbers, their evidence, and the record that proves each."""
    proofs = _proofs(store)
    for path, claim in measures(store, "claim"):
        proof = points_to(claim.pointer) if claim.pointer else None
        yield {
            "value": claim.metric,
            "tier": claim.source,
            "pointer": claim.pointer,
            "proof": proofs.get(proof) if proof else None,
            "session": claim.session,
            "at": claim.at.iso if claim.at else None,
            "path": path,
            "line": claim.line,
        }


def _timed(store: Asked) -> list[MeasureFound]:
    """Tasks recorded when done; those with a start and a stop do not count."""
    found = (measure for _, measure in measures(store, "task"))
    return [measure for measure in found if measure.fields.get("shape") == TASK]


def _proofs(store: Asked) -> dict[tuple[str, str], str]:
    """The position of each record, by journal and by its identifier or name."""
    proofs: dict[tuple[str, str], str] = {}
    for path, found in measures(store, "task", "session", "toolstats"):
        file = path.rpartition("/")[2]
        for called in (found.id, found.name):
            if called:
                proofs.setdefault((file, called), f"{path}:{found.line}")
    return proofs


def _running(
    kind: str, name: str | None, own: str | None, start: Instant | None, now: int
) -> Row:
    micros = start.micros if start else None
    return {
        "kind": kind,
        "name": name,
        "id": own,
        "start": start.iso if start else None,
        "running_s": None if micros is None else (now - micros) // _SECOND,
    }


# The report on how the lines of a session relate: each below its parent.

_LONGEST = 120

MISSING = "parent not in this trace"
CIRCLE = "its own ancestor"


class _Node(NamedTuple):
    """A line with an identifier."""

    uuid: str
    parent: str | None
    type: str
    at: str | None
    line: int
    words: str | None


class _Hung(NamedTuple):
    """A node in its place."""

    node: _Node
    depth: int
    note: str | None


def thread(store: Asked, given: Given) -> Rows:
    """The lines of a session as a tree, each with its depth."""
    known = {session_of(trace.path): trace for trace in reversed(traces(store))}
    trace = known[one_session(given.word, known)]
    return map(_told_hung, _tree(_nodes(store, trace)))


def _told_hung(hung: _Hung) -> Row:
    node = hung.node
    return {
        "depth": hung.depth,
        "type": node.type,
        "at": node.at,
        "text": node.words,
        "note": hung.note,
        "uuid": node.uuid,
        "parent": node.parent,
        "line": node.line,
    }


def _nodes(store: Asked, trace: Source) -> Iterator[_Node]:
    """The lines with an identifier; of duplicates, the first."""
    root, path = store.reach.of(trace.path)
    met: set[str] = set()
    for line, record in numbered(root, path):
        uuid = text(record, "uuid")
        if uuid and uuid not in met:
            met.add(uuid)
            yield _node(uuid, line, record)


def _node(uuid: str, line: int, record: Record) -> _Node:
    at, words = told(record, "timestamp", "ts"), words_of(record)
    return _Node(
        uuid,
        text(record, "parentUuid"),
        text(record, "type", "kind") or OTHER,
        at.iso if at else None,
        line,
        " ".join(words[: 4 * _LONGEST].split())[:_LONGEST] if words else None,
    )


def _tree(found: Iterable[_Node]) -> Iterator[_Hung]:
    """Every node once, below its parent, in line order."""
    nodes = list(found)
    known = {node.uuid for node in nodes}
    below = defaultdict[str, list[_Node]](list)
    tops: list[_Hung] = []
    for node in nodes:
        if node.parent in known:
            below[str(node.parent)].append(node)
        else:
            tops.append(_Hung(node, 0, MISSING if node.parent else None))
    met: set[str] = set()
    yield from _descend(tops, below, met)
    for node in nodes:
        if node.uuid not in met:
            yield from _descend([_Hung(node, 0, CIRCLE)], below, met)


def _descend(
    tops: list[_Hung], below: dict[str, list[_Node]], met: set[str]
) -> Iterator[_Hung]:
    pending = tops[::-1]
    while pending:
        hung = pending.pop()
        if hung.node.uuid in met:
            continue
        met.add(hung.node.uuid)
        yield hung
        children = below.get(hung.node.uuid, [])
        pending += [_Hung(node, hung.depth + 1, None) for node in reversed(children)]


# The report on backlogs: lists in Markdown, and the analyzer's own.

_COLUMNS = ("ts", "item", "processed")


def backlog(store: Asked, _given: Given) -> Rows:
    """All backlog entries, open and done."""
    for source in sources(store, Role.BACKLOG):
        root, path = store.reach.of(source.path)
        text = root.read(path).raw.decode("utf-8", errors="replace")
        for item in read_backlog(text).items:
            yield {**_told(item), "path": source.path, "line": item.line}
    for path, database in databases(store, Role.DATABASE):
        for line, row in rows_of(database, "backlog", _COLUMNS):
            at = instant(row.get("ts"))
            yield {
                "state": "done" if row.get("processed") else "open",
                "date": at.iso if at else None,
                "event_class": None,
                "count": None,
                "text": row.get("item"),
                "path": path,
                "line": line,
            }


def _told(item: Item) -> Row:
    return {
        "state": item.state,
        "date": item.date,
        "event_class": item.event_class,
        "count": item.count,
        "text": item.text,
    }


# Reports on the ledger: the cost of agents, and the skills they used.

_MANY, _MOST = 100_000, 20
_LEDGERS_COLUMNS = ("skill_name", "ts", "success", "duration_ms")


def token_outliers(store: Asked, given: Given) -> Rows:
    """The agents with more than this many tokens, in descending order."""
    bound = _MANY if given.number is None else given.number
    agents = (_costs(row) for row in _agents(store))
    beyond = [row for row in agents if row[0] > bound]
    for tokens, row in sorted(beyond, key=lambda one: (-one[0], str(one[1])))[:_MOST]:
        told = {key: row.get(key) for key in ("branch", "status", "model")}
        yield {"id": row.get("id"), "tokens": tokens, **told}


def skills(store: Asked, _given: Given) -> Rows:
    """The skills used, how often, and how often successfully."""
    found = defaultdict[str, _Skill](_Skill)
    for row in _invocations(store):
        name = text(row, "skill_name")
        if name:
            found[name].add(row)
    for name, skill in sorted(found.items(), key=lambda s: (-s[1].uses, s[0])):
        yield {"skill": name, **skill.told()}


class _Skill(Struct):
    """The statistics of one skill."""

    uses: int = 0
    succeeded: int = 0
    timed: int = 0
    total_ms: float = 0.0
    last: str | None = None
    last_micros: int = -(2**63)

    def add(self, row: Record) -> None:
        """Count one use."""
        self.uses += 1
        self.succeeded += bool(row.get("success"))
        took, at = number(row.get("duration_ms")), instant(row.get("ts"))
        if took is not None:
            self.timed += 1
            self.total_ms += took
        if at and at.micros is not None and at.micros > self.last_micros:
            self.last, self.last_micros = at.iso, at.micros

    def told(self) -> Row:
        """The statistics as a row."""
        mean = self.total_ms / self.timed if self.timed else None
        return {
            "uses": self.uses,
            "succeeded": self.succeeded,
            "failed": self.uses - self.succeeded,
            "mean_ms": mean,
            "last": self.last,
        }


def _costs(row: Record) -> tuple[int, Record]:
    tokens = (whole(row.get(key)) or 0 for key in ("tokens_in", "tokens_out"))
    return sum(tokens), row


def _agents(store: Asked) -> Iterator[Record]:
    for _, database in databases(store, Role.LEDGER):
        yield from (row for _, row in agent_rows(database))
    for source in sources(store, Role.AGENT_LINES):
        for piece in pieces(store, source):
            yield from (dict(agent.columns) for agent in piece.agents)


def _invocations(store: Asked) -> Iterator[Record]:
    """Every skill invocation in a ledger or its mirror."""
    for _, database in databases(store, Role.LEDGER):
        yield from (row for _, row in rows_of(database, SKILLS, _LEDGERS_COLUMNS))
    for source in sources(store, Role.SKILL_LINES):
        root, path = store.reach.of(source.path)
        yield from (record for _, record in numbered(root, path))


# The reports by name.


class _Report(NamedTuple):
    """A report and its arguments."""

    question: Question
    rows: Callable[[Asked, Given], Rows]
    takes: tuple[str, ...] = ()
    """What each argument is, besides the flag: the fields of `Given`."""
    needs: str = ""
    """What its first argument has to be; empty if it is optional."""
    flag: str = ""

    def given(self, words: Sequence[str], now: int) -> Given:
        """The arguments; raises WrongUseError."""
        report, spellings = f"`{self.question.name}`", {self.flag, f"--{self.flag}"}
        rest = [word for word in words if not self.flag or word not in spellings]
        if self.needs and not (rest and rest[0]):
            raise WrongUseError(f"Report {report} needs {self.needs}.")
        if rest[len(self.takes) :]:
            unexpected = rest[len(self.takes)]
            raise WrongUseError(
                f"Unexpected argument {unexpected!r} for report {report}."
            )
        values: dict[str, Any] = {}
        for name, word in zip(self.takes, rest, strict=False):
            read, what = _READ[name]
            values[name] = read(word)
            if values[name] is None:
                raise WrongUseError(f"Report {report} needs {what}, not {word!r}.")
        return Given(**values, flagged=len(rest) < len(words), now=now)


_READ: Mapping[str, tuple[Callable[[str], str | int | None], str]] = {
    "word": (str, "a word"),
    "number": (number_in, "a number"),
    "since": (moment_in, "a date or time"),
}
"""How each argument is read, and its valid values."""

_AS_KEI, _STORED = "as-kei", "stored"
_SESSION = "a session"

_REPORTS = (
    _Report(
        Question(
            "events-of-class",
            "events of one class, optionally since a day; `as-kei`: counted as by "
            "KeiSeiKit",
            "CLASS [SINCE] [as-kei]",
        ),
        events_of_class,
        ("word", "since"),
        "a class, such as tool_use:Bash",
        _AS_KEI,
    ),
    _Report(
        Question("events-per-session", "events per session, with the median"),
        events_per_session,
    ),
    _Report(
        Question("errors-per-session", "errors by session and time"),
        errors_per_session,
    ),
    _Report(
        Question(
            "task-median", "median duration of tasks with a word in their name", "WORD"
        ),
        task_median,
        ("word",),
        "a word from a task name",
    ),
    _Report(
        Question("token-outliers", "agents that used more than N tokens", "[N]"),
        token_outliers,
        ("number",),
    ),
    _Report(
        Question(
            "classes",
            "events per class; `as-kei`: counted as by KeiSeiKit",
            "[as-kei]",
        ),
        classes,
        flag=_AS_KEI,
    ),
    _Report(
        Question("session-durations", "histogram of session durations", "[BINS]"),
        session_durations,
        ("number",),
    ),
    _Report(
        Question("task-medians", "median task duration by name prefix"), task_medians
    ),
    _Report(Question("commands", "every shell command that was run"), commands),
    _Report(
        Question(
            "retrospective",
            "duration, tools, errors and files of one session",
            "SESSION",
        ),
        retrospective,
        ("word",),
        _SESSION,
    ),
    _Report(
        Question(
            "coaccess",
            "files touched together; `stored`: counts from the analyzer",
            "[FILE] [stored]",
        ),
        coaccess,
        ("word",),
        flag=_STORED,
    ),
    _Report(
        Question(
            "patterns",
            "recurring event classes; `stored`: counts from the analyzer",
            "[stored]",
        ),
        patterns,
        flag=_STORED,
    ),
    _Report(
        Question("similar", "sessions most similar to one", "SESSION [N]"),
        similar,
        ("word", "number"),
        _SESSION,
    ),
    _Report(Question("backlog", "to-do items from every backlog"), backlog),
    _Report(
        Question("thread", "one session's lines as a tree", "SESSION"),
        thread,
        ("word",),
        _SESSION,
    ),
    _Report(Question("skills", "skills that agents used, with success counts"), skills),
    _Report(Question("running", "tasks, sessions and agents still running"), running),
    _Report(Question("claims", "claimed numbers with their evidence"), claims),
)

QUESTIONS = tuple(report.question for report in _REPORTS)
_BY_NAME = {report.question.name: report for report in _REPORTS}


def answer(
    store: Asked, question: str, words: Sequence[str], now: int
) -> Iterator[Mapping[str, Json]]:
    """The rows of a report; raises WrongUseError if it does not exist."""
    report = _BY_NAME.get(question)
    if report is None:
        known = ", ".join(_BY_NAME)
        raise WrongUseError(f"Unknown report {question!r} (choose from {known}).")
    return report.rows(store, report.given(words, now))
