"""Plans: what can be changed, and what a change would do."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store import errors
from store.answers.lists import told_apart
from store.answers.records import Name, acted_on, changeable, links_of, title_of
from store.answers.stores import OpenStores
from store.answers.vault import SavedConversations
from store.catalogue.reader import Around, Page, Reader, Span
from store.catalogue.vectors import own_vectors
from store.discover import Found
from store.edits.conflict import refuse_protected
from store.edits.draft import Changeable, Made
from store.edits.plan import NO_VERSION, Left, Planned, together
from store.files.writable import PROTECTED
from store.findings import name_key
from store.health import BY_NAME
from store.kinds.conversations import Conversation
from store.kinds.edges import EDGES, Edge
from store.kinds.memories import MEMORIES, Memory
from store.kinds.problems import HALF_DONE_CHANGE, LOST, PROBLEMS, Problem
from store.records.answers import Link
from store.records.intents import Fix, Pin, Transit
from store.search.tree import All, Named
from store.state import differing

if TYPE_CHECKING:
    from store.edits.draft import Draft, Form, Marking, Scribe
    from store.records.intents import Intent


_SENSELESS = "Can't {} records of the format {}."

_GONE = "These problems no longer exist. Reload and try again."


class Plans:
    """What can be changed, and what a change would do."""

    def __init__(self, stores: OpenStores, vault: SavedConversations) -> None:
        self._stores = stores
        self._vault = vault

    def plan(
        self,
        intent: "Intent",
        names: Sequence[Name] = (),
        store: Path | None = None,
    ) -> Planned:
        """What an intent would do to some records, or to a store without any.

        The records must be in one store. If no store is given, it is the only one that
        can do it.
        """
        records = [
            acted_on(self._stores, intent.word, changeable(self._stores, name))
            for name in names
        ]
        places = [Path(place) for place in {record.store for record in records}]
        if len(places) > 1:
            stores = ", ".join(sorted(map(str, places)))
            raise errors.NotPossibleError(
                f"Records must be in one store, not in {stores}. "
                "`recollect copy REF --to STORE` copies one."
            )
        place = places[0] if places else store
        if place is None:
            return self._planned_somewhere(intent)
        return self._planned(intent, records, self._stores.store_at(place))

    def plan_each(
        self, intent: "Intent", records: Sequence[Changeable]
    ) -> list[Planned]:
        """The same for records of several stores: one joint change if possible."""
        stores = dict.fromkeys(record.store for record in records)
        planned: list[Planned] = []
        for store in stores:
            here = [one for one in records if one.store == store]
            try:
                planned.append(self.plan(intent, here))
            except errors.NotPossibleError as error:
                if len(stores) > 1:
                    error.args = (f"{error} ({store})",)
                raise
        return together(planned)

    def plan_fixes(
        self, problems: Sequence[Problem], way: str = "", *, is_named: bool = True
    ) -> list[Planned]:
        """What fixing some problems would do: one change, as far as possible.

        Each fix is planned on the result of those before it. Problems that cannot be
        fixed are in `Planned.left`, each with the reason; raises NotPossibleError if
        these are all. `is_named` says that the user named these problems or their
        codes; if not, those that are only fixed by name are left out as well.
        """
        from store.answers import fixes  # noqa: PLC0415  # large

        problems = [one for problem in problems for one in self._each(problem)]
        by_name = {} if is_named else BY_NAME
        left = [Left(p, by_name[p.code]) for p in problems if p.code in by_name]
        todo = [p for p in problems if p.code not in by_name]
        planned: list[Planned] = []
        for place in dict.fromkeys(problem.store for problem in todo):
            here = [problem for problem in todo if problem.store == place]
            lost = [problem for problem in here if problem.code in LOST]
            here = [problem for problem in here if problem not in lost]
            if lost:
                with self._stores.catalogue.in_use() as connection:
                    earlier = self._stores.earlier(connection)
                    restored, more = fixes.plan_restored(lost, earlier.text)
                planned += [restored] if restored else []
                left += more
            if not here:
                continue
            found = self._stores.store_at(Path(place))
            preview = partial(
                fixes.Preview,
                found,
                self._stores.now,
                self._stores.gap,
                self._stores.pins(),
            )
            fixed, more = fixes.plan_fixes(
                here, way, self.plan, preview, self._stores.present
            )
            left += more
            planned += [fixed] if fixed else []
        if not planned:
            reasons = dict.fromkeys(reason for _, reason in left)
            refused = errors.NotPossibleError
            if reasons and all(one.endswith(PROTECTED) for one in reasons):
                refused = errors.WriteProtectedError
            raise refused("\n".join(reasons) or _GONE)
        return together([replace(planned[0], left=tuple(left)), *planned[1:]])

    def safe_codes(self, problems: Iterable[Problem]) -> list[str]:
        """The codes of the problems that are fixed without a decision."""
        return sorted({one.code for one in problems if one.fix} - BY_NAME.keys())

    def _each(self, problem: Problem) -> Iterator[Problem]:
        """The problems in a row; most rows contain just one."""
        if problem.count == 1:
            yield problem
            return
        found = self._stores.store_at(Path(problem.store))
        named = {"code": problem.code, "severity": problem.severity, "is": "each"}
        tree = All(tuple(Named(name, (value,)) for name, value in named.items()))
        with self._stores.reader_of(found) as reader:
            condition = self._stores.condition(reader, "problems", tree)
            yield from reader.page(PROBLEMS, Page(), self._stores.now, condition)

    def form(self, name: Name) -> "Form":
        """A record as text for an editor."""
        record = changeable(self._stores, name)
        with self._stores.editor_of(
            self._stores.store_at(Path(record.store))
        ) as scribe:
            return scribe.form(record)

    def possible(
        self, name: Name | None, store: Path | None = None
    ) -> Mapping[str, str]:
        """The possible actions on a record or a store, each with why it's not possible.

        Empty if the record or its store is read-only.
        """
        try:
            record = None if name is None else changeable(self._stores, name)
        except errors.NotPossibleError:
            return {}
        place = store if record is None else Path(record.store)
        if place is None:
            raise errors.NotPossibleError("Give a record or a store.")
        try:
            with self._stores.editor_of(self._stores.store_at(place)) as scribe:
                found = dict(_possible(scribe, record))
        except errors.ReadOnlyError:
            found = {}
        if not isinstance(record, Conversation):
            return found
        copy = acted_on(self._stores, Transit.word, record)
        if copy != record:
            found = {**found, **self.possible(copy)}
        return {**found, Pin.word: self._vault.reason_against(record)}

    def sifted(
        self, word: str, records: Sequence[Changeable]
    ) -> tuple[list[Changeable], list[tuple[Changeable, str]]]:
        """The records that allow an action, and the others, each with the reason."""
        records = [acted_on(self._stores, word, record) for record in records]
        able: list[Changeable] = []
        others: list[tuple[Changeable, str]] = []
        for store in dict.fromkeys(record.store for record in records):
            here = [record for record in records if record.store == store]
            found = self._stores.store_at(Path(store))
            senseless = _SENSELESS.format(word, found.format.name)
            try:
                with self._stores.editor_of(found) as scribe:
                    reasons = [
                        how_to_resolve(one)
                        or _possible(scribe, one).get(word, senseless)
                        for one in here
                    ]
            except errors.ReadOnlyError as error:
                reasons = [str(error)] * len(here)
            for record, reason in zip(here, reasons, strict=True):
                if reason:
                    others.append((record, reason))
                else:
                    able.append(record)
        return able, others

    def changeable(self, names: Iterable[str]) -> list[Changeable]:
        """The records with some names, without repetitions."""
        records = [changeable(self._stores, name) for name in names]
        return list({one.ref or str(one): one for one in records}.values())

    def able(self, word: str) -> list[Path]:
        """The stores that allow an action on the store itself."""
        return [
            p for p in self._stores.chosen if self.possible(None, p).get(word) == ""
        ]

    def appending(self, kind: str) -> list[Path]:
        """The stores with a log for entries of a kind."""
        able = self.able("append")
        found = [f for f in self._stores.found if kind in f.format.appends]
        return [f.path for f in found if f.path in able]

    def rebuilding(self, name: str) -> list[Path]:
        """The stores that can rebuild a derived file."""
        return [f.path for f in self._stores.found if name in f.format.rebuilds]

    def _planned(
        self, intent: "Intent", records: Sequence[Changeable], found: Found
    ) -> Planned:
        """What an intent would do to records of a store, or to the store itself."""
        with (
            self._stores.editor_of(found) as scribe,
            self._stores.reader_of(found) as reader,
        ):
            known = CatalogueKnown(reader, self._stores.now)
            draft = scribe.draft(intent, records, known, self._stores.present)
        refuse_protected(found.path, draft.steps)
        titles = {one.ref: title_of(one) for one in records if one.ref}
        return Planned(
            draft=replace(draft, marks=self._differing(found, draft)),
            root=found.path,
            word=intent.word,
            refs=tuple(titles),
            titles=tuple(titles.values()),
            count=len(records) or draft.count,
            memory=self._stores.writing.places.marks if self._stores.writing else None,
        )

    def _differing(self, found: Found, draft: "Draft") -> "tuple[Marking, ...]":
        """The marks that would change; all of them if the current ones are unknown."""
        if not draft.marks or self._stores.writing is None:
            return draft.marks
        return differing(self._stores.writing.places, str(found.path), draft.marks)

    def _planned_somewhere(self, intent: "Intent") -> Planned:
        """What an intent would do to the only store that can do it.

        The reasons of the other stores are reported only if no store can. Stores whose
        format does not know the action are left out if others know it.
        """
        planned: list[Planned] = []
        refusals: dict[Path, errors.RecollectError] = {}
        for place in self._stores.chosen:
            if intent.word not in self.possible(None, place):
                continue
            try:
                planned.append(self._planned(intent, (), self._stores.store_at(place)))
            except (errors.NotPossibleError, errors.ReadOnlyError) as error:
                refusals[place] = error
        if len(planned) == 1:
            return planned[0]
        if planned:
            with self._stores.reader() as reader:
                names = told_apart({one.path: one.name for one in reader.names()})
            listed = (f"  {names[str(one.root)]}  {one.root}" for one in planned)
            sentence = "Several stores can do that; choose one with --store:"
            raise errors.NotPossibleError("\n".join([sentence, *listed]))
        refusals = _of_those_that_know(refusals)
        if len(set(map(str, refusals.values()))) == 1:
            raise next(iter(refusals.values()))
        formats = dict.fromkeys(one.format.name for one in self._stores.found)
        why = f": not possible in {', '.join(formats)} stores."
        reasons = [f"  {place}: {error}" for place, error in refusals.items()]
        sentence = f"No store can do that{'.' if refusals else why}"
        raise errors.NotPossibleError("\n".join([sentence, *reasons]))


def _possible(scribe: "Scribe", record: Changeable | None) -> Mapping[str, str]:
    """The possible actions; a lost file is restored in the same way in any format."""
    if isinstance(record, Problem) and record.code in LOST:
        return {Fix.word: "" if record.fix else NO_VERSION}
    return scribe.possible(record)


def how_to_resolve(record: Changeable) -> str:
    """The command for a problem that is a half-done change; empty for other records."""
    if isinstance(record, Problem) and record.code == HALF_DONE_CHANGE:
        return f"Run `{record.fix}`."
    return ""


def _of_those_that_know(
    refusals: Mapping[Path, errors.RecollectError],
) -> dict[Path, errors.RecollectError]:
    """The reasons of stores that know the action; all reasons if none does."""
    known = {
        place: error
        for place, error in refusals.items()
        if not isinstance(error, errors.UnknownKindError)
    }
    return known or dict(refusals)


# What the catalogue knows about a store, for its scribe.


class CatalogueKnown:
    """Answers from the catalogue; the reader is limited to the one store."""

    def __init__(self, reader: Reader, now: int) -> None:
        self._reader = reader
        self._now = now

    def memories(self) -> Iterator[Memory]:
        """Every memory of the store."""
        return self._reader.page(MEMORIES, Page(), self._now)

    def edges(self) -> Iterator[Edge]:
        """Every edge of the store."""
        return self._reader.page(EDGES, Page(), self._now)

    def memory(self, ref: str) -> Memory | None:
        """The memory with a ref."""
        found = self._reader.called(MEMORIES, Span.of(ref), self._now, 1)
        return found[0] if found else None

    def namesakes(self, title: str) -> Sequence[Memory]:
        """The memories whose titles give the same name."""
        key = name_key(title)
        found = self._reader.namesakes(key, self._now)
        return [memory for memory in found if name_key(memory.title) == key]

    def described(self, text: str) -> Sequence[Memory]:
        """The memories with a description, ignoring case and white space."""
        refs = self._reader.described(text)
        return self._reader.named(MEMORIES, refs, self._now)

    def types(self, paths: Sequence[str]) -> Mapping[str, str]:
        """The types of the memories in some files, by path."""
        return self._reader.types_at(paths)

    def projects(self) -> Collection[str]:
        """The names of the folders in which agents worked, in any store."""
        return self._reader.every_project()

    def indexes(self) -> Sequence[str]:
        """The paths of the documents that list the memories."""
        return self._reader.memory_indexes()

    def edges_of(self, ref: str) -> Sequence[Edge]:
        """The edges that start or end at a memory, each once."""
        around = Around(self._reader, self._now)
        found = [*around.edges_from(ref), *around.edges_to(ref)]
        return list({edge.ref: edge for edge in found}.values())

    def links_of(self, ref: str) -> Sequence[Link]:
        """All links from a memory and to it."""
        memory = self.memory(ref)
        if memory is None:
            return []
        return list(links_of(self._reader, memory, self._now))

    def vectors(self, model: str) -> tuple[Made, Made]:
        """The vectors that a model made for us: of present texts, and of former."""
        none: Made = {}
        own = own_vectors(self._reader, model)
        return next(((one.present, one.outdated) for one in own), (none, none))
