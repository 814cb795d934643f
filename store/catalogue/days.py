"""What was on which day: counts by day, and the times of the entries of a log."""

from array import array
from collections.abc import Mapping, Sequence

import orjson

from store.catalogue.conditions.condition import Condition
from store.catalogue.conditions.kinds import KINDS
from store.catalogue.conditions.told import Form, Told
from store.catalogue.reader import Reader
from store.catalogue.views import VIEWS
from store.derive.timing import Moment, Parts, Timing

_DAY = len("2026-02-14")

_GONE = Moment("", None, 0)

_MOMENTS = (
    "SELECT id, date, time, "
    f"(coalesce(summary, '') <> '') * {int(Parts.SUMMARY)} "
    f"+ (link IS NOT NULL) * {int(Parts.LINK)} "
    "FROM episodes WHERE id IN (SELECT value FROM json_each(?))"
)


def day_counts(reader: Reader, kind: str, condition: Condition) -> Mapping[str, int]:
    """How many records of a kind there are of each day: what `on:` finds of it.

    A record that was made on one day and changed on another counts for both.
    """
    view, times = VIEWS[kind], KINDS[kind].times
    days = [f"{_day_of(told)} AS day_{at}" for at, told in enumerate(times)]
    picked = ", ".join((f"{view.table}.id AS id", *days))
    each = " UNION ".join(f"SELECT id, day_{at} FROM found" for at in range(len(times)))
    rows = reader.connection.execute(
        f"WITH found AS MATERIALIZED (SELECT {picked} "
        f"FROM {view.joined(condition.sql, picked)} "
        f"WHERE {view.shown} AND {condition.sql} "
        f"AND {reader.within(f'{view.table}.store')}), "
        f"each_day (id, day) AS ({each}) "
        "SELECT day, count(*) FROM each_day WHERE day <> '' GROUP BY day",
        (*condition.values, *reader.stores_seen),
    )
    return dict(rows.fetchall())


def timing_of(reader: Reader, rows: "Sequence[int] | array[int]") -> Timing:
    """When the episodes in some rows were, in the order of the rows."""
    asked = orjson.dumps(list(rows)).decode()
    found = {
        row: Moment(day, time, parts)
        for row, day, time, parts in reader.connection.execute(_MOMENTS, (asked,))
    }
    return Timing.of(found.get(row, _GONE) for row in rows)


def _day_of(told: Told) -> str:
    """The day of a time, here."""
    if told.form is Form.MOMENT:
        return f"date({told.sql} / 1000000, 'unixepoch', 'localtime')"
    return f"substr({told.sql}, 1, {_DAY})"
