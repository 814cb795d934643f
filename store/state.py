"""What the program remembers: query history, pins, reviews, last session."""

import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from os import fsdecode, fsencode
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict, replace

from store.errors import UnreadableError
from store.files.json_read import Parsed, parse
from store.findings import Json
from store.machine import NotWrittenError, Places, only_writer, read_own, replace_own

if TYPE_CHECKING:
    from store.edits.draft import Marking

# Files of the program's own: JSON on each line, or one JSON object.

_LIMIT = 64 * 1024 * 1024


def _lines(path: Path) -> list[Parsed]:
    """The lines of a file, as far as they can be parsed; raises UnreadableError."""
    raw = read_own(path, _LIMIT) or b""
    return [parse(line) for line in raw.splitlines() if line.strip()]


def _values(path: Path) -> list[Json]:
    """Every readable value on the lines of a file; never raises."""
    try:
        return [value for line in _lines(path) for value in line.values]
    except UnreadableError:
        return []


def _object(path: Path) -> dict[str, Json]:
    """The object in a file; empty if it is missing or damaged."""
    try:
        kept = json.loads(read_own(path, _LIMIT) or b"{}")
    except (UnreadableError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Json]", kept) if isinstance(kept, dict) else {}


def _write(path: Path, values: Iterable[object]) -> None:
    """Replace a file by one value on each line; raises NotWrittenError."""
    replace_own(path, "".join(f"{json.dumps(value)}\n" for value in values).encode())


# The query history: newest last, without duplicates.

HISTORY_MOST = 500
"""The most queries remembered."""

LONGEST = 2000
"""The longest query remembered, in characters; longer ones were pasted."""


class History(Struct, frozen=True):
    """The query history, as far as it can be read."""

    queries: tuple[str, ...] = ()
    """The queries, newest last."""
    notice: str | None = None
    """A sentence about a damaged file."""


def read_history(places: Places) -> History:
    """The query history; never raises."""
    path = _history(places)
    try:
        lines = _lines(path)
    except UnreadableError as error:
        return History(notice=str(error))
    values = [value for line in lines for value in line.values]
    queries = [value for value in values if isinstance(value, str)]
    damaged = len(queries) < len(values) or any(line.problem for line in lines)
    notice = f"A part of {path} could not be read." if damaged else None
    return History(_newest(queries), notice)


def remember(places: Places, query: str) -> History:
    """Append a query to the history; returns the whole history.

    It replaces the newest query if that is its beginning. A damaged file is renamed
    first. Raises NotWrittenError.
    """
    query = query.strip()
    with only_writer(places.state):
        history = read_history(places)
        *older, newest = *history.queries, query
        while older and newest.startswith(older[-1]):
            older.pop()
        queries = _newest([*older, newest])
        if not query or len(query) > LONGEST or queries == history.queries:
            return history
        told = _set_aside(_history(places)) if history.notice else None
        _write(_history(places), queries)
    return History(queries, told)


def _history(places: Places) -> Path:
    return places.state / "queries"


def _newest(queries: list[str]) -> tuple[str, ...]:
    """Each query at its last position, up to the limit."""
    newest_first = list(dict.fromkeys(reversed(queries)))[:HISTORY_MOST]
    return tuple(reversed(newest_first))


def _set_aside(path: Path) -> str:
    """Rename a damaged file so that nothing is lost; returns the message."""
    aside = path.with_name(f"{path.name}.set-aside")
    try:
        path.rename(aside)
    except OSError as error:
        raise NotWrittenError(
            f"The query history {path} is damaged and can't be moved: {error.strerror}."
        ) from error
    return (
        f"The query history was damaged. It was moved to {aside}, and a new one was "
        "started."
    )


# Problems that the user has chosen to ignore.

_IGNORED = "ignored"


class Ignored(NamedTuple):
    """What identifies a problem until it changes, wherever its line moves."""

    store: str
    code: str
    path: str
    ref: str
    """The affected record; empty if missing."""
    message: str
    digest: str
    """A digest of the text that it is about; empty if that is not a text."""


def ignored(places: Places) -> frozenset[Ignored]:
    """The ignored problems; never raises."""
    return frozenset(
        Ignored(*map(str, value))
        for value in _values(places.state / _IGNORED)
        if isinstance(value, list) and len(value) == len(Ignored._fields)
    )


def ignore(places: Places, problems: Iterable[Ignored], *, ignores: bool) -> None:
    """Start or stop ignoring problems; raises NotWrittenError."""
    with only_writer(places.state):
        before = ignored(places)
        after = before | set(problems) if ignores else before - set(problems)
        _write(places.state / _IGNORED, sorted(after))


# The last session, so that users can continue where they left.
#
# A damaged file is treated as missing; nothing else depends on it.

LAST_MOST = 100
"""The most combinations of stores remembered; the oldest are dropped first."""

_LAST = "last"


class Last(Struct, frozen=True):
    """The view when the browser was closed."""

    store: str | None = None
    """The one store shown, of those opened; None for all of them."""
    view: str | None = None
    """The kind of record listed."""
    query: str = ""
    split: int = 0
    """How list and reader shared the screen, as an index of the browser."""
    project: str | None = None
    """The folder of the project last chosen to recall for."""
    theme: str | None = None
    """The theme for all stores; None if none was chosen in this session."""


def read_last(places: Places, opened: Iterable[Path]) -> Last:
    """The last session with these stores; the defaults if unknown."""
    kept = _object(places.state / _LAST)
    left = kept.get("left")
    here = left.get(_name(opened)) if isinstance(left, dict) else None
    here = here if isinstance(here, dict) else {}
    split = here.get("split")
    return Last(
        store=_text(here.get("store")),
        view=_text(here.get("view")),
        query=_text(here.get("query")) or "",
        split=split if isinstance(split, int) and not isinstance(split, bool) else 0,
        project=_text(here.get("project")),
        theme=_text(kept.get("theme")),
    )


def keep_last(places: Places, opened: Iterable[Path], last: Last) -> None:
    """Save the session with these stores; raises NotWrittenError.

    Without a theme, the one saved earlier stays.
    """
    if len(last.query) > LONGEST:
        last = replace(last, query="")
    here = asdict(last)
    theme = here.pop("theme")
    name = _name(opened)
    with only_writer(places.state):
        kept = _object(places.state / _LAST)
        left, earlier = kept.get("left"), _text(kept.get("theme"))
        others = dict(left) if isinstance(left, dict) else {}
        others.pop(name, None)
        newest = dict([*others.items(), (name, here)][-LAST_MOST:])
        whole = {"theme": earlier if theme is None else theme, "left": newest}
        _write(places.state / _LAST, [whole])


def _text(value: Json) -> str | None:
    """The value if it is a string of reasonable length."""
    return value if isinstance(value, str) and len(value) <= LONGEST else None


def _name(opened: Iterable[Path]) -> str:
    """A short name for a combination of stores, independent of their order."""
    paths = b"\0".join(sorted(fsencode(path) for path in opened))
    return blake2b(paths, digest_size=16).hexdigest()


# The user's last visit to each store, for showing what is new.

LOOKED_MOST = 1000
"""The most stores remembered; the oldest visits are dropped first."""

_LATEST = 2**62
_LOOKED = "looked"


def last_looks(places: Places) -> dict[str, int]:
    """The last visit to each store, by path, in microseconds since 1970.

    A damaged file counts as no visits. Never raises.
    """
    return {
        store: instant
        for store, instant in _object(places.state / _LOOKED).items()
        if type(instant) is int and 0 <= instant <= _LATEST
    }


def look(places: Places, stores: Iterable[Path], now: int) -> None:
    """Record a visit to some stores; raises NotWrittenError."""
    seen = {fsdecode(store): now for store in stores}
    with only_writer(places.state):
        others = {k: v for k, v in last_looks(places).items() if k not in seen}
        kept = dict([*others.items(), *seen.items()][-LOOKED_MOST:])
        _write(places.state / _LOOKED, [kept])


# The stores in which the user has allowed changes; all others are read-only.

_PERMITTED = "permitted"


def permitted(places: Places) -> frozenset[str]:
    """Their paths; if they cannot be read, none is allowed."""
    try:
        lines = _lines(places.state / _PERMITTED)
    except UnreadableError:
        return frozenset()
    values = [value for line in lines if not line.problem for value in line.values]
    return frozenset(value for value in values if isinstance(value, str))


def permit(places: Places, store: str, *, changes: bool) -> None:
    """Remember whether a store may be changed; raises NotWrittenError."""
    with only_writer(places.state):
        before = permitted(places)
        after = before | {store} if changes else before - {store}
        if after != before:
            _write(places.state / _PERMITTED, sorted(after))


# Pins of memories whose format has no field for them.
#
# A pin is saved outside the store, by the store's path and the memory's own identifier,
# or its file if it has none. So it survives a rebuild of the catalogue, and a move of
# the memory within its store.

NAME = "pinned"
"""The name of this mark in drafts."""


class Mark(NamedTuple):
    """A marked memory."""

    store: str
    """The absolute path of the store's root."""
    key: str
    """`id:…` or `path:…`."""


Pinned = Mapping[Mark, int]
"""The time of each pin, in microseconds since 1970."""


def mark(store: str, own: str | None, path: str) -> Mark:
    """The mark of a memory, given its store, identifier and path."""
    return Mark(store, f"id:{own.casefold()}" if own else f"path:{path}")


def pinned(places: Places) -> Pinned:
    """All pins; never raises. What cannot be read is not pinned."""
    found: dict[Mark, int] = {}
    for value in _values(places.marks):
        match value:
            case {"store": str() as store, "key": str() as key, "at": int() as at}:
                found[Mark(store, key)] = at
            case _:
                pass
    return found


def keep_marks(
    places: Places, store: str, marks: "Iterable[Marking]", now: int
) -> None:
    """Save the marks that a change sets or removes; raises NotWrittenError.

    What is pinned already stays as it is.
    """
    told = [one for one in marks if one.name == NAME]
    if not told:
        return
    with only_writer(places.state):
        before = pinned(places)
        after = dict(before)
        for one in told:
            if one.is_set:
                after.setdefault(_mark_of(store, one), now)
            else:
                after.pop(_mark_of(store, one), None)
        if after != before:
            values = ({**one._asdict(), "at": at} for one, at in after.items())
            _write(places.marks, values)


def differing(
    places: Places, store: str, marks: "Iterable[Marking]"
) -> "tuple[Marking, ...]":
    """The marks that would change something."""
    known = pinned(places)
    return tuple(one for one in marks if (_mark_of(store, one) in known) != one.is_set)


def by_store(known: Pinned) -> dict[str, list[str]]:
    """The keys of all pins, by store."""
    found: dict[str, list[str]] = {}
    for one in known:
        found.setdefault(one.store, []).append(one.key)
    return found


def _mark_of(store: str, marking: "Marking") -> Mark:
    root = store if marking.root is None else str(marking.root)
    return mark(root, marking.id, marking.path)


# The refs of records that a change renamed, each with its new ref.

_REFS = "refs"


class RefsThen(Struct, frozen=True):
    """How a change affects refs."""

    gone: Collection[str]
    came: Collection[str]
    given: Mapping[str, str]
    """The new refs of the records whose refs changed, by old ref."""
    deleted: Collection[str]
    is_undone: bool
    """Whether it is an undo or a redo, which restores refs that existed before."""


def former_refs(places: Places) -> dict[str, str]:
    """The new ref of each ref that was given up, one step on; never raises."""
    found: dict[str, str] = {}
    for value in _values(places.state / _REFS):
        match value:
            case [str() as old, str() as new]:
                found[old] = new
            case _:
                pass
    return found


def keep_refs(places: Places, change: RefsThen) -> None:
    """Save which refs a change replaced, and with what; raises NotWrittenError."""
    is_known = bool(change.gone or change.came) and (places.state / _REFS).exists()
    if not (is_known or change.given):
        return
    with only_writer(places.state):
        before = former_refs(places)
        after = dict(before)
        for ref in change.came:
            if after.get(ref) in change.gone:
                after[after.pop(ref)] = ref
            elif ref in after and not change.is_undone:
                _pass_by(after, ref)
        after |= change.given
        for ref in change.deleted:
            after.pop(ref, None)
        if after != before:
            _write(places.state / _REFS, after.items())


def _pass_by(refs: dict[str, str], ref: str) -> None:
    """Redirect older refs past a ref that now belongs to another record."""
    led = refs.pop(ref)
    refs |= {old: led for old, new in refs.items() if new == ref}


# Records that the user reviewed and approved, until they change.

_REVIEWED = "reviewed"


def reviewed(places: Places) -> dict[str, str]:
    """The state in which each record was approved, by ref; never raises."""
    return {
        str(value.get("ref")): str(value.get("stood"))
        for value in _values(places.state / _REVIEWED)
        if isinstance(value, dict)
    }


def note_reviewed(places: Places, ref: str, stood: str | None) -> None:
    """Record the state in which a record was approved; None removes the note.

    Raises NotWrittenError.
    """
    with only_writer(places.state):
        notes = reviewed(places)
        if stood is None:
            notes.pop(ref, None)
        else:
            notes[ref] = stood
        values = ({"ref": name, "stood": note} for name, note in notes.items())
        _write(places.state / _REVIEWED, values)


# How often the browser was started, so that it can stop showing hints.

_LONGEST = 20
"""The most digits of a count, and a line feed."""

_MOST = 1_000_000
"""The highest count."""

_STARTS = "starts"


def starts(places: Places) -> int:
    """How often the browser was started; if unknown, the user counts as experienced."""
    try:
        raw = read_own(places.state / _STARTS, _LONGEST)
    except UnreadableError:
        return _MOST
    text = b"0" if raw is None else raw.strip()
    return min(int(text), _MOST) if text.isdigit() else _MOST


def count_start(places: Places) -> int:
    """Count one more start, and return the count; raises NotWrittenError."""
    with only_writer(places.state):
        count = min(starts(places) + 1, _MOST)
        replace_own(places.state / _STARTS, b"%d\n" % count)
    return count


# The health of stores, day by day; the last look of a day counts.

_SCORES = "scores"
_MOST_SCORES = 1000


class Score(Struct, frozen=True):
    """How healthy some stores were on a day."""

    day: str
    """The day, as YYYY-MM-DD."""
    score: int
    """From 0 to 100."""
    errors: int
    warnings: int
    notes: int
    stores: str = ""
    """What names these stores together."""


def scores(places: Places, stores: Iterable[str]) -> list[Score]:
    """The scores of exactly these stores, oldest first."""
    name = _together(stores)
    return [one for one in _all_scores(places) if one.stores == name]


def note_score(places: Places, stores: Iterable[str], score: Score) -> None:
    """Remember the score of a day; raises NotWrittenError."""
    new = replace(score, stores=_together(stores))
    with only_writer(places.state):
        kept = [
            one
            for one in _all_scores(places)
            if (one.day, one.stores) != (new.day, new.stores)
        ]
        values = [asdict(one) for one in [*kept, new][-_MOST_SCORES:]]
        _write(places.state / _SCORES, values)


def _all_scores(places: Places) -> list[Score]:
    found: list[Score] = []
    for value in _values(places.state / _SCORES):
        with suppress(ValidationError):
            found.append(convert(value, Score))
    return found


def _together(stores: Iterable[str]) -> str:
    name = "\0".join(sorted(stores)).encode(errors="surrogateescape")
    return blake2b(name, digest_size=6).hexdigest()
