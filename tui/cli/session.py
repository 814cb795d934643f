"""One run of the program: options, library, query, printed answer."""

import argparse
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from store.answers.lists import told_apart
from store.derive.conversations import USUAL
from store.discover import (
    Found,
    Search,
    at,
    beneath,
    from_settings,
    given_as,
    missing,
    nowhere_beneath,
    nowhere_on_this_machine,
    on_this_machine,
    parsed,
    with_also,
    with_named,
)
from store.errors import (
    CatalogueBusyError,
    NoStoresError,
    ReadOnlyError,
    UnreadableError,
    WrongUseError,
)
from store.formats.port import Format
from store.formats.register import FORMATS
from store.library import IN_MEMORY, Library, PastLibrary, Progress, Writing
from store.machine import Machine, Places
from store.search.tree import (
    EVERYTHING,
    All,
    Either,
    Named,
    Node,
    Not,
    Text,
    What,
    leaves,
)
from store.settings import Provider, Settings, in_order, read_settings
from store.state import last_looks
from store.text import guess, regex
from store.times import parse
from tui.names import STORES
from tui.output.text import reported, write_json
from tui.terminal.streams import complain, shows_progress, temporary_folder
from tui.themes import unknown_theme

if TYPE_CHECKING:
    from store.library import Unread
    from store.search.meaning import Near
    from store.search.tree import Complaint, Part
    from tui.output.cells import Headings
    from tui.output.tables import Bar


# Progress of a sync: a bar on a terminal, occasional lines elsewhere.

_PATIENCE = 0.3
"""Seconds before the bar appears; shorter syncs need none."""


_INTERVAL = 2.0
"""Seconds between two progress lines if no bar can be drawn."""


@contextmanager
def progress(
    *, lines: bool = False, name: str = "reading"
) -> Generator[Callable[[Progress], None]]:
    """A function that reports progress; with `lines`, also without a terminal."""
    if not shows_progress():
        yield _Lines().report if lines else lambda _progress: None
        return
    bar = _Patient(name)
    try:
        yield bar.report
    finally:
        bar.close()


class _Lines:
    """Progress as occasional lines on stderr, so that a log shows activity."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def report(self, progress: Progress) -> None:
        """Print the progress, unless that was done recently."""
        now = time.monotonic()
        if now - self._last > _INTERVAL:
            self._last = now
            complain(f"read {progress.done} of {progress.total} files")


class _Patient:
    """A progress bar that appears only if it takes long."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._began = time.monotonic()
        self._bar: Bar | None = None

    def report(self, progress: Progress) -> None:
        """Show the progress once the sync takes longer than `_PATIENCE`."""
        if not self._bar and time.monotonic() - self._began > _PATIENCE:
            from tui.output.tables import Bar  # noqa: PLC0415  # rich is slow

            self._bar = Bar(self._name)
        if self._bar:
            self._bar.show(progress)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar:
            self._bar.close()


# One call of the program: its options, and access to the library.

READ_ONLY = "RECOLLECT_READ_ONLY"
"""The environment variable that forbids changes unless empty or `0`."""

_PATHS = (os.sep, f".{os.sep}", f"..{os.sep}")
"""Prefixes of what can only be a path, not the name of a store."""

_NAMING = ("before", "stores")
"""The arguments that name stores: options before and after the command."""


def given_stores(arguments: argparse.Namespace) -> list[str]:
    """The values of the options that name stores."""
    given = vars(arguments)
    return [name for key in _NAMING for name in given.get(key, ())]


class Session(Struct, frozen=True):
    """Everything that applies to one call of the program."""

    machine: Machine
    catalogue: Path
    """The catalogue to use."""
    places: Places
    """The folders for the program's own files."""
    paths: tuple[Path, ...]
    """Paths to search for stores; empty means everywhere."""
    json: bool
    no_sync: bool
    now: int
    """Microseconds since 1970."""
    gap: int = USUAL.gap
    """Microseconds of silence that separate two conversations."""
    at: int | None = None
    """The time to look back at, in microseconds since 1970."""
    is_read_only: bool = False
    """Whether no command may change anything."""
    is_as_of: bool = False
    """Whether `now` was set by the user."""
    warned: list[str] = []
    """The warnings so far that belong to the next change."""
    format: Format | None = None
    """The format of the stores at `paths`; None to recognise it by their content."""
    others: tuple[str, ...] = ()
    """Stores that a search does not find, as FORMAT:PATH."""
    settings: Settings = Settings()
    reported: set[str] = field(default_factory=set[str])
    """The problems in the settings that were reported already."""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "Session":
        """The session for the command line and the environment."""
        given = vars(arguments)
        machine = Machine.this()
        places = Places.usual()
        places.refuse_closed()
        settings = read_settings(places)
        named = given_stores(arguments)
        usual = machine.environment.get(STORES, "").split(os.pathsep)
        paths = [Path(name).expanduser() for name in given.get("paths", ())]
        if "as_format" in given and not (named or paths or any(usual)):
            raise WrongUseError("--as needs a folder; give one with --store.")
        if "gap" in given and given.get("no_sync"):
            raise WrongUseError("--gap can't be combined with --no-sync.")
        session = cls(
            machine=machine,
            catalogue=Path(given.get("catalogue") or places.catalogue),
            places=places,
            paths=tuple(Path(name).expanduser() for name in usual if name),
            json=given.get("json", False),
            no_sync=given.get("no_sync", False),
            now=_instant(given.get("now")),
            at=_past(given.get("at"), given.get("now")),
            gap=given.get("gap", USUAL.gap),
            is_read_only=given.get("read_only", False)
            or machine.environment.get(READ_ONLY, "") not in {"", "0"},
            is_as_of="now" in given,
            format=_format_of(given.get("as_format")),
            others=tuple(given.get("also") or ()),
            settings=settings,
        )
        paths = [*map(session._path_of, named), *paths]
        if paths:
            return replace(session, paths=tuple(paths))
        return session.without_missing()

    def without_missing(self) -> "Session":
        """The session without paths of the environment that cannot be searched."""
        wrong = missing(self.paths)
        left = tuple(path for path in self.paths if path not in wrong)
        if not left:
            return self
        self.report(f"{STORES}: {why}" for why in wrong.values())
        return replace(self, paths=left)

    def _path_of(self, name: str) -> Path:
        """The path of a store, given by path or by a name that `stores` shows."""
        path = _path_of(name, self.settings)
        if path.exists() or path != Path(name) or name.startswith(_PATHS):
            return path
        found: tuple[Found, ...] = ()
        with suppress(NoStoresError):
            found = self.without_missing().search().stores
        names = told_apart({str(one.path): _title(one) for one in found})
        paths = [Path(path) for path, known in names.items() if known == name]
        if names and not paths and os.sep not in name:
            near = " or ".join(repr(one) for one in names.values() if name in one)
            meant = guess(name, names.values(), "; `recollect stores` lists them.")
            meant = f"; did you mean {near}?" if near else meant
            raise NoStoresError(f"No folder or store {name!r}{meant}")
        return paths[0] if paths else path

    def require_writable(self) -> None:
        """Raise ReadOnlyError if nothing may be changed."""
        if self.is_read_only:
            raise ReadOnlyError(
                "This session is read-only (--read-only or RECOLLECT_READ_ONLY); "
                "nothing was changed."
            )

    def warn(self, sentence: str) -> None:
        """Print a warning, and keep it for the notes of the next change."""
        complain(sentence)
        self.warned.append(sentence)

    def notes(self) -> tuple[str, ...]:
        """The warnings since the last change."""
        notes = tuple(self.warned)
        self.warned.clear()
        return notes

    def search(self) -> Search:
        """Find the stores for this call; raises NoStoresError without any."""
        if self.format:
            return given_as(self.paths, self.format)
        named = self._named()
        if self.paths:
            search = beneath(self.paths, FORMATS, named)
        else:
            search = on_this_machine(FORMATS, self.machine, named)
        for place in search.cut_short:
            complain(
                f"{place} was only searched in part: it is large, deep, or not "
                "fully readable."
            )
        kept = self._kept_stores()
        if not search.stores and not kept and not self.others:
            if self.paths:
                raise nowhere_beneath(self.paths)
            raise nowhere_on_this_machine(FORMATS, self.machine)
        return with_also(search, (*kept, *parsed(self.others, FORMATS, named)))

    def _named(self) -> list[Found]:
        """The stores that the settings name; reports what is wrong with others."""
        named, complaints = from_settings(self.settings, FORMATS)
        self.report([*self.settings.complaints, *complaints])
        return named

    def report_settings(self) -> None:
        """Report what is wrong with the settings, apart from keys."""
        settings = self.settings
        complaints = list(settings.complaints)
        wrong = unknown_theme(settings.theme)
        if wrong is not None:
            told = settings.complaint(("theme",), wrong)
            complaints = in_order(settings.path, [told, *complaints])
        self.report(complaints)

    def report(self, complaints: Iterable[str]) -> None:
        """Report problems in the settings, each of them once."""
        for complaint in complaints:
            if complaint not in self.reported:
                self.reported.add(complaint)
                complain(complaint)

    def store_at(self, name: str | Path) -> Found | None:
        """The store in a folder, or with a name in the settings, if it exists.

        A store without a format in its content has the one that `--as` says.
        """
        path = _path_of(str(name), self.settings).resolve()
        named = next((one for one in self._named() if one.path == path), None)
        if named or not self.format:
            return named or at(path, FORMATS)
        return given_as([path], self.format).stores[0] if path.is_dir() else None

    def _kept_stores(self) -> list[Found]:
        """The vault's own store, if lost conversations came from the searched paths."""
        if not self.places.vault.is_dir():
            return []
        from store.vault.vault import Vault  # noqa: PLC0415  # only with a vault

        vault = Vault(self.places)
        folder = vault.laid_out()
        try:
            stores = {Path(kept.source.store) for kept in vault.rescued()}
        except UnreadableError as error:
            complain(f"Can't read the vault: {error}")
            return []
        found = at(folder, FORMATS) if folder and self._looks_at(stores) else None
        return [found] if found else []

    def _looks_at(self, stores: Iterable[Path]) -> bool:
        """Whether one of the stores is in the searched paths."""
        places = [path.resolve() for path in self.paths]
        return not places or any(
            store.is_relative_to(place) for store in stores for place in places
        )

    def _remembered(self, library: Library) -> list[Found]:
        """The stores in the searched paths that were read before.

        A folder that was a store only because the user said its format is one for as
        long as the user says so.
        """
        formats = {form.name: form for form in FORMATS}
        read = library.stores.remembered()
        if self.format:
            given, recognised = given_as(self.paths, self.format).stores, []
        else:
            given, recognised = self._named(), [one for one in read if not one.is_said]
        known = {(one.path, one.format) for one in read}
        said = [one for one in given if (one.path, one.format.name) in known]
        every = [Found(one.path, formats[one.format]) for one in recognised]
        places = [path.resolve() for path in self.paths]
        found = [
            one
            for one in with_named(Search(tuple(every)), said).stores
            if not places or any(map(one.path.is_relative_to, places))
        ]
        known = {one.path for one in found}
        found += [one for one in self._kept_stores() if one.path not in known]
        if not found:
            raise NoStoresError(
                "Nothing is indexed here yet; run it once without --no-sync."
            )
        return found

    @contextmanager
    def library(self) -> Generator[Library]:
        """The library, synced unless `--no-sync` is given."""
        with self.library_as_it_is() as library:
            self.brings_up_to_date(library)
            yield library

    def brings_up_to_date(self, library: Library, *, waits: bool = True) -> bool:
        """Sync the library unless `--no-sync` is given.

        False if another process is syncing and `waits` is False.
        """
        if self.no_sync:
            return True
        try:
            self._sync(library, waits=waits)
        except CatalogueBusyError:
            if waits:
                raise
            return False
        return True

    def _sync(self, library: Library, *, waits: bool = True) -> None:
        """Sync the library, and report what happened to changes and to the index."""
        notice = library.stores.notice
        with progress() as report:
            library.sync(report, waits=waits)
        for sentence in library.journal.settled:
            complain(sentence)
        if library.stores.notice and library.stores.notice != notice:
            complain(library.stores.notice)

    @contextmanager
    def back(self, library: Library) -> Generator[Library]:
        """The library as of the time given with `--at`, or the library itself."""
        if self.at is None:
            yield library
            return
        with temporary_folder() as folder:
            with progress() as report:
                lookback = library.history.look_back(self.at, folder, report)
            if lookback.sentence:
                complain(lookback.sentence)
            with PastLibrary(lookback) as past:
                yield past

    @contextmanager
    def library_as_it_is(self, *, has_spares: bool = True) -> Generator[Library]:
        """The library without a sync.

        Without spares, an index that cannot be written is an error.
        """
        with self._opened(has_spares=has_spares) as library:
            if library.stores.notice:
                complain(library.stores.notice)
            if self.no_sync and not library.stores.is_replaced:
                library.stores.choose(self._remembered(library))
            else:
                library.stores.choose(self.search().stores)
            if self.no_sync and library.stores.is_replaced:
                self._sync(library)
            yield library

    def _clock(self) -> int:
        """The time recorded for changes."""
        return self.now if self.is_as_of else _present()

    @contextmanager
    def library_of_none(self) -> Generator[Library]:
        """The library without any stores, for commands about the journal."""
        with self._opened() as library:
            yield library

    @contextmanager
    def _opened(self, *, has_spares: bool = True) -> Generator[Library]:
        """The library, with a temporary index if its own cannot be written."""
        writing = Writing(self.places, self.is_read_only, self._clock)
        with ExitStack() as folders:
            spares = _spares(folders) if has_spares else ()
            library = Library(self.catalogue, self.now, self.gap, writing, spares)
            with library:
                yield library


def _spares(folders: ExitStack) -> Iterator[Path]:
    """Paths for a temporary index: in a temporary folder, else in memory."""
    with suppress(OSError):
        folder = folders.enter_context(temporary_folder())
        yield folder / "catalogue.db"
    yield IN_MEMORY


def _path_of(name: str, settings: Settings) -> Path:
    """The path of a store that is given by its name in the settings or by its path."""
    paths = (one.path for one in settings.stores if one.name == name)
    return next(paths, None) or Path(name).expanduser()


def _title(found: Found) -> str:
    """The name of a store, as `stores` shows it if no other has it."""
    if found.name:
        return found.name
    with found.format.open(found.path) as opened:
        return opened.title


def _format_of(name: str | None) -> Format | None:
    return next((form for form in FORMATS if form.name == name), None)


def _instant(text: str | None) -> int:
    """The time given with `--now`, else the present."""
    if text is None:
        return _present()
    micros = parse(text).micros
    if micros is None:
        raise WrongUseError(
            f"Invalid time {text!r} for --now; use e.g. 2026-02-14T10:30:00Z."
        )
    return micros


def _present() -> int:
    return time.time_ns() // 1000


def _past(text: str | None, now: str | None) -> int | None:
    """The time given with `--at`, if any."""
    if text is None:
        return None
    from store.past.rebuild import moment_of  # noqa: PLC0415  # only for `--at`

    return moment_of(text, _instant(now))


# Queries on the command line: parsed completely or rejected.


def understood(
    words: Sequence[str], kinds: Iterable[str] | None, *, is_change: bool = False
) -> Node:
    """Parse a query; raises WrongUseError if a part is not understood.

    Otherwise a script would not notice that it got the answer to another query. A group
    that isn't closed is only reported, unless the query says what to change.
    """
    text = " ".join(words)
    if not text.strip():
        return EVERYTHING
    from store.search.parse import parse  # noqa: PLC0415  # only for queries

    query = parse(text, kinds, is_finished=True)
    for complaint in query.complaints:
        if complaint.is_cut:
            complain(complaint.reason)
        else:
            raise WrongUseError(_with_nearest(complaint))
    _explain_operators(text)
    for mark in _unclosed(text, query.parts):
        reason = f"A {mark} isn't closed in {text!r}"
        if is_change:
            raise WrongUseError(f"{reason}.")
        complain(f"{reason}; it ends with the query.")
    if cut := _CUT.search(text):
        complain(f"{cut[0]!r} needs a word after it, so it does nothing here.")
    return query.tree


_CUT = regex(r"(?<!\S)!$|\|(?=\s*$)")
"""An operator at the end of a query."""

_COMPARING = frozenset({"<", ">", "<=", ">=", "="})
"""Operators that only mean something between a field and a value."""


def _unclosed(text: str, parts: Sequence["Part"]) -> Iterator[str]:
    """The marks of groups and phrases that aren't closed."""
    typed = [text[one.span.start : one.span.end].lstrip("~^") for one in parts]
    groups = [text[one.span.start] for one in parts if one.what is What.GROUP]
    if groups.count("(") > groups.count(")"):
        yield "parenthesis"
    if any(it.startswith('"') and it.count('"') % 2 for it in typed):
        yield "quote"


_OPERATORS = regex(r'"[^"]*"|(?<!\S)(AND|OR|NOT|&&)(?!\S)')
"""Operators of other programs; what is in quotes is text."""


def _explain_operators(text: str) -> None:
    """Report what other programs take for operators, and this one for words."""
    found = (match[1] for match in _OPERATORS.finditer(text))
    words = list(dict.fromkeys(filter(None, found)))
    if words:
        verb = "is a word" if len(words) == 1 else "are words"
        complain(
            f"{' and '.join(words)} {verb} here: all words must be there anyway, "
            "`a|b` finds either, and `!a` excludes."
        )


def _with_nearest(complaint: "Complaint") -> str:
    """The reason of a complaint, with a suggestion if it has none yet."""
    near = repr(complaint.nearest)
    if complaint.is_of_field and complaint.nearest is None:
        return f"{complaint.reason} All fields: `recollect help query`."
    if complaint.nearest is None or near in complaint.reason:
        return complaint.reason
    return f"{complaint.reason} Did you mean {near}?"


def with_saved(words: Sequence[str], name: str | None, places: Places) -> list[str]:
    """The words of a saved query, followed by those that were typed."""
    if name is None:
        return list(words)
    saved = read_settings(places).queries
    if name not in saved:
        known = f" (choose from {', '.join(saved)})" if saved else "; none is saved yet"
        raise WrongUseError(f"No saved query {name!r}{known}.")
    return [saved[name], *words]


def complain_of_unknown(
    library: Library, kinds: Sequence[str], query: Node, *, has_hits: bool = False
) -> None:
    """Report values in a query that no record has.

    If there are hits, every value that they must have is known.
    """
    if has_hits and not _has_options(query):
        return
    for leaf, _negated in () if has_hits else leaves(query):
        text = leaf.text if isinstance(leaf, Text) else ""
        word, sign, _ = text.partition(":")
        if text in _COMPARING:
            complain(
                f"{text!r} was searched as text; write field{text}value without spaces."
            )
        if text.count("(") > text.count(")"):
            complain(f"A parenthesis isn't closed in {text!r}.")
        if sign and word.isidentifier():
            complain(f"{word!r} is not a field, so {text!r} was searched as text.")
    for complaint in library.search.unknown(kinds, query):
        complain(complaint.reason)


def _has_options(query: Node) -> bool:
    """Whether a hit may lack a value that the query names."""
    match query:
        case All(terms):
            return any(map(_has_options, terms))
        case Either() | Not():
            return any(isinstance(leaf, Named) for leaf, _ in leaves(query))
        case Named(values=values):
            return len(values) > 1
        case _:
            return False


def looking_back(library: Library, query: Node, places: Places) -> None:
    """Set the time of the user's last session, which queries may refer to."""
    if query == EVERYTHING:
        return
    library.stores.look_since(last_looks(places))


# Semantic search on the command line, if the settings enable it.


def meant(library: Library, query: Node, session: Session) -> Sequence["Near"]:
    """The memories near a query in meaning; problems are reported on stderr."""
    settings = session.settings
    session.report(settings.complaints)
    if settings.semantic.provider is Provider.OFF:
        return ()
    found = library.search.meant(query, settings.semantic, session.machine.environment)
    for note in found.notes:
        complain(note)
    return found.near


# Output of answers.


def answer_list(
    kind: str,
    records: Iterable[object],
    *,
    json: bool,
    nothing: str,
    above: "Headings | None" = None,
) -> None:
    """Print a list of a known kind, as JSON, table or lines.

    Without any record, `nothing` says so on stderr.
    """
    if json:
        write_json(reported(records, nothing))
        return
    from tui.output.columns import write_list  # noqa: PLC0415  # not needed for JSON

    write_list(kind, records, nothing=nothing, above=above)


# Queries while another process syncs: answered at once if possible.

_WAITING = "Waiting for another recollect process to finish reading the stores."


@contextmanager
def answering(
    session: Session, query: Node, kinds: Sequence[str], *, waits: bool = False
) -> Generator[tuple[Library, "Unread | None"]]:
    """The library, up to date, for a query about some kinds; empty means all.

    If another process is syncing, the library is used as it is, together with hits
    found in the files that are not read yet, and the number of these files is reported
    at the end. If these files could not all be searched, or only a sync can answer the
    query, this waits for the other process: a partial answer must not look complete.
    """
    with session.library_as_it_is() as library:
        looking_back(library, query, session.places)
        if session.at is not None:
            session.brings_up_to_date(library)
            with session.back(library) as past:
                yield past, None
            return
        if session.brings_up_to_date(library, waits=False):
            yield library, None
            return
        if not waits and session.gap == USUAL.gap:
            with library.search.unread(query, kinds) as unread:
                if unread.is_complete:
                    yield library, unread
                    if unread.sentence:
                        complain(unread.sentence)
                    return
        complain(_WAITING)
        session.brings_up_to_date(library)
        yield library, None
