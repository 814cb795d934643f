"""How many records there were of each day or hour, and how long they took."""

from array import array
from datetime import datetime
from math import fsum, isfinite

from store.catalogue.conditions.condition import Condition
from store.catalogue.conditions.kinds import KINDS
from store.catalogue.reader import Reader
from store.catalogue.views import VIEWS
from store.records.tally import NOTHING, Durations, Slot, Step, Tally

_QUARTER = 900 * 1_000_000
"""A quarter of an hour: days and hours of every time zone begin with one. Counting by
them is far quicker than asking SQLite for the day of each row."""

_LENGTHS = {Step.HOUR: len("2026-02-14T09"), Step.DAY: len("2026-02-14")}

_LONGEST = 3.2e11
"""Seconds that nothing takes: ten thousand years. What says so is mistaken."""

_BEGAN, _ENDED = (
    f"json_extract(agents.columns, '$.{name}')"
    for name in ("started_ts", "finished_ts")
)

_TOOK = {
    "measures": "measures.duration_s",
    "agents": (
        f"CASE WHEN typeof({_BEGAN}) = 'integer' AND typeof({_ENDED}) = 'integer' "
        f"THEN {_ENDED} - {_BEGAN} END"
    ),
}
"""How many seconds a record took, as SQL, where records of its kind take any."""


def tally_of(reader: Reader, kind: str, condition: Condition, step: Step) -> Tally:
    """What there was of a kind in each day or hour, here."""
    at = KINDS[kind].times[0].sql
    since = f"(({at}) % {_QUARTER} + {_QUARTER}) % {_QUARTER}"
    rows = reader.connection.execute(
        f"SELECT (({at}) - {since}) / 1000000 AS quarter, count(*), "
        f"total({_plausible(kind)}) {_found(reader, kind, condition, at)} "
        "GROUP BY quarter",
        (*condition.values, *reader.stores_seen),
    )
    slots: dict[str, Slot] = {}
    undated = 0
    for quarter, number, seconds in rows:
        begin = _begin(quarter, step)
        if begin is None:
            undated += number
        else:
            known = slots.get(begin, NOTHING)
            slots[begin] = Slot(known.number + number, known.seconds + seconds)
    return Tally(slots, undated)


def durations_of(
    reader: Reader, kind: str, condition: Condition, since: int | None, until: int
) -> Durations:
    """How long the records of a kind took that are not from before an instant.

    Nor from after another; without the first one, those without a time count too.
    """
    if kind not in _TOOK:
        return Durations()
    at, took = KINDS[kind].times[0].sql, _plausible(kind)
    when = f"AND {at} >= ? AND {at} < ?" if since is not None else ""
    rows = reader.connection.execute(
        f"SELECT {took} AS took {_found(reader, kind, condition, at)} "
        f"AND took IS NOT NULL {when} ORDER BY took",
        (
            *condition.values,
            *reader.stores_seen,
            *(() if since is None else (since, until)),
        ),
    )
    seconds = array("d", (took for (took,) in rows if isfinite(took)))
    return Durations(seconds, fsum(seconds))


def holders_of(
    reader: Reader, kind: str, condition: Condition
) -> list[tuple[bytes, bytes]]:
    """The files that records lie in: the path of the store, and that of each there."""
    view = VIEWS[kind]
    found = _found(reader, kind, condition, "")
    rows = reader.connection.execute(
        "SELECT stores.path, sources.path FROM sources "
        "JOIN stores ON stores.id = sources.store "
        f"WHERE sources.id IN (SELECT {view.table}.source {found}) "
        "ORDER BY stores.path, sources.path",
        (*condition.values, *reader.stores_seen),
    )
    return rows.fetchall()


def _begin(quarter: int | None, step: Step) -> str | None:
    """The day or hour, here, that an instant lies in; None where none does."""
    if quarter is None:
        return None
    try:
        moment = datetime.fromtimestamp(quarter)  # noqa: DTZ006  # by the clock of whoever looks
    except (OverflowError, OSError, ValueError):
        return None
    return moment.isoformat()[: _LENGTHS[step]]


def _found(reader: Reader, kind: str, condition: Condition, at: str) -> str:
    """The records, as SQL."""
    view = VIEWS[kind]
    return (
        f"FROM {view.joined(condition.sql, at)} WHERE {view.shown} "
        f"AND {condition.sql} AND {reader.within(f'{view.table}.store')}"
    )


def _plausible(kind: str) -> str:
    """How long something took, unless that cannot be."""
    took = _TOOK.get(kind, "NULL")
    return f"CASE WHEN ({took}) BETWEEN 0 AND {_LONGEST} THEN ({took}) + 0.0 END"
