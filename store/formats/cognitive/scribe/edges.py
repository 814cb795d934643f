"""Edges unlinked, and what they say changed, on all their sides."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.frontmatter.keys import with_key, without_key
from store.files.frontmatter.splice import with_scalar
from store.files.markdown.job import Job
from store.files.markdown.saying import said
from store.findings import Value
from store.formats.cognitive.header import ratio
from store.formats.cognitive.relations import KEY
from store.formats.cognitive.scribe.deleting import drop_file
from store.formats.cognitive.scribe.fields import (
    EDGE_ORDER,
    form_of,
    told,
    with_text,
    without,
)
from store.formats.cognitive.scribe.links import (
    each_side,
    edge_name,
    file_of,
    refuse_prose,
)
from store.formats.cognitive.scribe.naming import base_of
from store.formats.cognitive.scribe.relating import strength_of, type_of
from store.formats.cognitive.scribe.sides import (
    Wanted,
    relations_of,
    without_relations,
)
from store.records.edge import Edge
from store.records.intents import Set

_BLANK_LINE = re.compile(r"\r?\n\r?\n")
_ORDER = ("target", "type", "direction", "strength", "context", "edge_id")


def unlink(job: Job, edges: Sequence[Edge]) -> str:
    """Take edges away: their files, and the relations at both ends."""
    for edge in edges:
        refuse_prose(edge)
        each_side(job, edge, without_relations)
        drop_file(job, edge)
    return said("unlink", [edge_name(edge) for edge in edges], "edges")


def set_of_edge(job: Job, intent: Set, edges: Sequence[Edge]) -> str:
    """Give edges another strength, context or type."""
    if not intent.values.keys() <= _CHANGES.keys():
        raise NotPossibleError("An edge has a strength, a context and a type to set.")
    wanted = sorted(intent.values, key=list(_CHANGES).index)
    for edge in edges:
        refuse_prose(edge)
        for name in wanted:
            _CHANGES[name](job, edge, intent.values[name])
    names = [edge_name(edge) for edge in edges]
    return f"{said('set', names, 'edges')}: {intent.names}"


def follow_edge(job: Job, edge: Edge, old: Header, new: Header) -> None:
    """Let both ends, and the file's name, follow what an edge's file says by now."""
    strength, kind = told(new, "strength"), told(new, "type")
    if strength != told(old, "strength") and (
        strength is None or ratio(strength) is not None
    ):
        each_side(job, edge, partial(_with_fact, key="strength", value=strength))
    if kind and kind != edge.type:
        _refuse_again(job, edge, kind)
        each_side(job, edge, partial(_with_fact, key="type", value=kind))
        _rename(job, edge, kind)


def _set_strength(job: Job, edge: Edge, value: Value | None) -> None:
    number = ratio(value)
    if value is not None and number is None:
        raise NotPossibleError("A strength is a number from 0 to 1.")
    text = None if number is None else strength_of(number)
    path = file_of(edge)
    if path is not None:
        job.revise(path, partial(_with_own, key="strength", value=text))
    each_side(job, edge, partial(_with_fact, key="strength", value=text))


def _set_context(job: Job, edge: Edge, value: Value | None) -> None:
    if value is not None and not isinstance(value, str):
        raise NotPossibleError("A context is one piece of text.")
    path = file_of(edge)
    if path is not None and value is not None:
        _set_first_paragraph(job, path, value)
    line = None if value is None else " ".join(value.split()) or None
    each_side(job, edge, partial(_with_fact, key="context", value=line))


def _set_first_paragraph(job: Job, path: str, text: str) -> None:
    """Say at the beginning of an edge's file what the edge is for."""
    header = job.header(path)
    body = header.raw[header.body :].decode()
    told = body.lstrip("\r\n")
    before = body[: len(body) - len(told)] or header.newline
    blank = _BLANK_LINE.search(told)
    after = told[blank.start() if blank else len(told.rstrip()) :] or header.newline
    new = text.strip().replace("\r\n", "\n").replace("\n", header.newline)
    raw = header.raw[: header.body] + f"{before}{new}{after}".encode()
    if raw != header.raw:
        job.bench.write(path, raw)
        job.stamp(path)


def _set_type(job: Job, edge: Edge, value: Value | None) -> None:
    if not isinstance(value, str):
        raise NotPossibleError("An edge has to have a type.")
    kind = type_of(job, value)
    _refuse_again(job, edge, kind)
    each_side(job, edge, partial(_with_fact, key="type", value=kind))
    path = file_of(edge)
    if path is None:
        return
    job.revise(path, lambda header: with_text(header, "type", kind, EDGE_ORDER))
    _rename(job, edge, kind)


def _rename(job: Job, edge: Edge, kind: str) -> None:
    """Let the name of an edge's file say its type."""
    path = file_of(edge)
    old = f"--{edge.type}--"
    if path is not None and base_of(path).count(old) == 1:
        job.bench.move(path, path.replace(old, f"--{kind}--"))


def _refuse_again(job: Job, edge: Edge, kind: str) -> None:
    others = job.known.edges_of(edge.from_) if edge.from_ else ()
    for other in others:
        if (other.from_, other.to, other.type) == (edge.from_, edge.to, kind):
            raise NotPossibleError(f"There is a {kind} link between these already.")


def _with_own(header: Header, key: str, value: str | None) -> Header:
    if value is None:
        return without(header, key)
    if told(header, key) == value:
        return header
    return with_text(header, key, value, EDGE_ORDER)


def _with_fact(header: Header, wanted: Wanted, key: str, value: str | None) -> Header:
    """The header whose relations of an edge say something else of it."""
    for relation in relations_of(header):
        if not wanted(relation):
            continue
        path = (KEY, relation.place, key)
        is_there = key in relation.told
        if value is None:
            header = without_key(header, path) if is_there else header
        elif is_there:
            header = with_scalar(header, path, value)
        else:
            header = with_key(header, path, value, form_of(key), _ORDER)
    return header


_CHANGES: dict[str, Callable[[Job, Edge, Value | None], None]] = {
    "strength": _set_strength,
    "context": _set_context,
    "type": _set_type,
}
"""What each field brings about; the type comes last, for both sides are found by it."""
