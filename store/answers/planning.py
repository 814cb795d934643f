"""What could be changed, and what that would do: nothing here writes."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.finding import Finding
from store.catalogue.reader import Reader, known_stores
from store.discover import Found
from store.edits.port import Changeable
from store.errors import RecollectError

if TYPE_CHECKING:
    from store.edits.draft import Draft, Marking
    from store.edits.port import Form, Scribe
    from store.planning import Planned
    from store.records.intents import Intent

Name = str | Changeable
"""A record, or what names it."""

_SENSELESS = "That makes no sense for it."


class Planning(Finding):
    """Answers with plans."""

    def plan(
        self,
        intent: "Intent",
        names: Sequence[Name] = (),
        store: Path | None = None,
    ) -> "Planned":
        """What an intent would do to some records, or, without any, to a store.

        The records lie in one store. Where no store is named, it is the one that can.
        """
        from store.edits.refusals import NotPossibleError

        records = [self._record(name) for name in names]
        places = [Path(place) for place in {record.store for record in records}]
        if len(places) > 1:
            told = ", ".join(sorted(map(str, places)))
            raise NotPossibleError(f"These lie in several stores: {told}.")
        place = places[0] if places else store
        if place is None:
            return self._planned_somewhere(intent)
        return self._planned(intent, records, self._found(place))

    def plan_each(
        self, intent: "Intent", records: Sequence[Changeable]
    ) -> "list[Planned]":
        """The same for records of any stores: one change if that can be, else some."""
        from store.planning import together

        stores = dict.fromkeys(record.store for record in records)
        return together(
            [
                self.plan(intent, [one for one in records if one.store == store])
                for store in stores
            ]
        )

    def form(self, name: Name) -> "Form":
        """A record as an editor is given it."""
        record = self._record(name)
        with self._scribe(self._found(Path(record.store))) as scribe:
            return scribe.form(record)

    def possible(
        self, name: Name | None, store: Path | None = None
    ) -> Mapping[str, str]:
        """What can be done with a record, or with a store: word by word, why not now.

        Nothing where the store or the record is only looked at.
        """
        from store.edits.refusals import NotPossibleError, ReadOnlyError

        try:
            record = None if name is None else self._record(name)
        except NotPossibleError:
            return {}
        place = store if record is None else Path(record.store)
        if place is None:
            raise NotPossibleError("Neither a record nor a store was named.")
        try:
            with self._scribe(self._found(place)) as scribe:
                return scribe.possible(record)
        except ReadOnlyError:
            return {}

    def sifted(
        self, word: str, records: Sequence[Changeable]
    ) -> tuple[list[Changeable], list[tuple[Changeable, str]]]:
        """Those with which something can be done, and the others with why it cannot."""
        from store.edits.refusals import ReadOnlyError

        able: list[Changeable] = []
        others: list[tuple[Changeable, str]] = []
        for store in dict.fromkeys(record.store for record in records):
            here = [record for record in records if record.store == store]
            try:
                with self._scribe(self._found(Path(store))) as scribe:
                    reasons = [
                        scribe.possible(one).get(word, _SENSELESS) for one in here
                    ]
            except ReadOnlyError as error:
                reasons = [str(error)] * len(here)
            for record, reason in zip(here, reasons, strict=True):
                if reason:
                    others.append((record, reason))
                else:
                    able.append(record)
        return able, others

    def changeable(self, names: Iterable[str]) -> list[Changeable]:
        """The records that go by some names, each once."""
        records = [self._record(name) for name in names]
        return list(
            {_ref(record) or str(record): record for record in records}.values()
        )

    def able(self, word: str) -> list[Path]:
        """The stores with which something can be done as a whole, by its word."""
        return [p for p in self.chosen if self.possible(None, p).get(word) == ""]

    def _fit(self, word: str) -> list[Path]:
        """The stores with which that makes sense, though it may be forbidden now."""
        return [p for p in self.chosen if word in self.possible(None, p)]

    def rebuilding(self, name: str) -> list[Path]:
        """The stores in which a derived file can be made anew."""
        return [f.path for f in self._stores if name in f.format.rebuilds]

    def _record(self, name: Name) -> Changeable:
        from store.edits.refusals import NotPossibleError
        from store.naming import find
        from store.records.agent import Agent
        from store.records.event import Event

        if not isinstance(name, str):
            return name
        with self._reader() as reader:
            record = find(reader, name, self._now)
        if isinstance(record, Event | Agent):
            raise NotPossibleError(f"{record.ref} is only looked at.")
        return record

    def _planned(
        self, intent: "Intent", records: Sequence[Changeable], found: Found
    ) -> "Planned":
        """What an intent would do to some records of a store, or to the store."""
        from store.answers.known import CatalogueKnown
        from store.planning import Planned

        with self._scribe(found) as scribe, self._reader_of(found) as reader:
            known = CatalogueKnown(reader, self._now)
            draft = scribe.draft(intent, records, known, self.present)
        return Planned(
            draft=replace(draft, marks=self._differing(found, draft)),
            root=found.path,
            word=intent.word,
            refs=tuple(dict.fromkeys(filter(None, map(_ref, records)))),
            count=len(records) or draft.count,
            memory=self._writing.places.marks if self._writing else None,
        )

    def _differing(self, found: Found, draft: "Draft") -> "tuple[Marking, ...]":
        """The marks that are not as they would be then; all, where nobody knows."""
        if not draft.marks or self._writing is None:
            return draft.marks
        from store.keeping.pinned import differing

        return differing(self._writing.places, str(found.path), draft.marks)

    def _planned_somewhere(self, intent: "Intent") -> "Planned":
        """What an intent would do to the one store with which it can be done.

        Why another cannot is only told where none can. What a format has no words for
        goes without saying while there is another for which it makes sense.
        """
        from store.edits.refusals import NotPossibleError, ReadOnlyError

        planned: list[Planned] = []
        refusals: dict[Path, RecollectError] = {}
        for place in self._fit(intent.word):
            try:
                planned.append(self._planned(intent, (), self._found(place)))
            except (NotPossibleError, ReadOnlyError) as error:
                refusals[place] = error
        if len(planned) == 1:
            return planned[0]
        if planned:
            told = ", ".join(str(one.root) for one in planned)
            raise NotPossibleError(
                f"Several stores could do that; name one with --store: {told}."
            )
        refusals = _of_those_that_know(refusals)
        if len(set(map(str, refusals.values()))) == 1:
            raise next(iter(refusals.values()))
        reasons = [f"  {place}: {error}" for place, error in refusals.items()]
        raise NotPossibleError(
            "\n".join(["None of these stores can do that.", *reasons])
        )

    def _found(self, place: Path) -> Found:
        """The store at a place, among those that are looked at."""
        from store.edits.refusals import NotPossibleError

        for found in self._stores:
            if found.path == place:
                return found
        raise NotPossibleError(f"{place} is none of the stores that are looked at.")

    def _scribe(self, found: Found) -> "Scribe":
        """Who says what a change would write there."""
        from store.edits.refusals import NotPossibleError, ReadOnlyError

        try:
            return found.format.scribe(found.path)
        except NotPossibleError as error:
            raise ReadOnlyError(str(error)) from error

    @contextmanager
    def _reader_of(self, found: Found) -> Generator[Reader]:
        """A reader that sees one store alone."""
        with self._catalogue.in_use() as connection:
            known = known_stores(connection)
            yield Reader(connection, [s.row for s in known if s.path == found.path])


def _of_those_that_know(
    refusals: "Mapping[Path, RecollectError]",
) -> "dict[Path, RecollectError]":
    """Why it cannot be done by those who know what it is; by all where nobody does."""
    from store.edits.refusals import UnknownKindError

    known = {
        place: error
        for place, error in refusals.items()
        if not isinstance(error, UnknownKindError)
    }
    return known or dict(refusals)


def _ref(record: Changeable) -> str | None:
    """What names a record; a problem may be about none."""
    return record.ref
