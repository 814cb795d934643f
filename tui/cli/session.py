"""One call of the program: its options understood, and the library opened for it."""

import argparse
import os
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from store.derive.segments import USUAL
from store.discover import (
    Found,
    Search,
    beneath,
    nowhere_beneath,
    nowhere_on_this_machine,
    on_this_machine,
)
from store.errors import (
    CatalogueBusyError,
    CatalogueUnusableError,
    NoStoresError,
    WrongUseError,
)
from store.formats.register import FORMATS
from store.library import Library
from store.machine import Machine
from store.places import Places
from store.times import parse
from tui.cli.progress import progress
from tui.cli.terminal import complain
from tui.temporary import temporary_folder
from tui.words import STORES

_NAMING = ("before", "stores", "paths")
"""The arguments that say where to look: options before and after the command, paths."""


@dataclass(frozen=True, slots=True)
class Session:
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
            gap=given.get("gap", USUAL.gap),
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
        if not search.stores:
            raise nowhere
        return search

    def _remembered(self, library: Library) -> list[Found]:
        """The stores that were read before and lie where the user looks."""
        formats = {form.name: form for form in FORMATS}
        places = [path.resolve() for path in self.paths]
        found = [
            Found(path, formats[name])
            for path, name in library.remembered()
            if not places or any(path.is_relative_to(place) for place in places)
        ]
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
        if library.notice and library.notice != told:
            complain(library.notice)
        return True

    @contextmanager
    def library_as_it_is(self) -> Generator[Library]:
        """The library, with nothing read yet."""
        with self._opened() as library:
            if library.notice:
                complain(library.notice)
            known = self._remembered(library) if self.no_sync else None
            library.choose(self._search().stores if known is None else known)
            yield library

    @contextmanager
    def _opened(self) -> Generator[Library]:
        """The library; where its catalogue cannot be kept, one that goes again."""
        with ExitStack() as open_things:
            try:
                library = Library(self.catalogue, self.now, self.gap)
            except CatalogueUnusableError as error:
                complain(f"{error} What is read now is not kept.")
                folder = open_things.enter_context(temporary_folder())
                library = Library(folder / "catalogue.db", self.now, self.gap)
            yield open_things.enter_context(library)


def _instant(text: str | None) -> int:
    """The time that the answer is about; now, unless the user says otherwise."""
    if text is None:
        return time.time_ns() // 1000
    micros = parse(text).micros
    if micros is None:
        raise WrongUseError(f"--now {text!r} is no time; try 2026-02-14T10:30:00Z.")
    return micros
