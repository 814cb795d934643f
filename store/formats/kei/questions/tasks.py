"""Questions about tasks: how long they take, what runs, what proves a claim."""

from collections import defaultdict
from collections.abc import Sequence

from store.derive.duration_figures import between, middle
from store.derive.pairing import RUNNING, TASK
from store.findings import MeasureFound
from store.formats.kei.layout import Role
from store.formats.kei.ledger import agent_rows
from store.formats.kei.measures import points_to
from store.formats.kei.questions.material import Asked, Row, Rows, databases, measures
from store.formats.kei.questions.words import at_most, first, none_of
from store.formats.kei.values import instant, text
from store.times import Instant

_SECOND = 1_000_000


def task_median(store: Asked, words: Sequence[str], now: int) -> Rows:
    """How long the tasks take that have a word in their name."""
    del now
    name = "task-median"
    word = first(name, words, "a word of a task's name")
    at_most(name, words, 1)

    def rows() -> Rows:
        wanted = word.casefold()
        found = [
            task.duration_s
            for task in _timed(store)
            if task.duration_s is not None and wanted in (task.name or "").casefold()
        ]
        yield {"word": word, "tasks": len(found), "median_s": middle(found)}

    return rows()


def task_medians(store: Asked, words: Sequence[str], now: int) -> Rows:
    """How long tasks take, by what their names begin with, up to the first `-`."""
    del now
    none_of("task-medians", words)

    def rows() -> Rows:
        found = defaultdict[str, list[float]](list)
        for task in _timed(store):
            if task.duration_s is not None and task.name and task.name != task.id:
                found[task.name.partition("-")[0]].append(task.duration_s)
        for prefix, durations in sorted(found.items()):
            median = between(durations)
            yield {"prefix": prefix, "tasks": len(durations), "median_s": median}

    return rows()


def running(store: Asked, words: Sequence[str], now: int) -> Rows:
    """What was begun and not ended: tasks, sessions, agents."""
    none_of("running", words)

    def rows() -> Rows:
        for path, found in measures(store, "task", "session"):
            if found.fields.get("state") == RUNNING:
                row = _running(found.kind, found.name, found.id, found.start, now)
                yield {**row, "path": path, "line": found.line}
        for path, database in databases(store, Role.LEDGER):
            for line, row in agent_rows(database):
                if row.get("status") == RUNNING:
                    start, own = instant(row.get("started_ts")), text(row, "id")
                    told = _running("agent", text(row, "branch"), own, start, now)
                    yield {**told, "path": path, "line": line}

    return rows()


def claims(store: Asked, words: Sequence[str], now: int) -> Rows:
    """What was claimed in figures, on what evidence, and the record that proves it."""
    del now
    none_of("claims", words)

    def rows() -> Rows:
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

    return rows()


def _timed(store: Asked) -> list[MeasureFound]:
    """Tasks that were written down as done; what was started and stopped is no such."""
    found = (measure for _, measure in measures(store, "task"))
    return [measure for measure in found if measure.fields.get("shape") == TASK]


def _proofs(store: Asked) -> dict[tuple[str, str], str]:
    """Where each record lies, by its journal's name and what it is called there."""
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
