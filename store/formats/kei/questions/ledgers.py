"""Questions about the ledger: what agents cost, which skills they used."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from store.formats.kei.growing import Record
from store.formats.kei.layout import Role
from store.formats.kei.ledger import SKILLS, agent_rows
from store.formats.kei.questions.material import (
    Asked,
    Row,
    Rows,
    databases,
    pieces,
    sources,
)
from store.formats.kei.questions.records import numbered
from store.formats.kei.questions.words import at_most, count, none_of
from store.formats.kei.tables import rows_of
from store.formats.kei.values import instant, number, text, whole

_MANY, _MOST = 100_000, 20
_COLUMNS = ("skill_name", "ts", "success", "duration_ms")


def token_outliers(store: Asked, words: Sequence[str], now: int) -> Rows:
    """The agents that took more tokens than a number, the most first."""
    del now
    name = "token-outliers"
    at_most(name, words, 1)
    bound = count(name, words[0]) if words else _MANY

    def rows() -> Rows:
        agents = (_costs(row) for row in _agents(store))
        beyond = [row for row in agents if row[0] > bound]
        for tokens, row in sorted(beyond, key=lambda one: (-one[0], str(one[1])))[
            :_MOST
        ]:
            told = {key: row.get(key) for key in ("branch", "status", "model")}
            yield {"id": row.get("id"), "tokens": tokens, **told}

    return rows()


def skills(store: Asked, words: Sequence[str], now: int) -> Rows:
    """Which skills were used, how often, and how often with success."""
    del now
    none_of("skills", words)

    def rows() -> Rows:
        found = defaultdict[str, _Skill](_Skill)
        for row in _invocations(store):
            name = text(row, "skill_name")
            if name:
                found[name].add(row)
        for name, skill in sorted(found.items(), key=lambda s: (-s[1].uses, s[0])):
            yield {"skill": name, **skill.told()}

    return rows()


class _Skill(Struct):
    """What was written down of one skill."""

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
        """The figures."""
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
    """Every use of a skill that a ledger tells of, or the mirror of one."""
    for _, database in databases(store, Role.LEDGER):
        yield from (row for _, row in rows_of(database, SKILLS, _COLUMNS))
    for source in sources(store, Role.SKILL_LINES):
        root, path = store.reach.of(source.path)
        yield from (record for _, record in numbered(root, path))
