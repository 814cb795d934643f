"""Create, change and remove edges, wherever they are written."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from store.edits.draft import Changeable
from store.errors import NotPossibleError, UnreadableError
from store.files.frontmatter_edit import Header, with_scalar
from store.files.frontmatter_lists import with_key, without_key
from store.files.json_read import load_map
from store.findings import Side, Value
from store.formats.cognitive.derived import INDEX
from store.formats.cognitive.edit_memories import drop_file, share_of
from store.formats.cognitive.edit_parts import (
    EDGE_ORDER,
    IN,
    OUT,
    NewEdge,
    Wanted,
    any_of,
    base_of,
    each_side,
    edge_name,
    edge_page,
    edge_path,
    ends_of,
    file_of,
    form_of,
    header_text,
    new_id,
    refuse_prose,
    relations_of,
    telling,
    with_relation,
    with_text,
    without,
    without_relations,
)
from store.formats.cognitive.layout import RELATION_TYPES, id_key
from store.formats.cognitive.memories import KEY, ratio
from store.formats.markdown import Change, Job, listed, memories_of, named, said
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.records.intents import Relate, Set
from store.times import moment_like

# Link two memories: an edge file, and a relation in each.

_TYPE = re.compile(r"[A-Z][A-Z_]{0,39}")
_PAIR = 2


class _End(NamedTuple):
    """A linked memory, with the facts from its file."""

    path: str
    id: str
    title: str


class _Said(NamedTuple):
    """The facts of the link."""

    type: str
    strength: str | None
    text: str


def relate(job: Job, intent: Relate, records: Sequence[Changeable]) -> str:
    """Link the first memory to the second."""
    memories = memories_of(records, _PAIR)
    if len(memories) > _PAIR:
        raise NotPossibleError("Choose exactly two memories to link.")
    start, end = (_end(job, memory) for memory in memories)
    strength = None if intent.strength is None else strength_of(intent.strength)
    said = _Said(type_of(job, intent.type), strength, intent.context or "")
    _refuse_again(job, start, end, said.type)
    edge_id = _edge(job, start, end, said)
    job.edit(start.path, _related(end.id, OUT, said, edge_id))
    job.edit(end.path, _related(start.id, IN, said, edge_id))
    return f"link {named(start.title)} {said.type} {named(end.title)}"


def type_of(job: Job, text: str) -> str:
    """A valid edge type: one of the seven, or one already in use."""
    kind = text.strip().upper().replace("-", "_").replace(" ", "_")
    if kind in RELATION_TYPES:
        return kind
    own = any(edge.type in {text, kind} for edge in job.known.edges())
    if own and _TYPE.fullmatch(kind):
        return kind
    known = listed(sorted(RELATION_TYPES), len(RELATION_TYPES))
    raise NotPossibleError(f"Unknown link type (choose from {known}).")


def strength_of(number: float) -> str:
    """A strength as text; refuses invalid numbers."""
    if not 0 <= number <= 1:
        raise NotPossibleError("The strength must be a number from 0 to 1.")
    return share_of(number)


def _end(job: Job, memory: Memory) -> _End:
    header = job.header(memory.path)
    identifier = header_text(header, "id")
    if identifier is None:
        raise NotPossibleError(f"{memory.path} has no id, so it can't be linked.")
    return _End(memory.path, identifier, header_text(header, "title") or memory.title)


def _refuse_again(job: Job, start: _End, end: _End, kind: str) -> None:
    target = id_key(end.id)
    if id_key(start.id) == target:
        raise NotPossibleError("A memory can't be linked to itself.")
    about = (target, kind, OUT)
    if any(known.about == about for known in relations_of(job.header(start.path))):
        raise NotPossibleError(f"These memories already have a {kind} link.")


def _edge(job: Job, start: _End, end: _End, said: _Said) -> str | None:
    """Create the edge's own file, unless the store's version has no edge files."""
    if _knows_no_edges(job):
        return None
    moment = moment_like(None, job.now)
    new = NewEdge(
        id=new_id(),
        type=said.type,
        from_id=start.id,
        from_title=start.title,
        to_id=end.id,
        to_title=end.title,
        strength=said.strength,
        created=moment,
        updated=moment,
    )
    path = edge_path(start.title, said.type, end.title, new.id)
    job.files.create(path, edge_page(new, said.text))
    return new.id


def _related(there: str, side: Side, said: _Said, edge_id: str | None) -> Change:
    """A change that adds one side of a link to a header, unless it is there already."""
    about = (id_key(there), said.type, side)
    context = " ".join(said.text.split()) or None
    facts = {"strength": said.strength, "context": context, "edge_id": edge_id}

    def related(header: Header) -> Header:
        if any(known.about == about for known in relations_of(header)):
            return header
        return with_relation(header, there, said.type, side, facts)

    return related


def _knows_no_edges(job: Job) -> bool:
    """Whether the index has version 1."""
    with suppress(UnreadableError):
        raw = job.files.derived(INDEX)
        return raw is not None and load_map(raw).get("version") == 1
    return False


# Remove edges, and change their facts, on all sides.

_BLANK_LINE = re.compile(r"\r?\n\r?\n")
_ORDER = ("target", "type", "direction", "strength", "context", "edge_id")


def unlink(job: Job, edges: Sequence[Edge]) -> str:
    """Remove edges: their files, and the relations at both ends."""
    relations: dict[str, list[Wanted]] = {}
    for edge in edges:
        refuse_prose(edge)
        for end in ends_of(job, edge):
            relations.setdefault(end.memory.path, []).append(telling(edge, end))
    for path, wanted in relations.items():
        job.edit(path, partial(without_relations, wanted=any_of(wanted)))
    for edge in edges:
        drop_file(job, edge)
    return said("unlink", [edge_name(edge) for edge in edges], "edges")


def set_of_edge(job: Job, intent: Set, edges: Sequence[Edge]) -> str:
    """Set the strength, context or type of edges."""
    if not intent.values.keys() <= _CHANGES.keys():
        raise NotPossibleError(
            "Only the strength, context and type of an edge can be set."
        )
    wanted = sorted(intent.values, key=list(_CHANGES).index)
    for edge in edges:
        refuse_prose(edge)
        for name in wanted:
            _CHANGES[name](job, edge, intent.values[name])
    names = [edge_name(edge) for edge in edges]
    return f"{said('set', names, 'edges')}: {intent.names}"


def follow_edge(job: Job, edge: Edge, old: Header, new: Header) -> None:
    """Update both ends and the file name after an edge's file was edited."""
    strength, kind = header_text(new, "strength"), header_text(new, "type")
    if strength != header_text(old, "strength") and (
        strength is None or ratio(strength) is not None
    ):
        each_side(job, edge, partial(_with_fact, key="strength", value=strength))
    if kind and kind != edge.type:
        _refuse_again_edges(job, edge, kind)
        each_side(job, edge, partial(_with_fact, key="type", value=kind))
        _rename(job, edge, kind)


def set_strength(job: Job, edge: Edge, value: Value | None) -> None:
    """Set the strength of an edge wherever it is written."""
    number = ratio(value)
    if value is not None and number is None:
        raise NotPossibleError("The strength must be a number from 0 to 1.")
    text = None if number is None else strength_of(number)
    path = file_of(edge)
    if path is not None:
        job.revise(path, partial(_with_own, key="strength", value=text))
    each_side(job, edge, partial(_with_fact, key="strength", value=text))


def _set_context(job: Job, edge: Edge, value: Value | None) -> None:
    if value is not None and not isinstance(value, str):
        raise NotPossibleError("The context must be a single text.")
    path = file_of(edge)
    if path is not None and value is not None:
        _set_first_paragraph(job, path, value)
    line = None if value is None else " ".join(value.split()) or None
    each_side(job, edge, partial(_with_fact, key="context", value=line))


def _set_first_paragraph(job: Job, path: str, text: str) -> None:
    """Set the first paragraph of an edge's file, which says what the edge is for."""
    header = job.header(path)
    body = header.raw[header.body :].decode()
    told = body.lstrip("\r\n")
    before = body[: len(body) - len(told)] or header.newline
    blank = _BLANK_LINE.search(told)
    after = told[blank.start() if blank else len(told.rstrip()) :] or header.newline
    new = text.strip().replace("\r\n", "\n").replace("\n", header.newline)
    raw = header.raw[: header.body] + f"{before}{new}{after}".encode()
    if raw != header.raw:
        job.files.write(path, raw)
        job.stamp(path)


def _set_type(job: Job, edge: Edge, value: Value | None) -> None:
    if not isinstance(value, str):
        raise NotPossibleError("An edge needs a type.")
    kind = type_of(job, value)
    _refuse_again_edges(job, edge, kind)
    each_side(job, edge, partial(_with_fact, key="type", value=kind))
    path = file_of(edge)
    if path is None:
        return
    job.revise(path, lambda header: with_text(header, "type", kind, EDGE_ORDER))
    _rename(job, edge, kind)


def _rename(job: Job, edge: Edge, kind: str) -> None:
    """Update the type in the name of an edge file."""
    path = file_of(edge)
    old = f"--{edge.type}--"
    if path is not None and base_of(path).count(old) == 1:
        job.files.move(path, path.replace(old, f"--{kind}--"))


def _refuse_again_edges(job: Job, edge: Edge, kind: str) -> None:
    others = job.known.edges_of(edge.from_) if edge.from_ else ()
    for other in others:
        if (other.from_, other.to, other.type) == (edge.from_, edge.to, kind):
            raise NotPossibleError(f"These memories already have a {kind} link.")


def _with_own(header: Header, key: str, value: str | None) -> Header:
    if value is None:
        return without(header, key)
    if header_text(header, key) == value:
        return header
    return with_text(header, key, value, EDGE_ORDER)


def _with_fact(header: Header, wanted: Wanted, key: str, value: str | None) -> Header:
    """The header with a fact changed in the relations of an edge."""
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
    "strength": set_strength,
    "context": _set_context,
    "type": _set_type,
}
"""What sets each field; the type comes last, because it is used to find both sides."""
