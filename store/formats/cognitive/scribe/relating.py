"""Two memories linked: an edge file, and a relation in each of the two."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.frontmatter.header import Header
from store.files.json_document import load_map
from store.files.markdown.job import Change, Job, memories_of
from store.files.markdown.saying import listed, named
from store.files.moments import moment_like
from store.findings import Side
from store.formats.cognitive.rebuilding import INDEX
from store.formats.cognitive.scribe.fields import told
from store.formats.cognitive.scribe.naming import edge_path, new_id
from store.formats.cognitive.scribe.setting import share_of
from store.formats.cognitive.scribe.sides import IN, OUT, relations_of, with_relation
from store.formats.cognitive.scribe.writing import NewEdge, edge_page
from store.formats.cognitive.vocabulary import RELATION_TYPES, id_key
from store.records.intents import Relate
from store.records.memory import Memory

_TYPE = re.compile(r"[A-Z][A-Z_]{0,39}")
_PAIR = 2


class _End(NamedTuple):
    """A memory that is linked, as its file tells of it."""

    path: str
    id: str
    title: str


class _Said(NamedTuple):
    """What is said of the link."""

    type: str
    strength: str | None
    text: str


def relate(job: Job, intent: Relate, records: Sequence[Changeable]) -> str:
    """Lead from the first memory to the second."""
    memories = memories_of(records, _PAIR)
    if len(memories) > _PAIR:
        raise NotPossibleError("A link is between two memories.")
    start, end = (_end(job, memory) for memory in memories)
    strength = None if intent.strength is None else strength_of(intent.strength)
    said = _Said(type_of(job, intent.type), strength, intent.context or "")
    _refuse_again(job, start, end, said.type)
    edge_id = _edge(job, start, end, said)
    job.edit(start.path, _related(end.id, OUT, said, edge_id))
    job.edit(end.path, _related(start.id, IN, said, edge_id))
    return f"link {named(start.title)} {said.type} {named(end.title)}"


def type_of(job: Job, text: str) -> str:
    """A type of edge as it may be given: one of the seven, or one that is in use."""
    kind = text.strip().upper().replace("-", "_").replace(" ", "_")
    if kind in RELATION_TYPES:
        return kind
    own = any(edge.type in {text, kind} for edge in job.known.edges())
    if own and _TYPE.fullmatch(kind):
        return kind
    known = listed(sorted(RELATION_TYPES), len(RELATION_TYPES))
    raise NotPossibleError(f"A link is of one of these types: {known}.")


def strength_of(number: float) -> str:
    """A strength as it is written; refuses what is none."""
    if not 0 <= number <= 1:
        raise NotPossibleError("A strength is a number from 0 to 1.")
    return share_of(number)


def _end(job: Job, memory: Memory) -> _End:
    header = job.header(memory.path)
    identifier = told(header, "id")
    if identifier is None:
        raise NotPossibleError(f"{memory.path} has no id, so nothing can lead to it.")
    return _End(memory.path, identifier, told(header, "title") or memory.title)


def _refuse_again(job: Job, start: _End, end: _End, kind: str) -> None:
    target = id_key(end.id)
    if id_key(start.id) == target:
        raise NotPossibleError("A memory is not linked to itself.")
    about = (target, kind, OUT)
    if any(known.about == about for known in relations_of(job.header(start.path))):
        raise NotPossibleError(f"There is a {kind} link between these already.")


def _edge(job: Job, start: _End, end: _End, said: _Said) -> str | None:
    """Make the edge's own file, unless the store is of a generation without them."""
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
    job.bench.create(path, edge_page(new, said.text))
    return new.id


def _related(there: str, side: Side, said: _Said, edge_id: str | None) -> Change:
    """What puts one side of the link into a header; one that is there stays."""
    about = (id_key(there), said.type, side)
    context = " ".join(said.text.split()) or None
    facts = {"strength": said.strength, "context": context, "edge_id": edge_id}

    def related(header: Header) -> Header:
        if any(known.about == about for known in relations_of(header)):
            return header
        return with_relation(header, there, said.type, side, facts)

    return related


def _knows_no_edges(job: Job) -> bool:
    """Whether the index is one of version 1."""
    with suppress(UnreadableError):
        raw = job.bench.derived(INDEX)
        return raw is not None and load_map(raw).get("version") == 1
    return False
