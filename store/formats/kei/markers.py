"""Marks that a timer leaves while something runs; they may have been forgotten."""

from contextlib import suppress
from pathlib import PurePosixPath
from typing import cast

from store.derive.pairing import RUNNING
from store.files.beneath import Blob
from store.files.json_document import DamagedJsonError, load
from store.findings import Findings, Flaw, Json, MeasureFound
from store.formats.kei.growing import Record
from store.formats.kei.values import instant, text, without

_SESSION, _TASK, _END = ".session-", ".task-", ".start"
_LONGEST_NUMBER = 18


def read_marker(path: str, blob: Blob) -> Findings:
    """The session or task that runs, as far as its mark tells."""
    name = PurePosixPath(path).name.removesuffix(_END)
    told = _told(blob.raw)
    start = told.get("start_epoch")
    measure = MeasureFound(
        kind="session" if name.startswith(_SESSION) else "task",
        line=1,
        name=text(told, "desc"),
        id=text(told, "id") or name.removeprefix(_SESSION).removeprefix(_TASK),
        session=name.removeprefix(_SESSION) if name.startswith(_SESSION) else None,
        start=instant(start),
        source=PurePosixPath(path).name,
        fields={"state": RUNNING, **without(told, ("id", "desc", "start_epoch"))},
    )
    if measure.start is None or measure.start.micros is None:
        flaw = Flaw(code="no-start", message="The mark does not tell when it was made.")
        return Findings(measures=(measure,), flaws=(flaw,))
    return Findings(measures=(measure,))


def _told(raw: bytes) -> Record:
    """What a mark says: seconds since 1970 alone, or an object that holds them."""
    words = raw.decode("utf-8", errors="replace").strip()
    if words.isascii() and words.isdigit() and len(words) <= _LONGEST_NUMBER:
        return {"start_epoch": int(words)}
    with suppress(DamagedJsonError):
        held = cast("Json", load(raw))
        if isinstance(held, dict):
            return held
    return {}
