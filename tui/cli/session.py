"""One call of the program: its options understood, and the library opened for it."""

import argparse
import os
import time
from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.derive.segments import USUAL
from store.discover import (
    Found,
    Search,
    at,
    beneath,
    nowhere_beneath,
    nowhere_on_this_machine,
    on_this_machine,
)
from store.errors import (
    CatalogueBusyError,
    CatalogueUnusableError,
    NoStoresError,
    UnreadableError,
    WrongUseError,
)
from store.formats.register import FORMATS
from store.library import Library, Writing
from store.machine import Machine
from store.places import Places
from store.times import parse
from tui.cli.progress import progress
from tui.cli.terminal import complain
from tui.temporary import temporary_folder
from tui.words import STORES

READ_ONLY = "RECOLLECT_READ_ONLY"
"""The variable that forbids changes, unless it says `0` or nothing."""

_NAMING = ("before", "stores", "paths")
"""The arguments that say where to look: options before and after the command, paths."""


class Session(Struct, frozen=True):
    """What holds for the whole of one call."""

    machine: Machine
    catalogue: Path
    """The catalogue that answers."""
    places: Places
    """Where the program keeps what is its own."""
    paths: tuple[Path, ...]
    """Where stores are looked for; nothing means everywhere."""
    json: bool
    no_sync: bool
    now: int
    """Microseconds since 1970."""
    gap: int = USUAL.gap
    """Microseconds of silence that divide two conversations."""
    at: int | None = None
    """The time that is looked back at, in microseconds since 1970."""
    is_read_only: bool = False
    """Whether nothing is to be changed, whatever is asked."""
    is_as_of: bool = False
    """Whether `now` is what the user says, and not the present."""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "Session":
        """The session that the command line and the environment ask for."""
        given = vars(arguments)
        machine = Machine.this()
        named = [name for key in _NAMING for name in given.get(key, ())]
        if not named:
            named = machine.environment.get(STORES, "").split(os.pathsep)
        if "gap" in given and given.get("no_sync"):
            raise WrongUseError(
                "--gap divides conversations anew, and --no-sync says not to."
            )
        places = Places.usual()
        return cls(
            machine=machine,
            catalogue=Path(given.get("catalogue") or places.catalogue),
            places=places,
            paths=tuple(Path(name).expanduser() for name in named if name),
            json=given.get("json", False),
            no_sync=given.get("no_sync", False),
            now=_instant(given.get("now")),
            at=_past(given.get("at"), given.get("now")),
            gap=given.get("gap", USUAL.gap),
            is_read_only=given.get("read_only", False)
            or machine.environment.get(READ_ONLY, "") not in {"", "0"},
            is_as_of="now" in given,
        )

    def _search(self) -> Search:
        """The stores that this call is about; an error where there are none."""
        if self.paths:
            search = beneath(self.paths, FORMATS)
            nowhere = nowhere_beneath(self.paths)
        else:
            search = on_this_machine(FORMATS, self.machine)
            nowhere = nowhere_on_this_machine(FORMATS)
        for place in search.cut_short:
            complain(
                f"Not all of {place} was searched for stores: "
                "it is large, deep, or closed in part."
            )
        kept = self._kept_stores()
        if not search.stores and not kept:
            raise nowhere
        known = {found.path for found in search.stores}
        more = (found for found in kept if found.path not in known)
        return replace(search, stores=(*search.stores, *more))

    def _kept_stores(self) -> list[Found]:
        """The vault's own store, if what is gone came from where the user looks."""
        if not self.places.vault.is_dir():
            return []
        from store.vault import Vault  # noqa: PLC0415  # only for who keeps anything

        vault = Vault(self.places)
        folder = vault.laid_out()
        try:
            stores = {Path(kept.source.store) for kept in vault.rescued()}
        except UnreadableError as error:
            complain(f"The vault cannot be read: {error}")
            return []
        found = at(folder, FORMATS) if folder and self._looks_at(stores) else None
        return [found] if found else []

    def _looks_at(self, stores: Iterable[Path]) -> bool:
        """Whether one of some stores lies where the user looks."""
        places = [path.resolve() for path in self.paths]
        return not places or any(
            store.is_relative_to(place) for store in stores for place in places
        )

    def _remembered(self, library: Library) -> list[Found]:
        """The stores that were read before and lie where the user looks."""
        formats = {form.name: form for form in FORMATS}
        places = [path.resolve() for path in self.paths]
        found = [
            Found(path, formats[name])
            for path, name in library.remembered()
            if not places or any(path.is_relative_to(place) for place in places)
        ]
        known = {one.path for one in found}
        found += [one for one in self._kept_stores() if one.path not in known]
        if not found:
            raise NoStoresError(
                "Nothing was read there yet; leave --no-sync out the first time."
            )
        return found

    @contextmanager
    def library(self) -> Generator[Library]:
        """The library, up to date unless the user wants it as it is."""
        with self.library_as_it_is() as library:
            self.brings_up_to_date(library)
            yield library

    def brings_up_to_date(self, library: Library, *, waits: bool = True) -> bool:
        """Read what moved, unless the user wants the library as it is.

        False where another process is at it and this one is not to wait for it.
        """
        if self.no_sync:
            return True
        told = library.notice
        try:
            with progress() as report:
                library.sync(report, waits=waits)
        except CatalogueBusyError:
            if waits:
                raise
            return False
        for sentence in library.settled:
            complain(sentence)
        if library.notice and library.notice != told:
            complain(library.notice)
        return True

    @contextmanager
    def back(self, library: Library) -> Generator[Library]:
        """The library as it was at the time that is looked back at, if one is."""
        if self.at is None:
            yield library
            return
        from store.past.library import PastLibrary  # noqa: PLC0415  # for the past alone

        with temporary_folder() as folder:
            with progress() as report:
                lookback = library.look_back(self.at, folder, report)
            if lookback.sentence:
                complain(lookback.sentence)
            with PastLibrary(lookback) as past:
                yield past

    @contextmanager
    def library_as_it_is(self) -> Generator[Library]:
        """The library, with nothing read yet."""
        with self._opened() as library:
            if library.notice:
                complain(library.notice)
            known = self._remembered(library) if self.no_sync else None
            library.choose(self._search().stores if known is None else known)
            yield library

    def _clock(self) -> int:
        """The time of what is changed."""
        return self.now if self.is_as_of else _present()

    @contextmanager
    def library_of_none(self) -> Generator[Library]:
        """The library that looks at no store, for what is asked of the journal."""
        with self._opened() as library:
            yield library

    @contextmanager
    def _opened(self) -> Generator[Library]:
        """The library; where its catalogue cannot be kept, one that goes again."""
        writing = Writing(self.places, self.is_read_only, self._clock)
        with ExitStack() as open_things:
            try:
                library = Library(self.catalogue, self.now, self.gap, writing)
            except CatalogueUnusableError as error:
                complain(f"{error} What is read now is not kept.")
                folder = open_things.enter_context(temporary_folder())
                catalogue = folder / "catalogue.db"
                library = Library(catalogue, self.now, self.gap, writing)
            yield open_things.enter_context(library)


def _instant(text: str | None) -> int:
    """The time that the answer is about; now, unless the user says otherwise."""
    if text is None:
        return _present()
    micros = parse(text).micros
    if micros is None:
        raise WrongUseError(f"--now {text!r} is no time; try 2026-02-14T10:30:00Z.")
    return micros


def _present() -> int:
    return time.time_ns() // 1000


def _past(text: str | None, now: str | None) -> int | None:
    """The time that is looked back at, if one is."""
    if text is None:
        return None
    from store.past.moment import moment_of  # noqa: PLC0415  # for the past alone

    return moment_of(text, _instant(now))
