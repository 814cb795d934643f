"""Which form of header a new note gets, and such a header."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from store.errors import UnreadableError
from store.files.frontmatter import read_page
from store.files.frontmatter.wording import Form, in_brackets, scalar
from store.files.markdown.job import Job
from store.files.moments import moment_like
from store.findings import Value
from store.formats.notes.header import variant
from store.formats.notes.placement import is_of_a_loop

_LOOKED_AT = 300
"""How many notes of a store tell its form."""

_WITHOUT_SESSION = {"V2": "V1", "V5": "V4"}
"""Forms that name the session which wrote them; this program is none."""

_USUAL = "V3"
_STAMP = "2026-01-01T00:00:00.000Z"
"""The form in which the newest writer puts moments."""

_TRAILING = (b"\nmetadata: \n", b"\nmetadata: \r\n")


class Manner(NamedTuple):
    """How the notes of a store are written."""

    variant: str
    """Its form, as `header.variant` calls it."""
    trailing: bool
    """Whether a space stands behind `metadata:`."""


def manner_of(job: Job) -> Manner:
    """The form that most notes have; the usual one where none has any."""
    root = job.bench.root
    if is_of_a_loop(root.path):
        return Manner("V1", trailing=False)
    counts: Counter[str] = Counter()
    trailing = 0
    for raw in _some(job):
        found = variant(read_page(raw).fields)
        counts[_WITHOUT_SESSION.get(found, found)] += 1
        if b"\nmetadata:" in raw:
            trailing += 1 if any(sign in raw for sign in _TRAILING) else -1
    del counts["V0"], counts["other"]
    best = counts.most_common(1)
    return Manner(best[0][0] if best else _USUAL, trailing > 0)


def header_lines(
    manner: Manner, fields: Mapping[str, Value], now: int
) -> Iterator[str]:
    """The header of a new note: name, description and type in the form of its store."""
    own = ("name", "description")
    yield from (f"{key}: {_told(fields[key])}" for key in own if key in fields)
    if "type" in fields:
        yield from _typed(manner, _told(fields["type"]), now)
    others = (key for key in fields if key not in {*own, "type"})
    yield from (f"{key}: {_told(fields[key])}" for key in others)


def _typed(manner: Manner, kind: str, now: int) -> Iterator[str]:
    if manner.variant == "V1":
        yield f"type: {kind}"
        return
    yield f"metadata:{' ' if manner.trailing else ''}"
    if manner.variant in {"V4", "V6"}:
        yield "  node_type: memory"
    yield f"  type: {kind}"
    if manner.variant == "V6":
        yield f"  modified: {moment_like(_STAMP, now)}"


def _told(value: Value) -> str:
    if isinstance(value, str):
        return scalar(value, Form.AS_NEEDED)
    return in_brackets([item for item in value if isinstance(item, str)])


def _some(job: Job) -> Iterator[bytes]:
    """The bytes of some notes."""
    for count, memory in enumerate(job.known.memories()):
        if count >= _LOOKED_AT:
            return
        try:
            yield job.bench.root.read(memory.path).raw
        except UnreadableError:
            continue
