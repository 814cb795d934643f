"""News, evidence, counts, and the questions that a store's format answers."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from store import errors
from store.answers.lists import Lists, told_apart
from store.answers.stores import OpenStores
from store.catalogue.compile import teach
from store.catalogue.counts import (
    PARTS,
    alike,
    closeups,
    counts_per_store,
    day_counts,
    durations_of,
    rows_of,
    spans,
    statistics_of,
    tally_of,
    timing_of,
)
from store.catalogue.provenance import Pointer, meant, record_of
from store.catalogue.reader import Page, Reader, known_stores
from store.derive.statistics import Step
from store.discover import Found
from store.kinds import KINDS, Record
from store.kinds.journals import AGENTS, EVENTS, MEASURES, Agent, Event, Measure
from store.kinds.kind import Kind
from store.records.answers import Lead, News
from store.reports import AnyReport, Given, Parameter, Report, Row, Type
from store.search.tree import EVERYTHING, Last, Named, Node
from store.text import guess
from store.times import parse
from store.vault.vault import Vault, kept_for

if TYPE_CHECKING:
    from store.derive.statistics import (
        Alike,
        Closeup,
        Durations,
        Keeping,
        Spans,
        Tally,
        Timing,
    )


# What is new since the user's last visit.

COUNTED = (
    *("memories", "edges", "episodes", "conversations", "messages"),
    *("documents", "problems"),
)
"""The kinds whose new records are counted."""

SINCE_LAST = Named("since", (Last(),))
"""The query for what is new or changed since the last visit."""


# Pointers: where the evidence for a metric is.

_VIEWS: Mapping[str, Kind[Record]] = {
    "measures": MEASURES,
    "events": EVENTS,
    "agents": AGENTS,
}


class Offered(Struct, frozen=True):
    """A report, and the stores that support it."""

    report: AnyReport
    stores: tuple[Found, ...] = ()

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of these stores, each once."""
        return tuple(dict.fromkeys(found.format.name for found in self.stores))


STATISTICS = Report[tuple[Reader, int]](
    "statistics",
    "what a store holds, how it grows, how it is used",
    "part name value full",
    lambda subject, given: statistics_of(*subject, given),
    (
        Parameter("part", is_repeatable=True, choices=tuple(dict.fromkeys(PARTS))),
        Parameter("most", type=Type.NUMBER, is_named=True, usual="12"),
    ),
    plot="value",
    within="part",
    full="full",
    is_of_index=True,
)
"""The report on stores of any format."""


def _forecast(lists: Lists, given: Given) -> Iterator[Row]:
    """The memories that leave their stage, soonest first."""
    for one in lists.forecast(given.number("days") or 0, Page()):
        if one.changes_on is not None:
            row = {name: getattr(one, name) for name in FORECAST.columns.split()}
            for name in ("strength", "strength_then"):
                row[name] = round(row[name], _DECIMALS)
            yield {"store": one.store, **row}


_DECIMALS = 2
"""Those of a strength, as in the list of memories."""

FORECAST = Report[Lists](
    "forecast",
    "memories that change their stage soon, if none is recalled",
    "changes_on stage stage_then strength strength_then title ref",
    _forecast,
    (
        Parameter(
            "days", "a number of days", Type.NUMBER, usual="30", least=1, most=3650
        ),
    ),
    is_of_index=True,
)
"""The report on how memories fade, in stores of any format."""

_LIMITS = "limits"
"""The report of a format on its own limits, and the part that has its rows."""


class Reports:
    """News, evidence, and the questions that a store's format answers."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def news(self) -> list[News]:
        """What is new in each chosen store, in order of their paths."""
        with self._stores.reader() as reader:
            counts = {
                kind: counts_per_store(
                    reader,
                    KINDS[kind],
                    self._stores.condition(reader, kind, SINCE_LAST),
                )
                for kind in COUNTED
            }
            rows = {str(one.path): one.row for one in known_stores(reader.connection)}
            stores = list(reader.stores())
        names = told_apart({one.path: one.name for one in stores})
        looked = self._stores.circumstances.looked
        return [
            News(
                store=one.path,
                name=names[one.path],
                looked=parse(looked[one.path]).iso if one.path in looked else None,
                **{kind: counts[kind].get(rows[one.path], 0) for kind in COUNTED},
            )
            for one in stores
        ]

    def leads(self, kind: str, rows: Sequence[int]) -> dict[str, Lead]:
        """The targets of metrics, events or agents, by ref.

        A claim points to its evidence. Everything else points to its session, or to
        another record with that name.
        """
        with self._stores.reader() as reader:
            found = reader.rows(_VIEWS[kind], rows, self._stores.now)
            return {
                record.ref or "": self._lead(reader, record)
                for record in found.values()
            }

    def lead_to(self, store: str, text: str) -> Lead:
        """The target of a text in the form that pointers have."""
        with self._stores.reader() as reader:
            ref = meant(reader, Pointer.of(text), store, "")
        return Lead(ref=ref)

    def lead_of(self, row: Row) -> Lead:
        """The record behind a row of a report, or else the file that it names."""
        ref, store, path, line = map(row.get, ("ref", "store", "path", "line"))
        if isinstance(ref, str) and ref:
            return Lead(ref=ref)
        if not isinstance(store, str):
            return Lead()
        with self._stores.reader() as reader:
            found = record_of(reader, row)
        own = row.get("id")
        if path is None and isinstance(own, str) and own.startswith("/"):
            path = own
        if found or not (isinstance(path, str) and path):
            return Lead(ref=found)
        inside = _within(Path(store), Path(store) / path)
        if not inside:
            return Lead(outside=path if path.startswith("/") else "")
        at = line if isinstance(line, int) else None
        return Lead(store=store, path=inside, line=at)

    def _lead(self, reader: Reader, record: Record) -> Lead:
        """The target of one record."""
        if isinstance(record, Measure) and record.pointer:
            return self._pointed(reader, record, record.pointer)
        for name in _names(record):
            pointer = Pointer.of(name)
            ref = meant(reader, pointer, record.store, record.ref or "")
            if ref is not None:
                return Lead(ref=ref)
        return Lead()

    def _pointed(self, reader: Reader, claim: Measure, text: str) -> Lead:
        """The evidence for a claim: a record, a file, or a place outside the stores."""
        pointer = Pointer.of(text)
        ref = meant(reader, pointer, claim.store, claim.ref)
        if ref is not None:
            return Lead(ref=ref)
        if "://" in pointer.text:
            return Lead(outside=pointer.text)
        return self._file(claim, pointer)

    def _file(self, claim: Measure, pointer: Pointer) -> Lead:
        """The file that a pointer names, in the claim's own store or another one.

        An entry that was not found in its file has no target.
        """
        if pointer.entry or not pointer.path:
            return Lead()
        named = Path(pointer.path)
        if pointer.path.startswith("~/"):
            named = Path.home() / pointer.path[2:]
        stores = [Path(claim.store), *self._stores.chosen]
        for store in stores:
            inside = _within(store, store / named)
            if inside:
                return Lead(store=str(store), path=inside, line=pointer.line)
        is_path = named.is_absolute() or "/" in pointer.path
        return Lead(outside=str(named) if is_path else "")

    def offered(self) -> dict[str, Offered]:
        """The reports that the stores support, by name."""
        stores = self._stores.found
        if not stores:
            return {}
        offered = {STATISTICS.name: Offered(STATISTICS, stores)}
        for found in stores:
            for report in found.format.reports:
                before = offered.setdefault(report.name, Offered(report))
                offered[report.name] = Offered(report, (*before.stores, found))
        offered[FORECAST.name] = Offered(FORECAST, stores)
        return offered

    def named(self, name: str) -> Offered:
        """The report with a name; the error for an unknown one suggests the nearest."""
        offered = self.offered()
        if name in offered:
            return offered[name]
        if not offered:
            raise errors.WrongUseError(
                f"Unknown report {name!r}; these stores have no reports."
            )
        raise errors.WrongUseError(
            f"Unknown report {name!r}{guess(name, offered, '.')} "
            "`recollect report` lists all."
        )

    def answer(
        self, offered: Offered, words: Sequence[str], complain: Callable[[str], None]
    ) -> Iterator[Row]:
        """The rows of a report from every store that supports it, with the store."""
        now, name = self._stores.now, offered.report.name
        if offered.report is STATISTICS:
            return self._statistics(STATISTICS.given(words, now))
        if offered.report is FORECAST:
            return FORECAST.answer(Lists(self._stores), FORECAST.given(words, now))
        return ask_all(offered.stores, name, words, now, complain)

    def _statistics(self, given: Given) -> Iterator[Row]:
        """The statistics of each store that was read."""
        with self._stores.reader() as reader:
            teach(reader.connection, given.now)
            rows = {one.path: one.row for one in known_stores(reader.connection)}
            for found in self._stores.found:
                row = rows.get(found.path)
                if row is not None:
                    for one in STATISTICS.answer((reader, row), given):
                        yield {"store": str(found.path), **one}
                if not given.texts("part") or _LIMITS in given.texts("part"):
                    yield from _own_limits(found, given.now)


def _own_limits(found: Found, now: int) -> Iterator[Row]:
    """The rows of a format's own report on limits, as statistics."""
    if _LIMITS in {report.name for report in found.format.reports}:
        with suppress(errors.UnreadableError), found.format.open(found.path) as store:
            for row in store.ask(_LIMITS, (), now):
                for what in ("memories", "bytes"):
                    name, full = f"{row['file']}, {what}", row[f"most_{what}"]
                    limits = {"part": _LIMITS, "name": name, "value": row[what]}
                    yield {"store": str(found.path), **limits, "full": full}


def _names(record: Record) -> Iterator[str]:
    """The names to follow from a record without a pointer: its session, its id."""
    match record:
        case Measure():
            names = (record.session, record.id)
        case Event():
            names = (record.session,)
        case Agent(columns=columns):
            names = (columns.get("id"), columns.get("worktree_path"))
        case _:
            names = ()
    return (name for name in names if isinstance(name, str) and name)


def _within(store: Path, path: Path) -> str:
    """The relative path of a regular file in a store; empty for anything else."""
    try:
        real, root = os.path.realpath(path), os.path.realpath(store)
        is_there = Path(real).is_relative_to(root) and Path(real).is_file()
    except (OSError, ValueError):
        return ""
    return os.path.relpath(real, root) if is_there else ""


# Built-in reports over several stores; one that fails does not stop the others.

Refusals = list[tuple[Path, errors.RecollectError]]
"""The stores that failed, and why."""


def ask_all(
    stores: Sequence[Found],
    name: str,
    words: Sequence[str],
    now: int,
    complain: Callable[[str], None],
) -> Iterator[Row]:
    """The rows of every store that supports the report, each with its store.

    Failures are passed to `complain` at the end; if no store succeeds, one is raised.
    """
    refusals: Refusals = []
    has_rows = False
    for found in stores:
        try:
            with found.format.open(found.path) as store:
                for row in store.ask(name, words, now):
                    has_rows = True
                    yield {"store": str(found.path), **row}
        except errors.WrongUseError:
            raise
        except errors.RecollectError as error:
            refusals.append((found.path, error))
    nobody_answered = not has_rows and len(refusals) == len(stores)
    _settle(refusals, complain, nobody_answered=nobody_answered)


def _settle(
    refusals: Refusals, complain: Callable[[str], None], *, nobody_answered: bool
) -> None:
    """Report the stores that failed; raise an error if all did.

    A record is only in one store, so others that lack it didn't fail.
    """
    missing = [one for one in refusals if isinstance(one[1], errors.NothingFoundError)]
    broken = [one for one in refusals if one not in missing]
    final = (missing or broken)[:1] if nobody_answered else []
    for path, error in broken:
        if (path, error) not in final:
            complain(f"{path} can't answer: {error}")
    for _, error in final:
        raise error


# Figures: how much there was on which day, and how long it took.

_TRANSCRIPTS = "transcripts"


class Counts:
    """Records counted by day, and measured along their time."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def days(self, kind: str, query: Node = EVERYTHING) -> Mapping[str, int]:
        """The number of matches for a query on each day, where `on:` finds them."""
        with self._stores.reader() as reader:
            return day_counts(reader, kind, self._stores.condition(reader, kind, query))

    def timing(self, rows: Sequence[int]) -> "Timing":
        """The times of the episodes with some row numbers, in the same order."""
        with self._stores.reader() as reader:
            return timing_of(reader, rows)

    def tally(
        self, kind: str, query: Node = EVERYTHING, step: Step = Step.DAY
    ) -> "Tally":
        """The number of matches for a query in each day or hour."""
        with self._stores.reader() as reader:
            condition = self._stores.condition(reader, kind, query)
            return tally_of(reader, kind, condition, step)

    def durations(
        self,
        kind: str,
        query: Node = EVERYTHING,
        since: int | None = None,
        until: int = 1 << 62,
    ) -> "Durations":
        """The durations of the matches for a query, optionally within a time range."""
        with self._stores.reader() as reader:
            condition = self._stores.condition(reader, kind, query)
            return durations_of(reader, kind, condition, since, until)

    def spans(self, rows: Sequence[int]) -> "Spans":
        """The times of the conversations with some row numbers, in their order."""
        with self._stores.reader() as reader:
            return spans(reader, rows, self._periods(reader), self._held(reader))

    def closeups(self, rows: Sequence[int]) -> "Mapping[int, Closeup]":
        """The tools and tokens of some conversations."""
        with self._stores.reader() as reader:
            return closeups(reader, rows)

    def alike(self, rows: Sequence[int]) -> "Mapping[int, tuple[Alike, int]]":
        """What some problems have in common, and how many there are of each."""
        with self._stores.reader() as reader:
            return alike(reader, rows)

    def _held(self, reader: Reader) -> "dict[int, Keeping]":
        """The conversations in the vault, by row; empty if there is no vault."""
        writing = self._stores.writing
        if writing is None or not writing.places.vault.is_dir():
            return {}
        held: dict[int, Keeping] = {}
        with suppress(errors.UnreadableError):
            for source, keeping in Vault(writing.places).standing():
                for row in rows_of(reader, source.store, source.path, source.session):
                    held[row] = max(keeping, held.get(row, keeping))
        return held

    def _periods(self, reader: Reader) -> dict[int, int]:
        """How long transcripts are kept, by store, if the agent cleans them up."""
        known = reader.ask(
            f"SELECT id, path FROM stores WHERE format = ? AND {reader.within('id')}",
            (_TRANSCRIPTS, *reader.stores_seen),
        )
        places = {row: Path(os.fsdecode(path)) for row, path in known}
        periods = {row: kept_for(place) for row, place in places.items()}
        return {row: period for row, period in periods.items() if period is not None}
