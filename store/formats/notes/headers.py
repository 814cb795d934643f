"""The form of the headers in a store of notes, and a new header in that form."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from store.errors import UnreadableError
from store.files.frontmatter import read_page
from store.findings import Value
from store.formats.markdown import Job
from store.formats.markdown_edit import header_line
from store.formats.notes.notes import variant
from store.formats.notes.projects import is_of_a_loop
from store.times import moment_like

_LOOKED_AT = 300
"""The most notes to read for the form of a store."""

_WITHOUT_SESSION = {"V2": "V1", "V5": "V4"}
"""Forms that name the session that wrote them, which this program has none of."""

_USUAL = "V3"
_STAMP = "2026-01-01T00:00:00.000Z"
"""The form of a time in notes of the newest writer."""

_TRAILING = (b"\nmetadata: \n", b"\nmetadata: \r\n")


class HeaderForm(NamedTuple):
    """The form of the headers in a store."""

    variant: str
    """The variant, as returned by `variant`."""
    trailing: bool
    """Whether there is a space after `metadata:`."""


def header_form(job: Job) -> HeaderForm:
    """The form that most notes have; the default without notes."""
    root = job.files.root
    if is_of_a_loop(root.path):
        return HeaderForm("V1", trailing=False)
    counts: Counter[str] = Counter()
    trailing = 0
    for raw in _some(job):
        found = variant(read_page(raw).fields)
        counts[_WITHOUT_SESSION.get(found, found)] += 1
        if b"\nmetadata:" in raw:
            trailing += 1 if any(sign in raw for sign in _TRAILING) else -1
    del counts["V0"], counts["other"]
    best = counts.most_common(1)
    return HeaderForm(best[0][0] if best else _USUAL, trailing > 0)


def header_lines(
    form: HeaderForm, fields: Mapping[str, Value], now: int
) -> Iterator[str]:
    """The header of a new note: name, description and type in the form of its store."""
    own = ("name", "description")
    yield from (header_line(key, fields[key]) for key in own if key in fields)
    if "type" in fields:
        yield from _typed(form, header_line("type", fields["type"]), now)
    others = (key for key in fields if key not in {*own, "type"})
    yield from (header_line(key, fields[key]) for key in others)


def _typed(form: HeaderForm, line: str, now: int) -> Iterator[str]:
    """The line with the type, where this form of header has it."""
    if form.variant == "V1":
        yield line
        return
    yield f"metadata:{' ' if form.trailing else ''}"
    if form.variant in {"V4", "V6"}:
        yield "  node_type: memory"
    yield f"  {line}"
    if form.variant == "V6":
        yield f"  modified: {moment_like(_STAMP, now)}"


def _some(job: Job) -> Iterator[bytes]:
    """The bytes of some notes."""
    for count, memory in enumerate(job.known.memories()):
        if count >= _LOOKED_AT:
            return
        try:
            yield job.files.root.read(memory.path).raw
        except UnreadableError:
            continue
