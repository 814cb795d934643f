"""Edges: found, created, changed and removed, wherever they are written."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from store.edits.draft import Changeable
from store.errors import NotPossibleError, UnreadableError
from store.files.frontmatter_edit import (
    Header,
    Told,
    with_scalar,
)
from store.files.frontmatter_lists import (
    with_entry,
    with_key,
    without_entries,
    without_key,
)
from store.files.frontmatter_yaml import Sequence as FrontmatterYamlSequence
from store.files.frontmatter_yaml import value_of
from store.files.json_read import load_map
from store.findings import Side, Value
from store.formats.cognitive.derived import INDEX
from store.formats.cognitive.edit_parts import (
    EDGE_ORDER,
    ORDER,
    NewEdge,
    NewEnd,
    base_of,
    create_edge,
    form_for,
    header_text,
    identifying,
    new_id,
    share_of,
    with_text,
    without,
)
from store.formats.cognitive.format import NULLS, RELATION_TYPES, id_key
from store.formats.cognitive.memories import KEY, ratio
from store.formats.markdown import Job, listed, memories_of, named, said
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.records.intents import Relate, Set

# A memory's own list of relations: find, add, remove and change entries.

OUT, IN = Side.OUTGOING, Side.INCOMING


class Relation(NamedTuple):
    """An entry of the list, as far as it describes an edge."""

    place: int
    """Its index in the list."""
    target: str
    """The key of the memory it refers to."""
    type: str
    side: Side
    edge_id: str | None
    told: Mapping[str, Value]

    def text(self, key: str) -> str | None:
        """One of its texts as it is written; None if missing or empty."""
        value = self.told.get(key)
        return value if isinstance(value, str) and value else None

    @property
    def about(self) -> tuple[str, str, Side]:
        """A key that is unique among a memory's relations."""
        return self.target, self.type, self.side


Wanted = Callable[[Relation], bool]


def relations_of(header: Header) -> list[Relation]:
    """The entries that have a target, in order."""
    node = header.root.get(KEY)
    items = node.items if isinstance(node, FrontmatterYamlSequence) else ()
    return [
        relation
        for index, item in enumerate(items)
        for relation in _read(index, value_of(item))
    ]


def with_relation(
    header: Header,
    target: str,
    kind: str,
    side: Side,
    facts: Mapping[str, str | None],
) -> Header:
    """The header with a relation added; `facts` are strength, context and edge_id."""
    entry = [
        Told("target", target, identifying(target)),
        Told("type", kind),
        Told("direction", side.value),
    ]
    for key, value in facts.items():
        if value is not None:
            form = identifying(value) if key == "edge_id" else form_for(key)
            entry.append(Told(key, value, form))
    return with_entry(header, KEY, entry, ORDER)


def without_relations(header: Header, wanted: Wanted) -> Header:
    """The header without some relations."""
    places = {one.place for one in relations_of(header) if wanted(one)}
    return without_places(header, places)


def without_places(header: Header, places: Collection[int]) -> Header:
    """The header without the relations at some places of the list."""
    return without_entries(header, KEY, places) if places else header


def _read(index: int, value: Value) -> Iterator[Relation]:
    told: Mapping[str, Value] = value if isinstance(value, Mapping) else {}
    target = _text_of(told, "target")
    if target is not None:
        direction = (_text_of(told, "direction") or "").strip().lower()
        yield Relation(
            index,
            id_key(target),
            _text_of(told, "type") or "RELATED_TO",
            IN if direction == IN.value else OUT,
            _text_of(told, "edge_id"),
            told,
        )


def _text_of(told: Mapping[str, Value], key: str) -> str | None:
    value = told.get(key)
    return value if isinstance(value, str) and value not in NULLS else None


# An edge, and every place where it is written.


class End(NamedTuple):
    """A memory at one end of an edge, and the side its relations describe."""

    memory: Memory
    side: Side
    other: str
    """The key of the memory at the other end."""


def ends_of(job: Job, edge: Edge) -> Iterator[End]:
    """The ends of an edge that are memories."""
    refs = (edge.from_, edge.to)
    start, end = (job.known.memory(ref) if ref else None for ref in refs)
    dangles = start is None or end is None
    header = job.header(edge.path) if dangles and file_of(edge) else None
    if start:
        yield End(start, OUT, _key(end, header, "to_id", edge.to_title))
    if end:
        yield End(end, IN, _key(start, header, "from_id", edge.from_title))


def telling(edge: Edge, end: End) -> Wanted:
    """A test for the relations of a memory that describe an edge.

    If several edge files have everything else in common, the edge ids in the relations
    are compared as well.
    """

    def is_it(relation: Relation) -> bool:
        same = relation.about == (end.other, edge.type, end.side)
        return same and (
            edge.id is None
            or relation.edge_id in {None, edge.id}
            or Side.FILE not in edge.sides
        )

    return is_it


def file_of(edge: Edge) -> str | None:
    """The edge's own file, if it has one."""
    return edge.path if Side.FILE in edge.sides else None


def is_written(edge: Edge) -> bool:
    """Whether it is in a header or an edge file, not only in a text."""
    return not {Side.FILE, Side.OUTGOING, Side.INCOMING}.isdisjoint(edge.sides)


def refuse_prose(edge: Edge) -> None:
    """Raise if an edge is in neither a header nor an edge file."""
    if is_written(edge):
        return
    if Side.WIKILINK in edge.sides:
        raise NotPossibleError("This link is in the text; edit the text to change it.")
    raise NotPossibleError(
        "This link is only in the index; run `recollect rebuild index` to update it."
    )


def edge_name(edge: Edge) -> str:
    """The name of an edge in a change."""
    return f"{edge.from_title} {edge.type} {edge.to_title}"


def drop_file(job: Job, edge: Edge) -> None:
    """Delete an edge's own file."""
    path = file_of(edge)
    if path is not None and job.files.has(path):
        job.files.remove(path)


def each_side(job: Job, edge: Edge, change: Callable[[Header, Wanted], Header]) -> None:
    """Change the relations at both ends that describe an edge."""
    for end in ends_of(job, edge):
        wanted = telling(edge, end)
        job.edit(end.memory.path, lambda header, wanted=wanted: change(header, wanted))


def _key(
    memory: Memory | None, header: Header | None, name: str, title: str | None
) -> str:
    """The key of an end; if the link is broken, that in the edge's own file."""
    own = header_text(header, name) if header else title
    return id_key((memory.id if memory else own) or "")


# Link two memories: an edge file, and a relation in each.

_TYPE = re.compile(r"[A-Z][A-Z_]{0,39}")
_PAIR = 2


def relate(job: Job, intent: Relate, records: Sequence[Changeable]) -> str:
    """Link the first memory to the second."""
    memories = memories_of(records, _PAIR)
    if len(memories) > _PAIR:
        raise NotPossibleError("Choose exactly two memories to link.")
    start, end = (_end(job, memory) for memory in memories)
    strength = None if intent.strength is None else strength_of(intent.strength)
    kind, text = type_of(job, intent.type), intent.context or ""
    path = memories[0].path
    if id_key(start.id) == id_key(end.id):
        raise NotPossibleError("A memory can't be linked to itself.")
    if _is_related(job.header(path), end, kind, OUT):
        raise NotPossibleError(f"These memories already have a {kind} link.")
    edge = NewEdge(new_id(), kind, start, end, strength)
    context = " ".join(text.split()) or None
    facts: dict[str, str | None] = {"strength": strength, "context": context}
    if not _knows_no_edges(job):
        create_edge(job, edge, text)
        facts["edge_id"] = edge.id
    for memory, there, side in zip(memories, (end, start), (OUT, IN), strict=True):
        change = partial(_related, there=there, side=side, kind=kind, facts=facts)
        job.edit(memory.path, change)
    return f"link {named(start.title)} {kind} {named(end.title)}"


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


def _end(job: Job, memory: Memory) -> NewEnd:
    header = job.header(memory.path)
    identifier = header_text(header, "id")
    if identifier is None:
        raise NotPossibleError(f"{memory.path} has no id, so it can't be linked.")
    return NewEnd(identifier, header_text(header, "title") or memory.title)


def _is_related(header: Header, there: NewEnd, kind: str, side: Side) -> bool:
    """Whether a memory's own list has one side of a link."""
    about = (id_key(there.id), kind, side)
    return any(known.about == about for known in relations_of(header))


def _related(
    header: Header,
    there: NewEnd,
    kind: str,
    side: Side,
    facts: Mapping[str, str | None],
) -> Header:
    """The header with one side of a link."""
    if _is_related(header, there, kind, side):
        return header
    return with_relation(header, there.id, kind, side, facts)


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
    for path, tests in relations.items():
        wanted = partial(_is_any, tests=tests)
        job.edit(path, partial(without_relations, wanted=wanted))
    for edge in edges:
        drop_file(job, edge)
    return said("unlink", [edge_name(edge) for edge in edges], "edges")


def _is_any(relation: Relation, tests: Sequence[Wanted]) -> bool:
    return any(wanted(relation) for wanted in tests)


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
            header = with_key(header, path, value, form_for(key), _ORDER)
    return header


_CHANGES: dict[str, Callable[[Job, Edge, Value | None], None]] = {
    "strength": set_strength,
    "context": _set_context,
    "type": _set_type,
}
"""What sets each field; the type comes last, because it is used to find both sides."""
