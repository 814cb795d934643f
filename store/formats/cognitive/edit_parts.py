"""Parts of a store's files: header fields, text, names, [[links]], relations, edges."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple
from uuid import uuid4

from store.errors import NotPossibleError
from store.files.frontmatter import EditRefusedError, read_page
from store.files.frontmatter_edit import (
    Form,
    Header,
    Told,
    dashed,
    in_brackets_wording,
    scalar,
    with_scalar,
)
from store.files.frontmatter_lists import (
    with_entry,
    with_key,
    with_list,
    without_entries,
    without_key,
)
from store.files.frontmatter_yaml import Scalar, value_of
from store.files.frontmatter_yaml import Sequence as FrontmatterYamlSequence
from store.findings import Side, Value, name_key
from store.formats.cognitive.format import (
    CORE,
    EDGES,
    FOLDERS,
    GRAPH,
    NULLS,
    REFLECTION,
    id_key,
    is_uuid,
)
from store.formats.cognitive.memories import KEY, MERGED_FROM, linked, text_in, texts_of
from store.formats.markdown import Job, counted, listed, named
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.times import moment_like

# Header fields: read, set, and placed as the writer places them.

ORDER = (
    "id", "type", "title", "tags", "importance", "confidence", "steps",
    "preconditions", "postconditions", "created", "updated", "relations",
)  # fmt: skip
"""The keys of a memory, in the writer's order."""

EDGE_ORDER = (
    "id", "type", "from_id", "from_title", "to_id", "to_title", "strength",
    "created", "updated",
)  # fmt: skip
"""The keys of an edge."""

ENDS = (("from_id", "from_title"), ("to_id", "to_title"))
"""The keys of the ends of an edge: the memory's id, and its title."""

LISTS = frozenset({"tags", "steps", "preconditions", "postconditions", MERGED_FROM})
"""Keys with a list of texts."""

_FORMS = {
    "title": Form.QUOTED, "from_title": Form.QUOTED, "to_title": Form.QUOTED,
    "context": Form.QUOTED, "steps": Form.QUOTED, "preconditions": Form.QUOTED,
    "postconditions": Form.QUOTED,
    "id": Form.AS_IS, "type": Form.AS_IS, "importance": Form.AS_IS,
    "confidence": Form.AS_IS, "strength": Form.AS_IS, "created": Form.AS_IS,
    "updated": Form.AS_IS, "archived_importance": Form.AS_IS,
}  # fmt: skip


def form_for(key: str) -> Form:
    """How the writer formats the value of a key."""
    return _FORMS.get(key, Form.AS_NEEDED)


def identifying(text: str) -> Form:
    """How an identifier is written: plain if it is a UUID."""
    return Form.AS_IS if is_uuid(text) else Form.AS_NEEDED


def header_text(header: Header, key: str) -> str | None:
    """A text in the header; None if missing."""
    node = header.root.get(key)
    text = node.value if isinstance(node, Scalar) else ""
    return None if text in NULLS else text


def with_text(
    header: Header, key: str, text: str, order: Sequence[str] = ORDER
) -> Header:
    """The header with a text under a key."""
    if header.root.get(key) is None:
        return with_key(header, (key,), text, form_for(key), order)
    return with_scalar(header, (key,), text)


def with_texts(header: Header, key: str, texts: Sequence[str]) -> Header:
    """The header with a list of texts; a comma-separated text stays a single text."""
    node = header.root.get(key)
    if node is None:
        return with_key(header, (key,), list(texts), form_for(key), ORDER)
    if isinstance(node, Scalar) and node.value not in NULLS:
        if key != "tags" or any("," in text for text in texts):
            raise EditRefusedError(f"“{key}” must be a list, not a single text.")
        return with_scalar(header, (key,), ", ".join(texts))
    return with_list(header, (key,), texts)


def without(header: Header, key: str) -> Header:
    """The header without a key."""
    return header if header.root.get(key) is None else without_key(header, (key,))


def merged_from(header: Header) -> list[str]:
    """The ids of the memories merged into this one."""
    return texts_of(header.fields().get(MERGED_FROM))


def share_of(number: float) -> str:
    """A number from 0 to 1 in header style: at least one decimal, no exponent."""
    whole, point, decimals = f"{number:.6f}".rstrip("0").partition(".")
    return f"{whole}{point}{decimals or '0'}"


def stamped(header: Header, now: int) -> Header:
    """The header with its modification time set to now, if it has one."""
    updated = header_text(header, "updated")
    if updated is None:
        return header
    return with_scalar(header, ("updated",), moment_like(updated, now))


# The text below a header, replaced.


def put_body(job: Job, path: str, text: str) -> None:
    """Set the text of a file, with the line endings of its header."""
    header = job.header(path)
    old = header.raw[header.body :].decode()
    if old.replace("\r\n", "\n").strip("\n") == text.strip("\n"):
        return
    told = old.lstrip("\r\n")
    before = old[: len(old) - len(told)] or header.newline
    new = text.strip("\n").replace("\n", header.newline) + header.newline
    job.files.write(path, header.raw[: header.body] + f"{before}{new}".encode())
    job.stamp(path)


# Names of new files: derived from titles, safe on every system.

LONGEST = 60
"""The length of the part of a name derived from a title."""

LONGEST_OF_EDGE = 32
"""The same for names made of two titles and a type."""

_MOST_BYTES = 120
OWN_END = re.compile(r"-([0-9a-f]{6})\.md$", re.IGNORECASE)
"""The end of a name made of the first characters of an id."""
OWN = 6
"""How many characters these are."""


def new_id() -> str:
    """A new unique id."""
    return str(uuid4())


def slug_of(title: str, longest: int = LONGEST) -> str:
    """A title in the form used in file names.

    Accents are removed; a title in another script keeps its letters.
    """
    plain = title.lower().replace("'", "").replace("\u2019", "")
    latin = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", latin).strip("-")
    if not slug:
        slug = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain)).strip("-")
    short = slug[:longest].encode()[:_MOST_BYTES].decode(errors="ignore")
    return short.rstrip("-") or "memory"


def name_of(title: str, identifier: str) -> str:
    """The file name of a memory."""
    return f"{slug_of(title)}-{identifier[:OWN].lower()}.md"


def place_of(kind: str, name: str) -> str:
    """The place of an unpinned memory of a type."""
    return f"{GRAPH}/{FOLDERS[kind]}/{name}"


def base_of(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


# New files, as the format's own writer creates them.

_INDENT = 2

Entry = tuple[str, str | Sequence[str]]
"""A key and its text, or its texts."""


class NewEnd(NamedTuple):
    """One end of an edge to be created."""

    id: str
    title: str


class NewEdge(NamedTuple):
    """An edge to be created."""

    id: str
    type: str
    start: NewEnd
    end: NewEnd
    strength: str | None

    @property
    def path(self) -> str:
        """Its file."""
        ends = [slug_of(end.title, LONGEST_OF_EDGE) for end in (self.start, self.end)]
        own = self.id[:OWN].lower()
        return f"{EDGES}/{ends[0]}--{self.type}--{ends[1]}-{own}.md"


def page(entries: Sequence[Entry], body: str) -> bytes:
    """A header and a text, which ends with a newline."""
    header = [line for key, value in entries for line in _lines(key, value)]
    text = body.strip("\n")
    return "\n".join(["---", *header, "---", "", f"{text}\n" if text else ""]).encode()


def create_edge(job: Job, edge: NewEdge, body: str) -> None:
    """Create the file of an edge."""
    moment = moment_like(None, job.now)
    told = {
        "id": edge.id,
        "type": edge.type,
        "from_id": edge.start.id,
        "from_title": edge.start.title,
        "to_id": edge.end.id,
        "to_title": edge.end.title,
        "strength": edge.strength,
        "created": moment,
        "updated": moment,
    }
    entries = [(key, value) for key, value in told.items() if value is not None]
    job.files.create(edge.path, page(entries, body))


def _lines(key: str, value: str | Sequence[str]) -> Iterator[str]:
    form = form_for(key)
    if isinstance(value, str):
        is_id = key == "id" or key.endswith("_id")
        yield f"{key}: {scalar(value, identifying(value) if is_id else form)}"
    elif key == "tags" or key not in LISTS or not value:
        yield f"{key}: {in_brackets_wording(value)}"
    else:
        yield f"{key}:"
        yield from dashed(value, _INDENT, form)


# Links to a memory that are not updated: in daily logs and summaries.
#
# A link with an outdated path is resolved by file name, and if that is gone, too, by
# the id at the end of the name.

_SUMMARIES = {CORE: "core", REFLECTION: "reflection"}


class Found(Enum):
    """How a link with an outdated path is resolved."""

    BY_NAME = "name"
    BY_ID = "id"
    NOT = "not"


def warn_about_old_paths(job: Job, memory: Memory, found: Found) -> None:
    """Warn about links that a new path breaks; `found` is how they still resolve."""
    episodes, documents = _naming(job, memory)
    if episodes:
        entries = counted(len(episodes), "daily-log entry", "daily-log entries")
        link = "a broken link" if len(episodes) == 1 else "broken links"
        if found is Found.NOT or (
            found is Found.BY_ID and not _is_found_by_id(job, memory)
        ):
            job.warn(
                f"{entries} ({listed(sorted(set(episodes)))}) will keep {link} to "
                f"{named(memory.title)}; daily logs are append-only."
            )
            job.is_grave = True
    for document in documents:
        job.warn(
            f"{document} will list the old path of {named(memory.title)} until"
            f" `recollect rebuild {_SUMMARIES.get(document, 'core')}`."
        )


def _is_found_by_id(job: Job, memory: Memory) -> bool:
    """Whether the id at the end of a file's name belongs to only one memory."""
    own = OWN_END.search(memory.path)
    start = own[1].lower() if own else "-"
    alike = {one.id.lower() for one in job.known.memories() if one.id}
    beginning = [each for each in alike if each.startswith(start)]
    return beginning == [(memory.id or "").lower()]


def _naming(job: Job, memory: Memory) -> tuple[list[str], list[str]]:
    """The logs, one per entry, and the documents that link to a memory's file."""
    links = [link for link in job.known.links_of(memory.ref) if link.direction == "in"]
    episodes = [link.path for link in links if link.by == "episode"]
    documents = {link.path for link in links if link.by == "document"}
    return episodes, sorted(documents)


# Update `[[names]]` in a text when a memory is renamed or merged.

_BRACKETS = 2
_NEVER = frozenset("[]|\n`")
"""Characters that cannot be part of a name in brackets."""


class Names(NamedTuple):
    """The names of a memory: its title and its file name."""

    title: str
    stem: str


def with_names(raw: bytes, old: Names, new: Names) -> bytes:
    """A file with its links to a memory updated.

    A link by title gets the new title, a link by file name the new file name. Raises
    UnicodeDecodeError if the file is not UTF-8.
    """
    body = read_page(raw).body
    text = raw.decode()
    start = len(text) - len(body) + _BRACKETS
    for link in reversed(list(linked(body))):
        told = _new_text(link.name, old, new)
        if told is not None:
            begin = start + link.start
            text = text[:begin] + told + text[begin + len(link.name) :]
    return text.encode()


def without_links(body: str, names: Iterable[Names]) -> str:
    """A text in which links to some memories are replaced by their labels."""
    keys = {name_key(name) for pair in names for name in pair}
    for link in reversed(list(linked(body))):
        if name_key(link.name) in keys:
            body = body[: link.start] + link.shown + body[link.end :]
    return body


def _new_text(name: str, old: Names, new: Names) -> str | None:
    """The new text of a link; None if it means something else, or stays valid."""
    key = name_key(name)
    if key in {name_key(new.title), name_key(new.stem)}:
        return None
    by_title = key == name_key(old.title)
    if not by_title and key != name_key(old.stem):
        return None
    says_title = name == old.title or (by_title and name != old.stem)
    return new.title if says_title and _NEVER.isdisjoint(new.title) else new.stem


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
    target = text_in(told, "target")
    if target is not None:
        direction = (text_in(told, "direction") or "").strip().lower()
        yield Relation(
            index,
            id_key(target),
            text_in(told, "type") or "RELATED_TO",
            IN if direction == IN.value else OUT,
            text_in(told, "edge_id"),
            told,
        )


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
