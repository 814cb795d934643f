"""The whole known history of a file: versions, and who wrote which line."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, takewhile
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, replace
from rapidfuzz.distance import Indel

from store.catalogue.reader import Reader, Span
from store.catalogue.search import Finder
from store.derive.paths import Placed
from store.derive.texts import difference
from store.edits.deeds import FileDeed
from store.edits.journal import ChangeFolder, Kind, Operation, State
from store.errors import NothingFoundError, RecollectError, UnreadableError
from store.files.beneath import Root
from store.formats.port import Format
from store.kinds import Record
from store.kinds.messages import MESSAGES, Message
from store.machine import Places
from store.provenance import calls
from store.provenance.git import Commits
from store.records.answers import Blame, Blamed, Version
from store.times import parse

# The current text of a file.

_BINARY = b"\0"


def text_now(place: Placed) -> str:
    """The text of a file; raises UnreadableError."""
    with Root(Path(place.store)) as root:
        blob = root.read(place.path)
    if _BINARY in blob.raw or not blob.whole:
        raise UnreadableError(f"{place.path} isn't text, or is too long to compare.")
    return calls.plain(blob.raw.decode("utf-8", "surrogateescape"))


def moment_now(place: Placed) -> int | None:
    """When a file was last changed, in microseconds since 1970."""
    try:
        return (Path(place.store) / place.path).stat().st_mtime_ns // 1000
    except OSError:
        return None


# Edits made here, with their contents, from the undo journal.

_ALIKE = 0.5
"""The least similarity at which a deleted file counts as the origin of a new one."""


_ENDED = {State.DONE, State.ABORTED}


class Changes:
    """File history from the undo journal."""

    def __init__(self, places: Places) -> None:
        """Reads nothing until asked, and never writes."""
        self._folder = places.state / "changes"
        self._ended: list[Operation] | None = None
        self._blobs = self._folder
        self.notice = ""
        """The problem that occurred, if any."""

    def changes_of(self, place: Placed) -> list[calls.Told]:
        """The edits of a file that were done, undone and redone, in order of time."""
        return [
            self._told(operation, deed, place)
            for operation, deed in self._deeds_at(place)
            if operation.state is State.DONE
        ]

    def has_removed(self, place: Placed, mtime_ns: int) -> bool:
        """Whether this version of a file was removed, or its creation undone."""
        last = self._deeds_at(place)[-1:]
        return any(
            deed.before is None
            if operation.state is State.ABORTED
            else deed.after is None and deed.about and deed.about.mtime_ns >= mtime_ns
            for operation, deed in last
        )

    def files_of(self, store: str) -> Iterator[str]:
        """The files of a store that were ever changed from here."""
        root = os.path.realpath(store)
        for operation in self._operations():
            if operation.state is State.DONE:
                for deed in _files(operation):
                    if os.path.realpath(deed.root) == root:
                        yield deed.path

    def _deeds_at(self, place: Placed) -> list[tuple[Operation, FileDeed]]:
        """What was done to a file and what was given up, in order of time."""
        root = os.path.realpath(place.store)
        return [
            (operation, deed)
            for operation in self._operations()
            for deed in _files(operation)
            if deed.path == place.path and os.path.realpath(deed.root) == root
        ]

    def _operations(self) -> list[Operation]:
        """The operations that have ended; empty if the journal cannot be read."""
        if self._ended is None:
            self._ended = []
            try:
                if self._folder.is_dir():
                    with ChangeFolder(self._folder) as folder:
                        known = list(folder.operations().values())
                        self._blobs = folder.blobs.folder
                    self._ended = [one for one in known if one.state in _ENDED]
            except RecollectError as error:
                self.notice = str(error)
        return self._ended

    def _told(self, operation: Operation, deed: FileDeed, place: Placed) -> calls.Told:
        gone = self._origin(operation, deed)
        before = deed.before if gone is None else gone.before
        call = calls.Call("change", self._text(deed.after), before=self._text(before))
        return calls.Told(
            _maker(operation), call, gone and Placed(_named(gone, place), gone.path)
        )

    def _origin(self, operation: Operation, deed: FileDeed) -> FileDeed | None:
        """The file before it was moved: the most similar one that was deleted."""
        if deed.before is not None or deed.after is None:
            return None
        went = [
            (self._likeness(one, deed), one)
            for one in _files(operation)
            if one.before is not None and one.after is None
        ]
        likeness, origin = max(went, key=lambda one: one[0], default=(0.0, None))
        return origin if likeness >= _ALIKE else None

    def _likeness(self, gone: FileDeed, new: FileDeed) -> float:
        """The similarity of two files."""
        if gone.before == new.after:
            return 1.0
        before, after = self._text(gone.before), self._text(new.after)
        if before is None or after is None:
            return 0.0
        return Indel.normalized_similarity(before.split("\n"), after.split("\n"))

    def _text(self, name: str | None) -> str | None:
        """A saved text; empty if there was no file, None if it is lost."""
        if name is None:
            return ""
        try:
            raw = (self._blobs / name).read_bytes()
        except OSError:
            return None
        return raw.decode("utf-8", "surrogateescape")


def _files(operation: Operation) -> Iterator[FileDeed]:
    """The files that an operation created, changed or deleted."""
    return (deed for deed in operation.deeds if isinstance(deed, FileDeed))


def _named(deed: FileDeed, place: Placed) -> str:
    """The store of a file, spelt as in `place` if it is the same."""
    is_same = os.path.realpath(deed.root) == os.path.realpath(place.store)
    return place.store if is_same else str(deed.root)


def _maker(operation: Operation) -> calls.Maker:
    is_change = operation.kind is Kind.CHANGE
    return calls.Maker(
        by="change",
        what=operation.action if is_change else f"{operation.kind} {operation.action}",
        at=parse(operation.time).iso,
        moment=operation.time,
        ref=operation.change,
    )


# Gather everything known about the history of a file, in order, and replay it.

_EXACT = frozenset({"call", "change"})
"""Changes reported exactly as and when they happened."""


class Gathered(Struct, frozen=True):
    """The changes to a file, each kind in order of time."""

    done: tuple[calls.Made, ...]
    """Tool calls, and edits made here."""
    commits: tuple[calls.Made, ...]
    """Commits; each shows the file at that time, no matter what had changed it."""
    commands: tuple[calls.Told, ...]
    """Commands that may have changed it."""
    notices: tuple[str, ...] = ()
    """Problems that limit what is known."""


def replayed(told: Iterable[calls.Told]) -> tuple[calls.Made, ...]:
    """The exact changes in order of time, with their texts."""
    exact = [one for one in told if one.maker.by in _EXACT]
    return _replayed(sorted(exact, key=_moment))


def gather(
    pasts: Iterable[calls.Past], place: Placed, until: int | None = None
) -> Gathered:
    """Everything that all sources know about a file, up to a moment if given."""
    asked = list(pasts)
    told = sorted(_told(asked, place, until), key=_moment)
    return Gathered(
        done=replayed(told),
        commits=_replayed(one for one in told if one.maker.by == "commit"),
        commands=tuple(one for one in told if one.maker.by == "command"),
        notices=tuple(dict.fromkeys(past.notice for past in asked if past.notice)),
    )


def _told(
    pasts: Sequence[calls.Past], place: Placed, until: int | None
) -> list[calls.Told]:
    """The changes to a file, and to its earlier names.

    Changes under an earlier name count only up to the rename, as another file may have
    that name now. The move itself does not end the history, and a commit may be
    reported under both names.
    """
    found: list[tuple[Placed, calls.Told]] = []
    bounds: dict[Placed, int | None] = {place: None if until is None else until + 1}
    names = [place]
    for name in names:
        bound = bounds[name]
        for one in (one for past in pasts for one in past.changes_of(name)):
            if bound is None or _moment(one) < bound:
                found.append((name, one))
                if one.origin and one.origin not in bounds:
                    bounds[one.origin] = _moment(one)
                    names.append(one.origin)
    went = {(one.origin, _moment(one)) for _, one in found if one.origin}
    told = [one for name, one in found if (name, _moment(one)) not in went]
    commits = {one.maker.ref: one for one in told if one.maker.by == "commit"}
    return [*commits.values(), *(one for one in told if one.maker.by != "commit")]


def _moment(change: calls.Told | calls.Made) -> int:
    return change.maker.moment or 0


class Earlier(Struct, frozen=True):
    """What our changes, agents' tool calls and git know about files that are gone."""

    reader: Reader
    """The catalogue of transcripts."""
    formats: Mapping[Path, Format]
    """The formats of the open stores."""
    places: Places | None
    """Where our changes are, or None."""
    now: int

    def text(self, store: str, path: str) -> str | None:
        """The last text of a file that is gone or empty; None if it is unknown."""
        ours = [] if self.places is None else [Changes(self.places)]
        pasts = (calls.Calls(self.reader, self.formats, self.now), *ours, Commits())
        known = gather(pasts, Placed(store, path))
        made = [*known.done, *known.commits]
        made.sort(key=_moment, reverse=True)
        texts = (text for one in made for text in (one.after, one.before))
        return next((text for text in texts if text and text.strip()), None)

    def is_known(self, store: str, path: str) -> bool:
        """Whether an earlier version of a file is known."""
        return self.text(store, path) is not None

    def is_removed_here(self, store: str, path: str, mtime_ns: int) -> bool:
        """Whether our last change of a file removed this version of it."""
        if self.places is None:
            return False
        return Changes(self.places).has_removed(Placed(store, path), mtime_ns)


def discreet(known: Gathered, shown: Callable[[str], str]) -> Gathered:
    """The history with its texts masked; edits, as parts of texts, are dropped."""

    def text(told: str | None) -> str | None:
        return None if told is None else shown(told)

    def told(made: calls.Made) -> calls.Made:
        before, after = text(made.before), text(made.after)
        return calls.Made(maker=made.maker, before=before, after=after)

    return replace(
        known,
        done=tuple(map(told, known.done)),
        commits=tuple(map(told, known.commits)),
    )


def _replayed(told: Iterable[calls.Told]) -> tuple[calls.Made, ...]:
    """The changes with their texts, as far as they follow from one another."""
    several = list(told)
    steps = calls.replay(one.call for one in several)
    return tuple(
        calls.Made(maker=one.maker, **asdict(step))
        for one, step in zip(several, steps, strict=True)
    )


# Attribute each line of a text to the step that made it.
#
# An edit is traced to the exact lines it touched. When a text is rewritten as a whole,
# lines that were there before keep their makers.

NOBODY = -1
"""The maker of lines that no step made."""

_MOST = 400_000_000
"""The most pairs of lines compared; a larger text counts as new."""


class Line(NamedTuple):
    """A line, and the number of the step that made it."""

    text: str
    maker: int


def attribute(steps: Sequence[calls.Step], text: str) -> list[Line]:
    """The lines of a text, each with the number of the step that made it."""
    lines: list[Line] = []
    for number, step in enumerate(steps):
        if step.before is not None:
            lines = _turned(lines, split(step.before), NOBODY)
        if step.after is not None:
            lines = _changed(lines, step, step.after, number)
    lines = _turned(lines, split(text), NOBODY)
    for number, step in reversed(list(enumerate(steps))):
        for edit in step.edits if step.after is None else ():
            _claim(lines, split(edit.new), number)
    return lines


def split(text: str) -> list[str]:
    """The lines of a text; a final line feed does not start another."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _changed(lines: list[Line], step: calls.Step, after: str, maker: int) -> list[Line]:
    """The lines after a step; an edit only affects the lines it touched."""
    text = step.before
    for edit in step.edits:
        if text is None or not edit.old or edit.is_everywhere:
            text = None
            break
        lines, text = _spliced(lines, text, edit, maker)
    return lines if text == after else _turned(lines, split(after), maker)


def _spliced(
    lines: list[Line], text: str, edit: calls.Edit, maker: int
) -> tuple[list[Line], str]:
    """The lines and their text after one edit; untouched lines stay."""
    at = text.index(edit.old)
    end = at + len(edit.old)
    first = text.rfind("\n", 0, at) + 1
    ended = text.find("\n", end)
    last = len(text) if ended < 0 else ended
    new = (text[first:at] + edit.new + text[end:last]).split("\n")
    if ended < 0 and not new[-1]:
        new.pop()
    start = text.count("\n", 0, first)
    stop = start + text.count("\n", first, last) + 1
    touched = _turned(lines[start:stop], new, maker)
    whole = text[:at] + edit.new + text[end:]
    return [*lines[:start], *touched, *lines[stop:]], whole


def _turned(lines: Sequence[Line], new: Sequence[str], maker: int) -> list[Line]:
    """New lines in place of old ones; lines that stay keep their makers."""
    made = [Line(line, maker) for line in new]
    for at, new_at, size in _kept([line.text for line in lines], new):
        made[new_at : new_at + size] = lines[at : at + size]
    return made


def _kept(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The stretches that stay: their start in both, and their length."""
    head = _same(zip(old, new, strict=False))
    rest, others = old[head:], new[head:]
    tail = _same(zip(reversed(rest), reversed(others), strict=False))
    yield 0, 0, head
    yield len(old) - tail, len(new) - tail, tail
    if (len(rest) - tail) * (len(others) - tail) > _MOST:
        return
    for code in Indel.opcodes(rest[: len(rest) - tail], others[: len(others) - tail]):
        if code.tag == "equal":
            size = code.src_end - code.src_start
            yield code.src_start + head, code.dest_start + head, size


def _same(pairs: Iterable[tuple[str, str]]) -> int:
    """The number of equal pairs at the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _claim(lines: list[Line], fragment: Sequence[str], maker: int) -> None:
    """Attribute lines without a maker to an edit whose context is unknown."""
    if not any(fragment):
        return
    for start in range(len(lines) - len(fragment) + 1):
        stretch = lines[start : start + len(fragment)]
        if all(
            line == Line(text, NOBODY)
            for line, text in zip(stretch, fragment, strict=True)
        ):
            lines[start : start + len(fragment)] = [Line(t, maker) for t in fragment]
            return


# Blame: each line of a file with its origin, as far as known.

UNKNOWN = calls.Maker(by="unknown", what="")
"""The maker of lines of unknown origin."""


def blame(ref: str, place: Placed, text: str, known: Gathered) -> Blame:
    """The lines of a file's text, by origin.

    Direct changes take precedence over commits, because a commit only shows the state
    of a file, not who changed it.
    """
    done = _standing(known.done)
    lines = attribute(done, text)
    makers = [_maker_of(done, line.maker) for line in lines]
    if UNKNOWN in makers and known.commits:
        committed = attribute(known.commits, text)
        makers = [
            _maker_of(known.commits, line.maker) if maker is UNKNOWN else maker
            for maker, line in zip(makers, committed, strict=True)
        ]
    return Blame(
        ref=ref,
        store=place.store,
        path=place.path,
        lines=tuple(_blamed(makers, [line.text for line in lines])),
        written=tuple(_each_once(one.maker for one in known.done)),
        maybe=tuple(_each_once(one.maker for one in known.commands)),
    )


def _standing(done: Iterable[calls.Made]) -> list[calls.Made]:
    """The changes, without each one that was undone right away and its undo."""
    left: list[calls.Made] = []
    for one in done:
        is_undo = one.maker.what.startswith(f"{Kind.UNDO} ")
        was = left[-1] if left and is_undo else None
        if was and (was.maker.ref, was.before) == (one.maker.ref, one.after):
            left.pop()
        else:
            left.append(one)
    return left


def _maker_of(made: Sequence[calls.Made], number: int) -> calls.Maker:
    return UNKNOWN if number == NOBODY else made[number].maker


def _blamed(makers: Sequence[calls.Maker], texts: Sequence[str]) -> Iterator[Blamed]:
    """The lines, with adjacent ones of the same origin grouped."""
    at = 1
    for maker, several in groupby(zip(makers, texts, strict=True), lambda one: one[0]):
        lines = [text for _, text in several]
        yield Blamed(
            first=at,
            last=at + len(lines) - 1,
            by=maker.by,
            what=maker.what or None,
            at=maker.at,
            ref=maker.ref,
            conversation=maker.conversation,
            session=maker.session,
            who=maker.who,
            text="\n".join(lines),
        )
        at += len(lines)


def _each_once(makers: Iterator[calls.Maker]) -> Iterator[str]:
    """The messages of the makers, each once."""
    refs = dict.fromkeys(maker.ref for maker in makers if maker.conversation)
    return (ref for ref in refs if ref)


# Versions: every known change to a file, with its diff.

_HEAD = 2
"""Lines of a diff that name the file."""

OUTSIDE = "changed by an unknown program"


def versions(
    place: Placed, text: str | None, changed: int | None, known: Gathered
) -> list[Version]:
    """The changes to a file, newest first.

    If the current text differs from the result of the last one, something else changed
    the file since; that is reported as well, with the time of the last change.
    """
    made = [*known.done, *known.commits]
    made += [calls.Made(maker=o.maker, before=None, after=None) for o in known.commands]
    made += _since(text, changed, known)
    made.sort(key=_moment, reverse=True)
    return [_version(place, one) for one in made]


def _since(
    text: str | None, changed: int | None, known: Gathered
) -> Iterator[calls.Made]:
    """A change after all known ones, if there was any."""
    ends = [made[-1] for made in (known.done, known.commits) if made]
    if not ends or text is None or any(end.after in {text, None} for end in ends):
        return
    last = max(ends, key=_moment)
    at = None if changed is None else parse(changed).iso
    maker = calls.Maker(by="unknown", what=OUTSIDE, at=at, moment=changed)
    yield calls.Made(maker=maker, before=last.after, after=text)


def _version(place: Placed, made: calls.Made) -> Version:
    maker = made.maker
    diffs = list(_diffs(place.path, made))
    return Version(
        by=maker.by,
        what=maker.what,
        who=maker.who,
        at=maker.at,
        ref=maker.ref,
        conversation=maker.conversation,
        session=maker.session,
        store=place.store,
        path=place.path,
        added=_count(diffs, "+"),
        removed=_count(diffs, "-"),
        diff="".join(diffs) if diffs else None,
    )


def _diffs(name: str, made: calls.Made) -> Iterator[str]:
    """The diff of a change; if the whole text is unknown, the diffs of its edits."""
    if made.after is not None and made.before is not None:
        yield difference(name, made.before or None, made.after)
    elif made.after is not None and not made.edits:
        yield difference(name, None, made.after)
    else:
        yield from (difference(name, edit.old, edit.new) for edit in made.edits)


def _count(diffs: list[str], sign: str) -> int | None:
    """The number of lines with this sign, without the lines that name the file."""
    if not diffs:
        return None
    lines = (line for diff in diffs for line in diff.split("\n")[_HEAD:])
    return sum(line.startswith(sign) for line in lines)


# The history of a record's file, gathered from all sources.


class Tracer(Struct, frozen=True):
    """Traces files back to whatever changed them."""

    reader: Reader
    """The catalogue of transcripts."""
    finder: Finder
    """Finds commands."""
    formats: Mapping[Path, Format]
    """The formats of the open stores."""
    others: Sequence[calls.Past]
    """Other sources of history."""
    now: int
    complain: Callable[[str], None]
    """Receives the problems that limit what is known."""
    until: int | None = None
    """Changes after this moment are ignored; None includes everything."""
    text_of: Callable[[Placed], str] = text_now
    """Reads the text of a file."""

    def blame(self, record: Record) -> Blame:
        """The lines of a record's file, by origin; raises UnreadableError."""
        place = _place(record)
        text = self._read(place)
        return blame(record.ref or "", place, text, self._gathered(place))

    def versions(self, record: Record) -> list[Version]:
        """The known changes to a record's file, newest first."""
        place = _place(record)
        known = self._gathered(place)
        return versions(place, self._text(place), moment_now(place), known)

    def traced(self, record: Record) -> tuple[list[Version], Blame | None]:
        """Both at once; no blame if the file has no comparable text."""
        place = _place(record)
        known = self._gathered(place)
        try:
            text = self._read(place)
        except UnreadableError as error:
            self.complain(str(error))
            return versions(place, None, None, known), None
        told = versions(place, text, moment_now(place), known)
        return told, blame(record.ref or "", place, text, known)

    def messages(self, record: Record) -> list[Message]:
        """The messages whose calls wrote a record's file, in order of time.

        For a record that is one of many in its file, the message that wrote its line.
        """
        place = _place(record)
        line = getattr(record, "line", None)
        known = self._gathered(place)
        if line is None:
            refs = _each_once(one.maker for one in known.done)
        else:
            refs = self._writer(place, line, known)
        found = (
            self.reader.called(MESSAGES, Span.of(ref), self.now, 1) for ref in refs
        )
        return [message for several in found for message in several]

    def _writer(self, place: Placed, line: int, known: Gathered) -> Iterable[str]:
        """The message that wrote a line of a file, if there is one."""
        text = self._text(place)
        if text is None:
            return ()
        told = blame("", place, text, known).lines
        span = next((one for one in told if one.first <= line <= one.last), None)
        return (span.ref,) if span and span.ref and span.conversation else ()

    def _text(self, place: Placed) -> str | None:
        """The text of a file; None if it has no comparable text."""
        try:
            return self._read(place)
        except UnreadableError:
            return None

    def _read(self, place: Placed) -> str:
        """The text of a file, with secrets masked; raises UnreadableError."""
        text, shown = self.text_of(place), self._shown(place)
        return text if shown is None else shown(text)

    def _shown(self, place: Placed) -> Callable[[str], str] | None:
        """The function that masks a file's text, if it contains secrets."""
        known = self.formats.get(Path(place.store))
        shown = None if known is None else known.shown(place.path)
        return None if shown is None else partial(_masked, shown)

    def _gathered(self, place: Placed) -> Gathered:
        known = gather(
            (
                calls.Calls(self.reader, self.formats, self.now),
                calls.Commands(self.reader, self.finder, self.formats, self.now),
                *self.others,
                Commits(),
            ),
            place,
            self.until,
        )
        for notice in known.notices:
            self.complain(notice)
        shown = self._shown(place)
        return known if shown is None else discreet(known, shown)


def _masked(shown: Callable[[bytes], bytes], text: str) -> str:
    """A text without its secrets; an empty text is not masked."""
    raw = text.encode("utf-8", "surrogateescape")
    return shown(raw).decode("utf-8", "surrogateescape") if raw else text


def _place(record: Record) -> Placed:
    """The file of a record; raises NothingFoundError."""
    path = getattr(record, "path", None)
    if not path:
        raise NothingFoundError("This record has no file of its own.")
    return Placed(record.store, path)
