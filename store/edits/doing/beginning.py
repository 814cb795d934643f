"""From a draft to deeds that can be done: what is there is what was expected."""

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from store.edits.conflict import Conflict
from store.edits.doing.hands import Hands
from store.edits.doing.troubles import changed_on_disk
from store.edits.draft import AppendStep, FileStep, ModeStep, Remake, RowStep
from store.edits.kept.blobs import name_of
from store.edits.kept.deeds import (
    Deed,
    FileDeed,
    LinesDeed,
    ModeDeed,
    RowChange,
    RowsDeed,
    in_order,
)
from store.edits.refusals import NotPossibleError
from store.edits.rows import Columns, columns_of, present, raw_of, whole
from store.files.replacing import Ground, Seen, seen_at

_OPEN = 0o666


class Beginning(Struct):
    """The deeds of an operation, and what they need that the journal does not keep."""

    deeds: list[Deed] = field(default_factory=list[Deed])
    images: dict[str, bytes] = field(default_factory=dict[str, bytes])
    remakes: dict[int, Remake] = field(default_factory=dict[int, Remake])

    def image(self, raw: bytes | None) -> str | None:
        """The digest of some bytes, which are kept at hand."""
        if raw is None:
            return None
        name = name_of(raw)
        self.images[name] = raw
        return name


class Placed(Struct, frozen=True):
    """A step, and what is at its place now."""

    step: FileStep
    root: Path
    seen: Seen | None
    missing: tuple[str, ...]


def placed(root: Path, step: FileStep, ground: Ground) -> Placed:
    """Look at the place of a step; raises UnreadableError and OSError."""
    try:
        seen = seen_at(ground.spot(step.path))
    except FileNotFoundError:
        return Placed(step, root, None, ground.missing(step.path))
    return Placed(step, root, seen, ())


def begin(
    places: Sequence[Placed],
    modes: Mapping[Path, int],
    others: Sequence[LinesDeed | RowsDeed | ModeDeed],
    beginning: Beginning,
) -> None:
    """Add the deeds for some steps, in the order in which they are done.

    `modes` are those of the stores' folders. Raises ChangedOnDiskError and
    NotPossibleError.
    """
    conflicts = list(_conflicts(places))
    if conflicts:
        raise changed_on_disk(conflicts)
    near = [place.seen.attributes.mode for place in places if place.seen]
    files = {
        _deed(place, _mode(modes[place.root], near), beginning): place.step.remake
        for place in places
        if place.step.remake or place.step.before != place.step.after
    }
    beginning.deeds = in_order([*files, *others])
    for number, deed in enumerate(beginning.deeds):
        remake = files.get(deed) if isinstance(deed, FileDeed) else None
        if remake:
            beginning.remakes[number] = remake
    held = [deed for deed in beginning.deeds if not isinstance(deed, ModeDeed)]
    if len({(deed.root, deed.path) for deed in held}) < len(held):
        raise NotPossibleError("A file would be changed twice at once.")


def lines_deeds(
    root: Path, steps: Sequence[AppendStep], hands: Hands
) -> list[LinesDeed]:
    """The deeds for lines that are put behind others.

    Whether their files end as they did is looked at when the hands begin. Raises
    ChangedOnDiskError where there is none, UnreadableError and OSError.
    """
    return [
        _lines(root if step.root is None else step.root, step, hands) for step in steps
    ]


def _lines(root: Path, step: AppendStep, hands: Hands) -> LinesDeed:
    root = root.absolute()
    try:
        spot = hands.ground(root).spot(step.path)
        about = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
    except FileNotFoundError as error:
        was = step.end.tail
        conflict = Conflict(
            root=root, path=step.path, base=was, ours=was + step.lines, theirs=None
        )
        raise changed_on_disk([conflict]) from error
    return LinesDeed(
        root=root,
        path=step.path,
        end=step.end,
        lines=step.lines,
        mtime_ns=about.st_mtime_ns,
    )


def mode_deeds(root: Path, steps: Sequence[ModeStep]) -> list[ModeDeed]:
    """The deeds for modes; whether they are as they were is looked at with the rest."""
    return [
        ModeDeed(
            root=(root if step.root is None else step.root).absolute(),
            path=step.path,
            before=step.before,
            after=step.after,
        )
        for step in steps
        if step.before != step.after
    ]


def temporary() -> str:
    """What a new or an old file is called for an instant."""
    return f".recollect-{secrets.token_hex(8)}.tmp"


def rows_deeds(
    root: Path, steps: Sequence[RowStep], beginning: Beginning
) -> list[RowsDeed]:
    """The deeds for steps about rows: one a database, for it has one transaction.

    Raises ChangedOnDiskError, NotPossibleError and UnreadableError.
    """
    paths = dict.fromkeys(step.path for step in steps)
    return [
        RowsDeed(
            root=root,
            path=path,
            rows=tuple(
                _row(root, step, beginning) for step in steps if step.path == path
            ),
        )
        for path in paths
    ]


def _row(root: Path, step: RowStep, beginning: Beginning) -> RowChange:
    before = None if step.before is None else columns_of(step.before)
    after = None if step.after is None else columns_of(step.after)
    if before is not None:
        before = _completed(root, step, before, after)
    return RowChange(
        table=step.table,
        key=step.key,
        before=beginning.image(raw_of(before)),
        after=beginning.image(raw_of(after)),
        triggers=step.triggers,
    )


def _completed(
    root: Path, step: RowStep, before: Columns, after: Columns | None
) -> Columns:
    """What there is of a row, so that all that is changed of it can come back.

    Of one that goes that is the whole.
    """
    place = (root, step.path, step.table, columns_of(step.key))
    names = tuple({**before, **(after or {})})
    row = whole(*place) if after is None else present(*place, names)
    if row is not None and before.items() <= row.items():
        return row
    conflict = Conflict(
        root=root,
        path=f"{step.path}:{step.table}",
        base=raw_of(before),
        ours=raw_of(after),
        theirs=raw_of(row),
    )
    raise changed_on_disk([conflict])


def _deed(place: Placed, mode: int, beginning: Beginning) -> FileDeed:
    step = place.step
    return FileDeed(
        root=place.root,
        path=step.path,
        before=beginning.image(step.before),
        after=beginning.image(step.after),
        temp=temporary(),
        is_derived=step.remake is not None,
        folders=place.missing,
        about=place.seen.attributes if place.seen else None,
        mode=mode,
    )


def _conflicts(places: Sequence[Placed]) -> Iterator[Conflict]:
    for place in places:
        theirs = place.seen.raw if place.seen else None
        step = place.step
        if step.remake is None and theirs != step.before:
            yield Conflict(
                root=place.root,
                path=step.path,
                base=step.before,
                ours=step.after,
                theirs=theirs,
            )


def _mode(folder: int, others: Sequence[int]) -> int:
    """What a new file may be at most: as open as its store and as its neighbours.

    Who may not read what the change is about may not read what comes of it.
    """
    mode = folder & _OPEN
    for other in others:
        mode &= other
    return mode | 0o600
