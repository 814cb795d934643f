"""The ledger of agents: who was sent off for what, and what came of it."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.sqlite import Database, open_database
from store.findings import UNREADABLE, AgentFound, Findings, Flaw, Severity
from store.formats.kei.growing import Record
from store.formats.kei.tables import Expected, oddities, rows_of
from store.formats.kei.values import instant, text

AGENTS, SKILLS = "agents", "skill_invocations"

_CLASS = "task_class_dna"
"""A column that is computed and not stored: the DNA without its nonce."""

_DNA = "dna"
_EXPECTED = Expected("ledger", AGENTS, range(1, 10))
_NONCE = 9
_HEX = frozenset("0123456789abcdefABCDEF")


def read_ledger(root: Root, path: str) -> Findings:
    """Every agent of a ledger."""
    try:
        with open_database(root, path) as database:
            agents = [agent_of(row, line) for line, row in agent_rows(database)]
            flaws = tuple(oddities(database, _EXPECTED))
    except UnreadableError as error:
        flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
        return Findings(flaws=(flaw,))
    return Findings(agents=tuple(filter(None, agents)), flaws=flaws)


def agent_rows(database: Database) -> Iterator[tuple[int, Record]]:
    """The agents, with the column that is not stored worked out."""
    has = database.tables.get(AGENTS, ())
    stored = [name for name in has if name != _CLASS]
    for number, row in rows_of(database, AGENTS, stored):
        if _CLASS in has:
            row[_CLASS] = task_class(text(row, _DNA))
        yield number, row


def agent_of(row: Record, line: int) -> AgentFound | None:
    """A row as an agent; None where it names none."""
    own = text(row, "id")
    if own is None:
        return None
    started = instant(row.get("started_ts"))
    return AgentFound(id=own, line=line, started=started, columns=row)


def agent_line(record: Record, line: int) -> Findings | None:
    """A line of a mirrored ledger."""
    agent = agent_of(record, line)
    return Findings(agents=(agent,)) if agent else None


def skill_line(record: Record, line: int) -> Findings | None:
    """A line of a mirrored list of skills that were used: asked for, not listed."""
    del line
    return Findings() if text(record, "skill_name") else None


def task_class(dna: str | None) -> str | None:
    """What agents with the same task have in common: their DNA without its nonce."""
    if dna is None or len(dna) <= _NONCE or dna[-_NONCE] != "-":
        return dna
    return dna[:-_NONCE] if _HEX.issuperset(dna[1 - _NONCE :]) else dna
