"""One memory made of several: the first stays, and what led to the others follows."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.frontmatter.keys import without_key
from store.files.frontmatter.splice import with_scalar
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import counted, named
from store.findings import Value
from store.formats.cognitive.layout import stem_of
from store.formats.cognitive.relations import KEY
from store.formats.cognitive.scribe.bodies import joined, put_body
from store.formats.cognitive.scribe.calling import follow_names, title_of
from store.formats.cognitive.scribe.deleting import drop_file, neighbours
from store.formats.cognitive.scribe.fields import EDGE_ORDER, told, with_text
from store.formats.cognitive.scribe.links import ends_of, file_of, telling
from store.formats.cognitive.scribe.setting import (
    put_field,
    retagged,
    tags_of,
)
from store.formats.cognitive.scribe.sides import (
    Relation,
    relations_of,
    with_relation,
    without_relations,
)
from store.formats.cognitive.scribe.told import tell_of_old_paths
from store.formats.cognitive.scribe.wikilinks import Names
from store.formats.cognitive.vocabulary import id_key
from store.records.edge import Edge
from store.records.intents import Merge
from store.records.memory import Memory

_TWO = 2


def merge(job: Job, intent: Merge, records: Sequence[Changeable]) -> str:
    """Put several memories into the first."""
    kept, *others = memories_of(records, _TWO)
    if kept in others:
        raise NotPossibleError("A memory is not merged with itself.")
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
        self._id = told(job.header(kept.path), "id")
        if self._id is None:
            raise NotPossibleError(f"{kept.path} has no id, so nothing can lead to it.")
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
        """Unite what they say, redirect what leads to them, and let the others go."""
        job = self._job
        job.is_grave = True
        for other in self._others:
            edges = job.known.edges_of(other.ref)
            for edge in edges:
                self._redirect(edge)
            for third in neighbours(job, other, edges):
                if third.ref not in self._refs:
                    what = f"What {named(third.title)} says of it"
                    job.edit_beside(third.path, self._retargeted, what)
        self._unite()
        for other in self._others:
            old = Names(other.title, stem_of(other.path))
            new = Names(self._title, stem_of(self._kept.path))
            follow_names(job, other, old, new)
            tell_of_old_paths(job, other, breaks=True)
        for other in self._others:
            job.bench.remove(other.path)

    def _redirect(self, edge: Edge) -> None:
        """Let an edge lead to the memory that stays, unless one does already.

        One with a file of its own says more than one that has none, which gives way.
        """
        path = file_of(edge)
        start, end = (
            self._kept.ref if ref in self._refs else ref
            for ref in (edge.from_, edge.to)
        )
        known = self._leading.get((start, end, edge.type))
        if start != end and known and path and not file_of(known):
            self._forget(known)
        elif start == end or known:
            drop_file(self._job, edge)
            self._dropped.add(edge.id)
            return
        if end is not None and start is not None:
            self._leading[start, end, edge.type] = edge
        if path is not None:
            self._job.revise(path, self._with_end)

    def _forget(self, edge: Edge) -> None:
        """Take out of headers what tells of an edge."""
        for end in ends_of(self._job, edge):
            taken = partial(without_relations, wanted=telling(edge, end))
            what = f"What {named(end.memory.title)} says of it"
            self._job.edit_beside(end.memory.path, taken, what)

    def _with_end(self, header: Header) -> Header:
        """An edge's header whose ends are no memory that goes."""
        for key, title in (("from_id", "from_title"), ("to_id", "to_title")):
            identifier = told(header, key)
            if identifier is not None and id_key(identifier) in self._going:
                header = with_text(header, key, self._id or "", EDGE_ORDER)
                header = with_text(header, title, self._title, EDGE_ORDER)
        return header

    def _retargeted(self, header: Header) -> Header:
        """A third memory's header whose relations lead to the one that stays."""
        own = id_key(self._id or "")
        there = {known.about for known in relations_of(header) if known.target == own}
        for relation in reversed(relations_of(header)):
            if relation.target not in self._going:
                continue
            about = (own, relation.type, relation.side)
            if about in there:
                header = without_relations(header, partial(_is, place=relation.place))
            else:
                path = (KEY, relation.place, "target")
                header = with_scalar(header, path, self._id or "")
                if relation.edge_id in self._dropped and relation.edge_id:
                    header = without_key(header, (*path[:2], "edge_id"))
                there.add(about)
        return header

    def _unite(self) -> None:
        """Tags, relations, text and the values that were chosen."""
        job, path = self._job, self._kept.path
        headers = [job.header(other.path) for other in self._others]
        tags = [tag for header in headers for tag in tags_of(header)]
        relations = [known for header in headers for known in relations_of(header)]
        changes: list[Callable[[Header], Header]] = [
            partial(without_relations, wanted=lambda k: k.target in self._merged),
            partial(self._with_relations, relations=relations),
        ]
        if "tags" not in self._intent.fields:
            changes.append(partial(retagged, add=tags))
        for change in changes:
            job.revise(path, change)
        others = [other.path for other in self._others]
        put_body(job, path, joined(job, path, others, self._intent.body))
        for name, value in self._intent.fields.items():
            put_field(job, self._kept, name, value)

    def _with_relations(self, header: Header, relations: Sequence[Relation]) -> Header:
        """The header with the relations of the others, each kind of link once."""
        there = {known.about for known in relations_of(header)}
        for known in relations:
            if known.target not in self._merged and known.about not in there:
                target = _text(known.told, "target") or known.target
                facts = {key: _text(known.told, key) for key in ("strength", "context")}
                if known.edge_id not in self._dropped:
                    facts["edge_id"] = known.edge_id
                header = with_relation(header, target, known.type, known.side, facts)
                there.add(known.about)
        return header


def _is(relation: Relation, place: int) -> bool:
    return relation.place == place


def _text(told_of: Mapping[str, Value], key: str) -> str | None:
    value = told_of.get(key)
    return value if isinstance(value, str) and value else None
