"""Deeds: what a change does to each file; each kind does, checks and undoes itself.

Files, appended lines and modes are here, rows of databases in `store.edits.rows`.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from store.edits.backups import Target, Workspace
from store.edits.draft import (
    AppendStep,
    FileStep,
    ModeStep,
    RowStep,
    Stage,
    Step,
    Versions,
)
from store.files.append import (
    THERE,
    End,
    Placement,
    append,
    cut,
    is_shared,
    placement,
    without,
)
from store.files.replace import (
    Method,
    Replacement,
    is_torn,
    overwrite,
    publish,
    swap,
    tidy,
    withdraw,
)
from store.files.writable import (
    Attributes,
    BusyError,
    ForeignError,
    ProtectedError,
    Seen,
    Spot,
    change_mode,
    mode_at,
    seen_at,
    shown_mode,
)

Resolved = FileStep | RowStep | ModeStep
"""A step from the current content of a file to the one that the user has chosen."""


def temporary() -> str:
    """A temporary name for a new or an old file."""
    return f".recollect-{secrets.token_hex(8)}.tmp"


# What every kind of deed offers. Its fields, in this order, are in the journal.


class Deed(Struct, frozen=True, kw_only=True):
    """What a change does to one file, with enough to finish or undo it."""

    path: str
    """The file, relative to its store."""
    root: Path

    @property
    def target(self) -> Target:
        """What the deed is about; an operation has one deed for each target."""
        return type(self), self.root, self.path

    @property
    def rank(self) -> int:
        """Its place among the deeds of an operation; see `in_order`."""
        raise NotImplementedError

    @property
    def is_optional(self) -> bool:
        """Whether the change can be made without it."""
        return False

    @property
    def blobs(self) -> set[str]:
        """The digests of all bytes that it refers to."""
        return set()

    def reversed(self) -> Self:
        """The deed that undoes this one."""
        raise NotImplementedError

    def adjusted(self, workspace: Workspace) -> "Deed":
        """The deed that does the same to the files as they are now."""
        del workspace
        return self

    def start(self, workspace: Workspace) -> Method:
        """Carry out the deed; unless it was refused, it may be done in part."""
        workspace.touched.add(self.target)
        try:
            return self.do(workspace)
        except (ForeignError, BusyError, ProtectedError):
            if not workspace.is_overwritten(self.target):
                workspace.touched.discard(self.target)
            raise

    def do(self, workspace: Workspace) -> Method:
        """Carry out the deed, of which nothing has been done yet."""
        raise NotImplementedError

    def stage(self, workspace: Workspace) -> Stage:
        """How far the deed got, judging by what is on disk."""
        raise NotImplementedError

    def spot(self, workspace: Workspace) -> Spot:
        """The place of the file; raises FileNotFoundError if its folder is missing."""
        return workspace.writable(self.root).spot(self.path)

    def finish(self, workspace: Workspace) -> None:
        """Do what is left of a deed that was started."""
        if self.stage(workspace) is Stage.BEFORE:
            self.do(workspace)

    def tidy(self, workspace: Workspace) -> None:
        """Remove the leftovers of an interrupted attempt."""

    def versions(self, workspace: Workspace) -> list[Versions]:
        """The file, or each row, before, after and now."""
        raise NotImplementedError

    def steps(self, workspace: Workspace) -> Iterator[Step]:
        """The deed as steps of a draft, for display."""
        raise NotImplementedError

    def resolving(self, workspace: Workspace, *, mine: bool) -> Iterator[Resolved]:
        """The steps from the current file to our version, or to the one before."""
        (seen,) = self.versions(workspace)
        yield FileStep(
            path=self.path,
            before=seen.now,
            after=seen.after if mine else seen.before,
            root=workspace.elsewhere(self.root),
        )


def in_order(deeds: Iterable[Deed]) -> list[Deed]:
    """Sort deeds so that a crash leaves too much rather than too little.

    Creations first, then changes, then removals, then derived files, and modes last.
    """
    return sorted(deeds, key=lambda deed: deed.rank)


# Create, change or remove one file.


class FileDeed(Deed, frozen=True, kw_only=True, rename={"is_derived": "derived"}):
    """One file created, changed or removed."""

    before: str | None
    after: str | None
    temp: str
    """The temporary name of the new or the old file, in the same folder."""
    is_derived: bool = False
    """Whether it is computed from other files, so the change can be made without it."""
    folders: tuple[str, ...] = ()
    """The missing folders to create, outermost first. If the file is removed, the
    folders to remove with it if they are empty."""
    about: Attributes | None = None
    """The attributes of the file before the change; None if there is no file."""
    restores: Attributes | None = None
    """The attributes to restore, if an earlier version is put back."""
    mode: int = 0o600
    """The mode of a new file."""

    @property
    def rank(self) -> int:
        """Creations first; see `in_order`."""
        if self.is_derived:
            return 3
        return 0 if self.before is None else 2 if self.after is None else 1

    @property
    def is_optional(self) -> bool:
        """Whether the file is derived."""
        return self.is_derived

    @property
    def blobs(self) -> set[str]:
        """The digests of the file before and after."""
        return {name for name in (self.before, self.after) if name is not None}

    def reversed(self) -> Self:
        """The deed that undoes this one."""
        return replace(
            self,
            before=self.after,
            after=self.before,
            about=None,
            restores=self.about,
        )

    def adjusted(self, workspace: Workspace) -> "FileDeed":
        """The deed with the attributes and missing folders of now."""
        seen, missing = self.now(workspace)
        folders = self.folders if self.after is None else missing
        return replace(self, about=seen.attributes if seen else None, folders=folders)

    def do(self, workspace: Workspace) -> Method:
        """Replace, create or remove the file."""
        before, after = self._images(workspace)
        if before is not None and after is not None:
            spot, hooks = self.spot(workspace), workspace.hooks(self.target)
            return swap(
                Replacement(spot, self.temp, before, after, self._mtime_ns), hooks
            )
        if after is not None:
            for folder in self.folders:
                workspace.writable(self.root).make(folder)
            publish(self.spot(workspace), self.temp, after, self.restores, self.mode)
        elif before is not None:
            hooks = workspace.hooks(self.target)
            withdraw(self.spot(workspace), self.temp, before, hooks)
            self._clear(workspace)
        return Method.AT_ONCE

    def stage(self, workspace: Workspace) -> Stage:
        """Compare the bytes of the file."""
        seen, _ = self.now(workspace)
        name = workspace.name(seen.raw) if seen else None
        if name == self.after:
            return Stage.AFTER
        if name == self.before:
            return Stage.BEFORE
        if seen and workspace.is_overwritten(self.target):
            images = (image or b"" for image in self._images(workspace))
            if is_torn(seen.raw, *images):
                return Stage.TORN
        return Stage.FOREIGN

    def finish(self, workspace: Workspace) -> None:
        """Do what is left; a file that is torn is overwritten again."""
        stage = self.stage(workspace)
        if stage is Stage.BEFORE:
            self.do(workspace)
        elif stage is Stage.TORN:
            seen, _ = self.now(workspace)
            after = workspace.image(self.after)
            if seen and after is not None:
                overwrite(self.spot(workspace), seen.raw, after, self._mtime_ns)
        if self.after is None:
            self._clear(workspace)

    def tidy(self, workspace: Workspace) -> None:
        """Remove the temporary file of an interrupted attempt."""
        spot = self._spot(workspace)
        if spot:
            tidy(
                spot, self.temp, *self._images(workspace), workspace.hooks(self.target)
            )

    def versions(self, workspace: Workspace) -> list[Versions]:
        """The file before, after and now."""
        seen, _ = self.now(workspace)
        now = seen.raw if seen else None
        return [Versions(self.path, *self._images(workspace), now)]

    def steps(self, workspace: Workspace) -> Iterator[Step]:
        """One step, with all bytes of the file."""
        before, after = self._images(workspace)
        root = workspace.elsewhere(self.root)
        yield FileStep(path=self.path, before=before, after=after, root=root)

    def now(self, workspace: Workspace) -> tuple[Seen | None, tuple[str, ...]]:
        """The current file, and the missing folders that it would need."""
        spot = self._spot(workspace)
        if spot is None:
            return None, workspace.writable(self.root).missing(self.path)
        return seen_at(spot), ()

    @property
    def _mtime_ns(self) -> int | None:
        return self.restores.mtime_ns if self.restores else None

    def _images(self, workspace: Workspace) -> tuple[bytes | None, bytes | None]:
        return workspace.image(self.before), workspace.image(self.after)

    def _spot(self, workspace: Workspace) -> Spot | None:
        """The place of the file; None if its folder is missing."""
        with suppress(FileNotFoundError):
            return self.spot(workspace)
        return None

    def _clear(self, workspace: Workspace) -> None:
        """Remove the folders that were created for a file, if they are empty."""
        for folder in reversed(self.folders):
            with suppress(OSError):
                workspace.writable(self.root).unmake(folder)


# Append lines to a file, and cut them off again.

_PUT = {Placement.AWAY: Stage.BEFORE, Placement.TORN: Stage.TORN} | dict.fromkeys(
    THERE, Stage.AFTER
)
_TAKEN = {
    Placement.LAST: Stage.BEFORE,
    Placement.AWAY: Stage.AFTER,
    Placement.TORN: Stage.TORN,
}


class LinesDeed(Deed, frozen=True, kw_only=True):
    """Lines appended to a file, or cut off again.

    The journal alone has everything needed to finish or undo it.
    """

    size: int
    """Where the lines begin."""
    tail: bytes
    """The last bytes before that."""
    lines: bytes
    mtime_ns: int
    """The modification time of the file before they were appended."""
    takes: bool = False
    """Whether the lines are removed rather than appended."""

    @property
    def end(self) -> End:
        """The end of the file before the lines."""
        return End(self.size, self.tail)

    @property
    def rank(self) -> int:
        """Appended with what is created, removed with what is removed."""
        return 2 if self.takes else 0

    def reversed(self) -> Self:
        """The deed that undoes this one."""
        return replace(self, takes=not self.takes)

    def adjusted(self, workspace: Workspace) -> Deed:
        """With the file's time of now; rewriting it if the lines cannot be cut off.

        They cannot if another program wrote around them, or has the file open and may
        write after them at any moment. If they are no longer in the file, the deed
        stays as it is and fails when it is checked.
        """
        if not self.takes:
            return self._timed(workspace)
        seen = self._seen(workspace)
        is_last = seen is not None and self.stage(workspace) is Stage.BEFORE
        if seen is None or (is_last and not is_shared(self.spot(workspace))):
            return self
        rest = without(seen.raw, self.end, self.lines)
        if rest is None:
            return self
        return FileDeed(
            root=self.root,
            path=self.path,
            before=workspace.hold(seen.raw),
            after=workspace.hold(rest),
            temp=temporary(),
            about=seen.attributes,
        )

    def do(self, workspace: Workspace) -> Method:
        """Append the lines, or cut them off."""
        if self.takes:
            self._cut(workspace)
        else:
            append(self.spot(workspace), self.end, self.lines)
        return Method.AT_ONCE

    def stage(self, workspace: Workspace) -> Stage:
        """Look for the lines after the recorded end of the file."""
        try:
            found = placement(self.spot(workspace), self.end, self.lines)
        except FileNotFoundError:
            return Stage.FOREIGN
        return (_TAKEN if self.takes else _PUT).get(found, Stage.FOREIGN)

    def finish(self, workspace: Workspace) -> None:
        """Do what is left; partial lines are cut off first."""
        stage = self.stage(workspace)
        if stage is Stage.TORN:
            self._cut(workspace)
        if stage is Stage.BEFORE or (stage is Stage.TORN and not self.takes):
            self.do(workspace)

    def versions(self, workspace: Workspace) -> list[Versions]:
        """The file before, after and now, or only its end.

        What is before its end is not stored, as it never changes. It is included if the
        current file still has it.
        """
        seen = self._seen(workspace)
        now = seen.raw if seen else None
        was = self.tail
        if now is not None and now[: self.size].endswith(was) and len(now) >= self.size:
            was = now[: self.size]
        elif now is not None:
            now = now[-len(self.tail) - len(self.lines) :]
        before, after = was, was + self.lines
        if self.takes:
            before, after = after, before
        return [Versions(self.path, before, after, now)]

    def steps(self, workspace: Workspace) -> Iterator[Step]:
        """The step that appends the lines, or the whole file without them."""
        root = workspace.elsewhere(self.root)
        if self.takes:
            (seen,) = self.versions(workspace)
            before, after = seen.before, seen.after
            yield FileStep(path=self.path, before=before, after=after, root=root)
        else:
            yield AppendStep(path=self.path, end=self.end, lines=self.lines, root=root)

    def resolving(self, workspace: Workspace, *, mine: bool) -> Iterator[Resolved]:
        """Rewrite the whole file, with our lines at its end or without them."""
        if self.stage(workspace) is Stage.TORN:
            yield from super().resolving(workspace, mine=mine)
            return
        seen, are_there = self._seen(workspace), mine != self.takes
        now = seen.raw if seen else None
        rest = None if now is None else without(now, self.end, self.lines)
        if (rest is not None) == are_there:
            wanted = now
        elif are_there:
            is_open = bool(now) and not now.endswith(b"\n")
            lines = self.lines.removeprefix(b"\n")
            wanted = (now or b"") + b"\n" * is_open + lines
        else:
            wanted = rest
        root = workspace.elsewhere(self.root)
        yield FileStep(path=self.path, before=now, after=wanted, root=root)

    def _timed(self, workspace: Workspace) -> Self:
        """The deed with the modification time of the file as it is now."""
        with suppress(FileNotFoundError):
            about = self.spot(workspace).stat()
            return replace(self, mtime_ns=about.st_mtime_ns)
        return self

    def _seen(self, workspace: Workspace) -> Seen | None:
        """The whole file; None if it does not exist."""
        try:
            return seen_at(self.spot(workspace))
        except FileNotFoundError:
            return None

    def _cut(self, workspace: Workspace) -> None:
        cut(self.spot(workspace), self.end, self.lines, self.mtime_ns)


# Change the mode of a file or a folder.


class ModeDeed(Deed, frozen=True, kw_only=True):
    """A new mode for a file or a folder; without a path for the store's own."""

    before: int
    after: int

    @property
    def rank(self) -> int:
        """Last of all; see `in_order`."""
        return 4

    def reversed(self) -> Self:
        """The deed that undoes this one."""
        return replace(self, before=self.after, after=self.before)

    def do(self, workspace: Workspace) -> Method:
        """Change the mode; a restored file may already have it."""
        writable = workspace.writable(self.root)
        change_mode(writable, self.path, self.before, self.after)
        return Method.AT_ONCE

    def stage(self, workspace: Workspace) -> Stage:
        """Compare the mode."""
        now = self._now(workspace)
        if now == self.before:
            return Stage.BEFORE
        return Stage.AFTER if now == self.after else Stage.FOREIGN

    def versions(self, workspace: Workspace) -> list[Versions]:
        """The mode before, after and now."""
        now = self._now(workspace)
        is_now = None if now is None else shown_mode(now)
        before, after = shown_mode(self.before), shown_mode(self.after)
        return [Versions(self.path or ".", before, after, is_now)]

    def steps(self, workspace: Workspace) -> Iterator[Step]:
        """One step with both modes."""
        yield self._step(workspace, self.before, self.after)

    def resolving(self, workspace: Workspace, *, mine: bool) -> Iterator[Resolved]:
        """One step from the current mode."""
        now = mode_at(workspace.writable(self.root), self.path)
        yield self._step(workspace, now, self.after if mine else self.before)

    def _step(self, workspace: Workspace, before: int, after: int) -> ModeStep:
        root = workspace.elsewhere(self.root)
        return ModeStep(path=self.path, before=before, after=after, root=root)

    def _now(self, workspace: Workspace) -> int | None:
        try:
            return mode_at(workspace.writable(self.root), self.path)
        except FileNotFoundError:
            return None
