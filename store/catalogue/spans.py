"""When conversations were and how they hang together: columns instead of records."""

from array import array
from collections.abc import Mapping, Sequence

import orjson

from store.catalogue.reader import Reader
from store.records.spans import ALONE, NEVER, UNDATED, Keeping, Spans

_SPANS = f"""
    SELECT coalesce(told.first_at, told.last_at, {UNDATED}),
        coalesce(told.last_at, told.first_at, {UNDATED}),
        coalesce(told.parent, {ALONE}),
        coalesce(told.messages, 0),
        CASE WHEN sources.role = 'transcript'
            THEN coalesce(sources.mtime_ns / 1000 + periods.value, {NEVER})
            ELSE {NEVER} END
    FROM json_each(?) AS wanted
    LEFT JOIN conversations AS told ON told.id = wanted.value
    LEFT JOIN sources ON sources.id = told.source
    LEFT JOIN json_each(?) AS periods ON periods.key = CAST(told.store AS TEXT)
    ORDER BY wanted.key
"""
"""What is gone meanwhile keeps its place, and tells nothing."""


def spans(
    reader: Reader,
    rows: Sequence[int],
    periods: Mapping[int, int],
    kept: Mapping[int, Keeping],
) -> Spans:
    """The spans of some rows, in their order.

    `periods` tells of stores that are cleaned up how long a transcript stays there
    after it was last written, in microseconds; `kept` what the vault has of which rows.
    """
    lasting = {str(store): period for store, period in periods.items()}
    given = (orjson.dumps(list(rows)).decode(), orjson.dumps(lasting).decode())
    columns = zip(*reader.connection.execute(_SPANS, given), strict=True)
    begins, ends, parents, messages, leaves = columns if rows else ((),) * 5
    places = {row: place for place, row in enumerate(rows)}
    return Spans(
        array("q", begins),
        array("q", ends),
        array("q", [places.get(parent, ALONE) for parent in parents]),
        array("q", messages),
        array("q", leaves),
        array("b", [kept.get(row, Keeping.NOTHING) for row in rows]),
    )
