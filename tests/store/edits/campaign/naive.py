"""Naive writers, which show that a campaign can fail."""

import os
from pathlib import Path
from typing import cast

from store.edits.draft import Draft, FileStep
from store.edits.engine import Engine


class InPlace:
    """Opens each file, truncates it, and writes it."""

    def apply(self, root: Path, draft: Draft, _refs: object = ()) -> None:
        for step in draft.steps:
            assert isinstance(step, FileStep)
            path = root / step.path
            if step.after is None:
                os.unlink(path)  # noqa: PTH108  # where the shim stands
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            self.write(path, step.after)

    def close(self) -> None:
        """Nothing is open."""

    def write(self, path: Path, raw: bytes) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(handle, raw)
        os.close(handle)


class Renaming(InPlace):
    """Writes each file beside the old one, syncs it, and renames it."""

    def write(self, path: Path, raw: bytes) -> None:
        new = path.with_suffix(".tmp")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(handle, raw)
        os.fsync(handle)
        os.close(handle)
        os.rename(new, path)  # noqa: PTH104  # where the shim stands


def as_engine(writer: InPlace) -> Engine:
    """The parts of an engine that the acts use."""
    return cast("Engine", writer)
