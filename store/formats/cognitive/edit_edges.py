"""Edges created, changed and removed; memories merged and moved with their edges."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from store.edits.draft import Changeable
from store.errors import InvalidError, NotPossibleError, UnreadableError
from store.files.frontmatter_edit import Header, with_scalar
from store.files.frontmatter_lists import with_key, without_key
from store.files.json_read import load_map
from store.findings import Side, Value
from store.formats.cognitive import edit_parts as parts
from store.formats.cognitive.edit_index import keep_index_beside, take_use, unite_use
from store.formats.cognitive.edit_memories import (
    follow_names,
    let_go,
    neighbours,
    put_field,
    retagged,
    tags_of,
    title_of,
)
from store.formats.cognitive.format import INDEX, RELATION_TYPES, id_key, sniff, stem_of
from store.formats.cognitive.memories import KEY, MERGED_FROM, ratio
from store.formats.markdown import (
    Job,
    counted,
    listed,
    memories_of,
    named,
    open_other,
    said,
)
from store.formats.markdown_edit import text_of
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.records.intents import Merge, Move, Relate, Set
from store.text import guess, joined

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
    if _is_related(job.header(path), end, kind, parts.OUT):
        raise NotPossibleError(f"These memories already have a {kind} link.")
    edge = parts.NewEdge(parts.new_id(), kind, start, end, strength)
    context = " ".join(text.split()) or None
    facts: dict[str, str | None] = {"strength": strength, "context": context}
    if not _knows_no_edges(job):
        parts.create_edge(job, edge, text)
        facts["edge_id"] = edge.id
    for memory, there, side in zip(
        memories, (end, start), (parts.OUT, parts.IN), strict=True
    ):
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
    meant = guess(kind, RELATION_TYPES)
    raise InvalidError(f"Unknown link type {text!r}{meant} (choose from {known}).")


def strength_of(number: float) -> str:
    """A strength as text; refuses invalid numbers."""
    if not 0 <= number <= 1:
        raise InvalidError("The strength must be a number from 0 to 1.")
    return parts.share_of(number)


def _end(job: Job, memory: Memory) -> parts.NewEnd:
    header = job.header(memory.path)
    identifier = parts.header_text(header, "id")
    if identifier is None:
        raise NotPossibleError(f"{memory.path} has no id, so it can't be linked.")
    return parts.NewEnd(identifier, parts.header_text(header, "title") or memory.title)


def _is_related(header: Header, there: parts.NewEnd, kind: str, side: Side) -> bool:
    """Whether a memory's own list has one side of a link."""
    about = (id_key(there.id), kind, side)
    return any(known.about == about for known in parts.relations_of(header))


def _related(
    header: Header,
    there: parts.NewEnd,
    kind: str,
    side: Side,
    facts: Mapping[str, str | None],
) -> Header:
    """The header with one side of a link."""
    if _is_related(header, there, kind, side):
        return header
    return parts.with_relation(header, there.id, kind, side, facts)


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
    relations: dict[str, dict[object, list[parts.Wanted]]] = {}
    for edge in edges:
        parts.refuse_prose(edge)
        for end in parts.ends_of(job, edge):
            about = end.other, edge.type, end.side
            tests = relations.setdefault(end.memory.path, {})
            tests.setdefault(about, []).append(parts.telling(edge, end))
    for path, tests in relations.items():
        job.edit(
            path, partial(parts.without_relations, wanted=partial(_is_any, tests=tests))
        )
    for edge in edges:
        parts.drop_file(job, edge)
    return said("unlink", [parts.edge_name(edge) for edge in edges], "edges")


def _is_any(
    relation: parts.Relation, tests: Mapping[object, Sequence[parts.Wanted]]
) -> bool:
    return any(wanted(relation) for wanted in tests.get(relation.about, ()))


def set_of_edge(job: Job, intent: Set, edges: Sequence[Edge]) -> str:
    """Set the strength, context or type of edges."""
    if not intent.values.keys() <= _CHANGES.keys():
        raise NotPossibleError("Only strength, context and type of an edge can be set.")
    wanted = sorted(intent.values, key=list(_CHANGES).index)
    for edge in edges:
        parts.refuse_prose(edge)
        for name in wanted:
            _CHANGES[name](job, edge, intent.values[name])
    names = [parts.edge_name(edge) for edge in edges]
    return f"{said('set', names, 'edges')}: {intent.names}"


def follow_edge(job: Job, edge: Edge, old: Header, new: Header) -> None:
    """Update both ends and the file name after an edge's file was edited."""
    strength, kind = parts.header_text(new, "strength"), parts.header_text(new, "type")
    if strength != parts.header_text(old, "strength") and (
        strength is None or ratio(strength) is not None
    ):
        parts.each_side(job, edge, partial(_with_fact, key="strength", value=strength))
    if kind and kind != edge.type:
        _refuse_again_edges(job, edge, kind)
        parts.each_side(job, edge, partial(_with_fact, key="type", value=kind))
        _rename(job, edge, kind)


def set_strength(job: Job, edge: Edge, value: Value | None) -> None:
    """Set the strength of an edge wherever it is written."""
    number = ratio(value)
    if value is not None and number is None:
        raise InvalidError("The strength must be a number from 0 to 1.")
    text = None if number is None else strength_of(number)
    path = parts.file_of(edge)
    if path is not None:
        job.revise(path, partial(_with_own, key="strength", value=text))
    parts.each_side(job, edge, partial(_with_fact, key="strength", value=text))


def _set_context(job: Job, edge: Edge, value: Value | None) -> None:
    if value is not None and not isinstance(value, str):
        raise InvalidError("The context must be a single text.")
    path = parts.file_of(edge)
    if path is not None and value is not None:
        _set_first_paragraph(job, path, value)
    line = None if value is None else " ".join(value.split()) or None
    parts.each_side(job, edge, partial(_with_fact, key="context", value=line))


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
        raise InvalidError("An edge needs a type.")
    kind = type_of(job, value)
    _refuse_again_edges(job, edge, kind)
    parts.each_side(job, edge, partial(_with_fact, key="type", value=kind))
    path = parts.file_of(edge)
    if path is None:
        return
    job.revise(
        path, lambda header: parts.with_text(header, "type", kind, parts.EDGE_ORDER)
    )
    _rename(job, edge, kind)


def _rename(job: Job, edge: Edge, kind: str) -> None:
    """Update the type in the name of an edge file."""
    path = parts.file_of(edge)
    old = f"--{edge.type}--"
    if path is not None and parts.base_of(path).count(old) == 1:
        job.files.move(path, path.replace(old, f"--{kind}--"))


def _refuse_again_edges(job: Job, edge: Edge, kind: str) -> None:
    others = job.known.edges_of(edge.from_) if edge.from_ else ()
    for other in others:
        if (other.from_, other.to, other.type) == (edge.from_, edge.to, kind):
            raise NotPossibleError(f"These memories already have a {kind} link.")


def _with_own(header: Header, key: str, value: str | None) -> Header:
    if value is None:
        return parts.without(header, key)
    if parts.header_text(header, key) == value:
        return header
    return parts.with_text(header, key, value, parts.EDGE_ORDER)


def _with_fact(
    header: Header, wanted: parts.Wanted, key: str, value: str | None
) -> Header:
    """The header with a fact changed in the relations of an edge."""
    for relation in parts.relations_of(header):
        if not wanted(relation):
            continue
        path = (KEY, relation.place, key)
        is_there = key in relation.told
        if value is None:
            header = without_key(header, path) if is_there else header
        elif is_there:
            header = with_scalar(header, path, value)
        else:
            header = with_key(header, path, value, parts.form_for(key), _ORDER)
    return header


_CHANGES: dict[str, Callable[[Job, Edge, Value | None], None]] = {
    "strength": set_strength,
    "context": _set_context,
    "type": _set_type,
}
"""What sets each field; the type comes last, because it is used to find both sides."""


# Merge memories: the first one stays, and links to the others are redirected.

_TWO = 2


def merge(job: Job, intent: Merge, records: Sequence[Changeable]) -> str:
    """Merge several memories into the first."""
    kept, *others = memories_of(records, _TWO)
    if kept in others:
        raise NotPossibleError("A memory can't be merged with itself.")
    _Merging(job, kept, others, intent).carry_out()
    count = counted(len(others), "other memory", "other memories")
    return f"merge {count} into {named(kept.title)}"


class _Merging:
    """The memories of one merge."""

    def __init__(
        self, job: Job, kept: Memory, others: Sequence[Memory], intent: Merge
    ) -> None:
        self._job = job
        self._kept = kept
        self._others = others
        self._intent = intent
        title = intent.fields.get("title")
        self._title = title_of(title) if isinstance(title, str) else kept.title
        self._dropped: set[str | None] = set()
        self._id = parts.header_text(job.header(kept.path), "id")
        if self._id is None:
            raise NotPossibleError(f"{kept.path} has no id, so it can't be linked.")
        self._refs = {memory.ref for memory in (kept, *others)}
        own = id_key(self._id)
        self._merged = {own, *(id_key(memory.id) for memory in others if memory.id)}
        self._going = self._merged - {own}
        self._leading: dict[tuple[str | None, str | None, str], Edge] = {
            (edge.from_, edge.to, edge.type): edge
            for edge in job.known.edges_of(kept.ref)
            if not {edge.from_, edge.to} & {other.ref for other in others}
        }

    def carry_out(self) -> None:
        """Unite their contents, redirect links, and delete the others."""
        job = self._job
        job.is_grave = True
        for other in self._others:
            edges = job.known.edges_of(other.ref)
            for edge in edges:
                self._redirect(edge)
            for third in neighbours(job, other, edges):
                if third.ref not in self._refs:
                    what = f"The links of {named(third.title)} to it"
                    job.edit_beside(third.path, self._retargeted, what)
        self._unite()
        new = _names(self._kept)._replace(title=self._title)
        for other in self._others:
            follow_names(job, other, _names(other), new)
            parts.warn_about_old_paths(job, other, parts.Found.BY_ID)
            job.warn_about_pin(self._kept, other)
        for other in self._others:
            job.files.remove(other.path)
        unite_use(job, self._kept, self._others)

    def _redirect(self, edge: Edge) -> None:
        """Redirect an edge to the remaining memory, unless there is one already.

        An edge with a file has more information than one without, so it replaces it.
        """
        path = parts.file_of(edge)
        start, end = (
            self._kept.ref if ref in self._refs else ref
            for ref in (edge.from_, edge.to)
        )
        known = self._leading.get((start, end, edge.type))
        if start != end and known and path and not parts.file_of(known):
            self._forget(known)
        elif start == end or known:
            parts.drop_file(self._job, edge)
            self._dropped.add(edge.id)
            return
        if end is not None and start is not None:
            self._leading[start, end, edge.type] = edge
        if path is not None:
            self._job.revise(path, self._with_end)

    def _forget(self, edge: Edge) -> None:
        """Remove the relations of an edge from headers."""
        for end in parts.ends_of(self._job, edge):
            taken = partial(parts.without_relations, wanted=parts.telling(edge, end))
            what = f"The links of {named(end.memory.title)} to it"
            self._job.edit_beside(end.memory.path, taken, what)

    def _with_end(self, header: Header) -> Header:
        """An edge's header with merged ends replaced by the remaining memory."""
        for key, title in parts.ENDS:
            identifier = parts.header_text(header, key)
            if identifier is not None and id_key(identifier) in self._going:
                header = parts.with_text(header, key, self._id or "", parts.EDGE_ORDER)
                header = parts.with_text(header, title, self._title, parts.EDGE_ORDER)
        return header

    def _retargeted(self, header: Header) -> Header:
        """A third memory's header with relations redirected to the remaining one."""
        own = id_key(self._id or "")
        there = {
            known.about for known in parts.relations_of(header) if known.target == own
        }
        for relation in reversed(parts.relations_of(header)):
            if relation.target not in self._going:
                continue
            about = (own, relation.type, relation.side)
            if about in there:
                header = parts.without_places(header, {relation.place})
            else:
                path = (KEY, relation.place, "target")
                header = with_scalar(header, path, self._id or "")
                if relation.edge_id in self._dropped and relation.edge_id:
                    header = without_key(header, (*path[:2], "edge_id"))
                there.add(about)
        return header

    def _unite(self) -> None:
        """Unite tags, relations, text and the chosen values."""
        job, path = self._job, self._kept.path
        headers = [job.header(other.path) for other in self._others]
        tags = [tag for header in headers for tag in tags_of(header)]
        relations = [
            known for header in headers for known in parts.relations_of(header)
        ]
        changes: list[Callable[[Header], Header]] = [
            partial(parts.without_relations, wanted=lambda k: k.target in self._merged),
            partial(self._with_relations, relations=relations),
        ]
        if "tags" not in self._intent.fields:
            changes.append(partial(retagged, add=tags))
        for change in changes:
            job.revise(path, change)
        job.edit(path, self._with_merged)
        parts.put_body(job, path, self._text())
        for name, value in self._intent.fields.items():
            put_field(job, self._kept, name, value)

    def _text(self) -> str:
        """The chosen text, or else all texts, without links to the memory itself."""
        others = [_names(other) for other in self._others]
        own = self._intent.body
        own = text_of(self._job, self._kept.path) if own is None else own
        texts = [parts.without_links(own.replace("\r\n", "\n"), others)]
        if self._intent.body is None:
            names = [_names(self._kept), *others]
            texts += [
                parts.without_links(text_of(self._job, other.path), names)
                for other in self._others
            ]
        return joined(texts)

    def _with_merged(self, header: Header) -> Header:
        """The header with the ids of the memories merged into this one."""
        earlier = parts.merged_from(header)
        gone = [other.id for other in self._others if other.id]
        for other in self._others:
            gone += parts.merged_from(self._job.header(other.path))
        own = id_key(self._id or "")
        merged = list(dict.fromkeys(each for each in gone if id_key(each) != own))
        if set(merged) <= set(earlier):
            return header
        return parts.with_texts(
            header, MERGED_FROM, list(dict.fromkeys(earlier + merged))
        )

    def _with_relations(
        self, header: Header, relations: Sequence[parts.Relation]
    ) -> Header:
        """The header with the relations of the others, without duplicates."""
        there = {known.about for known in parts.relations_of(header)}
        for known in relations:
            if known.target not in self._merged and known.about not in there:
                target = known.text("target") or known.target
                facts = {key: known.text(key) for key in ("strength", "context")}
                if known.edge_id not in self._dropped:
                    facts["edge_id"] = known.edge_id
                header = parts.with_relation(
                    header, target, known.type, known.side, facts
                )
                there.add(known.about)
        return header


def _names(memory: Memory) -> parts.Names:
    return parts.Names(memory.title, stem_of(memory.path))


# Move or copy memories to another graph, with the edges among them.


def take(job: Job, intent: Move, records: Sequence[Changeable]) -> str:
    """Move memories to another graph; links to the remaining ones are lost."""
    memories = memories_of(records)
    target = Path(intent.to)
    with open_other(target, sniff, "a cognitive") as root:
        if root.path == job.files.root.path:
            raise NotPossibleError("The memories are already in that store.")
        files = job.beside(root, root.path)
        edges = list(_among(job, memories))
        for memory in memories:
            files.create(memory.path, _cut(job, memory, memories))
        for edge in edges:
            path = parts.file_of(edge)
            if path is not None:
                files.create(path, job.files.read(path))
        keep_index_beside(job, files)
        take_use(job, files, memories)
    word = "copy" if intent.keeps else "move"
    if not intent.keeps:
        let_go(job, memories)
        job.is_grave |= any(_leaves(job, memory, memories) for memory in memories)
    titles = [memory.title for memory in memories]
    return f"{said(word, titles)} to {target.name or target}"


def _among(job: Job, memories: Sequence[Memory]) -> Iterator[Edge]:
    """The edges with both ends among the memories, each once."""
    refs = {memory.ref for memory in memories}
    seen: set[str] = set()
    for memory in memories:
        for edge in job.known.edges_of(memory.ref):
            if {edge.from_, edge.to} <= refs and edge.ref not in seen:
                seen.add(edge.ref)
                yield edge


def _leaves(job: Job, memory: Memory, memories: Sequence[Memory]) -> bool:
    """Whether a memory has an edge to one that stays behind."""
    refs = {each.ref for each in memories}
    edges = job.known.edges_of(memory.ref)
    return any(not {edge.from_, edge.to} <= refs for edge in edges)


def _cut(job: Job, memory: Memory, memories: Sequence[Memory]) -> bytes:
    """A memory's file without its relations to memories that stay behind."""
    along = {id_key(each.id) for each in memories if each.id}
    raw = job.files.read(memory.path)
    header = job.header(memory.path)
    lost = [known for known in parts.relations_of(header) if known.target not in along]
    if not lost:
        return raw
    number = counted(len(lost), "relation", "relations")
    job.warn(
        f"Dropped: {number} of {parts.base_of(memory.path)} to memories that stay."
    )
    return parts.without_places(header, {known.place for known in lost}).raw
