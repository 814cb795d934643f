"""Memories: what agents chose to keep."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated
from zlib import crc32

from msgspec import Struct

from store.derive.memories import Fading, faded, fades_in
from store.findings import DocumentFound, MemoryFound, Value
from store.kinds import field, table
from store.kinds.kind import (
    FORMAT,
    ID,
    LINE,
    PATH,
    PATH_TEXT,
    REF,
    SESSION,
    STORE,
    Kind,
    Place,
    Ranked,
    Shelf,
    at,
    has_text,
    problems_of,
    with_problem,
)
from store.times import clock, written_at

STAGES = ("vault", "active", "fading", "dormant", "archived")
"""The stages of a memory's decay, strongest first."""

FADED = (
    "memories.fades",
    "memories.pinned",
    "memories.vigour",
    "memories.importance",
    "memories.access_count",
    "memories.type",
)
"""The columns that determine strength and stage."""

STRENGTH = f"strength_of({', '.join(FADED)})"
_STAGE = f"stage_of({', '.join(FADED)})"
_FADES_IN = f"fades_in({', '.join(FADED)})"
_STORED = (
    "(SELECT accesses.score FROM accesses WHERE accesses.key = memories.key "
    "AND accesses.store = memories.store AND memories.fades "
    "ORDER BY accesses.id LIMIT 1)"
)
_PROJECT = (
    "(SELECT conversations.project FROM conversations "
    "WHERE conversations.session = memories.session LIMIT 1)"
)

_WEIGHT = (
    "CASE memories.importance WHEN 'high' THEN 0.9 WHEN 'medium' THEN 0.5 "
    "WHEN 'low' THEN 0.1 ELSE memories.importance END"
)
"""Importance as a number, also if it is a word."""

_LINKS = "(memories.links_in + memories.links_out)"

_WITH_EDGE = (
    "memories.id IN (SELECT edges.start FROM edges WHERE {0} "
    'UNION ALL SELECT edges."end" FROM edges WHERE {0})'
)

_COUNT = "INTEGER NOT NULL DEFAULT 0"


# What its agent may not see.

UNSEEN = ("cut", "unlisted", "unscanned")
"""Why an agent may not see a memory: MEMORY.md lists it below the line where it is cut,
or doesn't list it; or it is too old for the catalogue."""

SCANNED = 200
"""How many files are in the catalogue of a memory folder, the newest first."""

_INDEXES = "documents.role = 'memory-index' AND documents.text_bytes > 0"
_SEEN_IN = (
    "EXISTS (SELECT 1 FROM mentions JOIN documents "
    "ON documents.source = mentions.source AND documents.role = 'memory-index' "
    "WHERE mentions.memory = memories.id{})"
)
_WITHIN = " AND mentions.line < coalesce(documents.cut_at, 9e9)"
_UNSEEN = f"""CASE
    WHEN memories.store NOT IN (SELECT stores.id FROM stores
        WHERE format = 'notes' AND signature IS NOT NULL)
    THEN NULL
    WHEN memories.store IN (SELECT documents.store FROM documents WHERE {_INDEXES})
        AND NOT {_SEEN_IN.format(_WITHIN)} AND memories.source NOT IN (
            SELECT documents.source FROM documents WHERE {_INDEXES}
            AND coalesce(memories.line, 0) < coalesce(documents.cut_at, 9e9))
    THEN CASE WHEN {_SEEN_IN.format("")} OR memories.source IN (
            SELECT documents.source FROM documents WHERE {_INDEXES})
        THEN 'cut' ELSE 'unlisted' END
    WHEN (SELECT own.mtime_ns FROM sources AS own WHERE own.id = memories.source) < (
        SELECT each.mtime_ns FROM sources AS each
        WHERE each.store = memories.store AND each.role = 'memory'
        ORDER BY each.mtime_ns DESC LIMIT 1 OFFSET {SCANNED - 1})
    THEN 'unscanned' END"""


def _strength(now: int, *fading: *Fading) -> float | None:
    return faded(now, fading)[0]


def _stage(now: int, *fading: *Fading) -> str | None:
    return faded(now, fading)[1]


def _days(now: int, *fading: *Fading) -> float | None:
    return fades_in(now, fading)


def _category(found: MemoryFound, _origin: table.Origin) -> table.Cell:
    category = found.fields.get("category")
    return category if isinstance(category, str) else None


def _status(found: MemoryFound, _origin: table.Origin) -> table.Cell:
    """The status of a task of agent-memory."""
    task = found.fields.get("task_metadata")
    status = task.get("status") if isinstance(task, Mapping) else None
    return status if isinstance(status, str) else None


UNWRITTEN = 1 - 2**63
"""In place of the time of a file that was written later than the moment shown."""


def _written(nanoseconds: int) -> str | None:
    return None if nanoseconds == UNWRITTEN else written_at(nanoseconds // 1000)


# The record.


class Memory(Struct, frozen=True, kw_only=True):
    """A memory as shown in a list."""

    ref: Annotated[str, REF]
    """The memory's ref for other commands; stable between runs."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    format: Annotated[str, FORMAT]
    """The format of the store: `cognitive`, `notes`, …"""
    id: Annotated[str | None, ID]
    """The memory's own identifier, if its format has one."""
    type: Annotated[
        str | None, field.Text("the type of memory or link", sort=field.PLAIN)
    ]
    """The type of the memory, as the store names it."""
    title: Annotated[str, field.Phrase("its title", sort=field.NOCASE)]
    """Its title, or else its file name without suffix."""
    description: Annotated[str | None, field.Phrase("its description")]
    """A one-line description, if the format has one."""
    tags: Annotated[tuple[str, ...], field.Texts("a tag", aliases=("tag",))]
    """Its tags, in file order."""
    importance: Annotated[
        float | str | None,
        field.Number(
            "its importance",
            types=(field.Type.NUMBER, field.Type.CHOICE),
            choices=("high", "medium", "low"),
            sql=_WEIGHT,
            word="memories.importance",
            sort=_WEIGHT,
        ),
    ]
    """Its importance: 0…1, or high, medium, low in agent-memory."""
    confidence: Annotated[float | None, field.Number("its confidence")]
    """How sure its author was, 0…1."""
    created: Annotated[str | None, field.Moment("when it was created")]
    """When it was created, as written."""
    updated: Annotated[
        str | None, field.Moment("when it was changed", sql="memories.changed_at")
    ]
    """When it was last changed, as written."""
    accessed: Annotated[
        str | None, field.Moment("when it was last recalled", aliases=("seen",))
    ]
    """When an agent last recalled it, as written."""
    access_count: Annotated[
        int,
        field.Number(
            "how often it was recalled",
            aliases=("uses",),
            fill=lambda found, _: min(found.access_count, table.LARGEST),
        ),
    ]
    """How often agents recalled it."""
    strength: Annotated[
        float | None,
        field.Number(
            "its strength",
            column=None,
            shown=(field.NOW, *FADED),
            read=_strength,
            sql=STRENGTH,
            sort="memories.vigour",
        ),
    ]
    """The current decay score; 999.0 if pinned; null if nothing fades."""
    stage: Annotated[
        str | None,
        field.Text(
            "how far it has faded",
            choices=STAGES,
            column=None,
            shown=(field.NOW, *FADED),
            read=_stage,
            sql=_STAGE,
        ),
    ]
    """`vault` if pinned, else `active fading dormant archived`; null if it can't
    fade."""
    pinned: Annotated[bool, field.Flag()]
    """Whether it is in the vault, or pinned in recollect if its store has no such
    field."""
    archived: Annotated[bool, field.Flag()]
    """Whether it is archived."""
    path: Annotated[str, PATH]
    """Its file, relative to the store."""
    line: Annotated[int | None, LINE]
    """The line it starts at, if its file contains several."""
    links_in: Annotated[
        int, field.Number("the number of incoming links", type=_COUNT, is_late=True)
    ]
    """The number of edges to it."""
    links_out: Annotated[
        int, field.Number("the number of outgoing links", type=_COUNT, is_late=True)
    ]
    """The number of edges from it."""
    problems: Annotated[tuple[str, ...], problems_of("memories")]
    """The codes of its problems."""
    modified: Annotated[
        str | None,
        field.Moment(
            "when its file was changed",
            joined="sources.mtime_ns",
            read=_written,
            sql="sources.mtime_ns / 1000",
            sort="sources.mtime_ns",
        ),
    ] = None
    """When its file was last written; its date where `updated` is null."""
    unseen: Annotated[
        str | None,
        field.Text(
            "why its agent may not see it",
            choices=UNSEEN,
            column=None,
            shown=_UNSEEN,
            sort=field.UNSORTED,
        ),
    ] = None
    """Why its agent may not see it: `cut` if MEMORY.md lists it below the line where it
    is cut, `unlisted` if it doesn't, or `unscanned` if 200 files are newer."""
    category: Annotated[str | None, field.Text("its category", fill=_category)] = None
    """Its category, if the format has one."""
    status: Annotated[str | None, field.Text("the status of a task", fill=_status)] = (
        None
    )
    """The status of a task: `in-progress blocked completed`."""
    session: Annotated[str | None, SESSION] = None
    """The session that wrote it, if recorded."""
    stored_strength: Annotated[
        float | None,
        field.Number(
            "the strength in the state file",
            column=None,
            shown=_STORED,
            aliases=("stored",),
            sort=field.UNSORTED,
        ),
    ] = None
    """The score that the store last computed; it may be out of date."""
    fades_in: Annotated[
        float | None,
        field.Number(
            "the days until its next stage",
            column=None,
            shown=(field.NOW, *FADED),
            read=_days,
            sql=_FADES_IN,
            sort=field.UNSORTED,
        ),
    ] = None
    """The days until its next stage of decay, if it isn't recalled."""


class Relation(Struct, frozen=True, kw_only=True):
    """One entry of a memory's own list of relations."""

    target: str | None
    """The identifier of the target, as written."""
    type: str | None
    """The type of relation, as written."""
    direction: str | None
    """`outgoing` or `incoming`, as written."""
    strength: float | None
    """The strength of the relation, 0…1."""
    context: str | None
    """The reason for it, in the writer's words."""
    edge_id: str | None
    """The id of the edge file with the details."""
    fields: Mapping[str, Value]
    """Everything else in the entry, unchanged."""


class MemoryInFull(Struct, frozen=True, kw_only=True):
    """A memory as shown by `show`: the list fields, and the rest of its file."""

    memory: Memory
    """The fields shown in a list."""
    body: str
    """Its text."""
    fields: Mapping[str, Value]
    """Everything else in its header, unchanged."""
    relations: tuple[Relation, ...]
    """The relations that it lists itself."""
    steps: tuple[str, ...]
    """The steps of a procedure."""
    preconditions: tuple[str, ...]
    """The preconditions of a procedure."""
    postconditions: tuple[str, ...]
    """The postconditions of a procedure."""


# Its names, by which edges find it.

FIRST_NAME = table.first_part("names", " ")
LAST_NAME = table.last_part("names", " ")
SECOND_NAME = table.first_part(f"substr(names, length({FIRST_NAME}) + 2)", " ")
"""The names of a memory, as SQL. Few have a third, and no format gives a fourth."""

HAS_SEVERAL = "instr(names, ' ')"
"""Whether it has more than one name."""

HAS_MANY = f"instr(substr(names, length({FIRST_NAME}) + 2), ' ')"
"""Whether it has more than two names."""

HAS_MORE = (
    f"instr(substr(names, length({FIRST_NAME}) + length({SECOND_NAME}) + 3), ' ')"
)
"""Whether it has more than three names."""


def own_key(path: str, own_id: str | None) -> str:
    """The key of a memory in claims: its identifier, or else its path."""
    return f"id:{own_id.casefold()}" if own_id else f"path:{path}"


def _key(found: MemoryFound, origin: table.Origin) -> str:
    return own_key(origin.path, found.id)


def _identity(found: MemoryFound, origin: table.Origin) -> tuple[str, ...]:
    line = () if found.line is None or found.id else (str(found.line),)
    return (_key(found, origin), *line)


def hash_of(description: str) -> int:
    """A number that descriptions share if only case and white space differ."""
    words = " ".join(description.casefold().split())
    return crc32(words.encode("utf-8", "replace"))


def _description_hash(found: MemoryFound, _origin: table.Origin) -> table.Cell:
    return hash_of(found.description) if found.description else None


def _changed_at(found: MemoryFound, origin: table.Origin) -> table.Cell:
    """When a memory was last changed: its own date, or else that of its file.

    A date in the future is ignored, as it would sort above all others in every list.
    """
    updated = found.updated.micros if found.updated else None
    return origin.written if updated is None or updated > clock() else updated


# The searchable texts of memories and documents.


def texts_of_memories(found: Iterable[MemoryFound]) -> Iterator[table.Row]:
    """The texts of memories that lists do not show."""
    for memory in found:
        text = "\n".join(_parts(memory))
        if text:
            yield (memory.line or 0, text)


def texts_of_documents(found: Iterable[DocumentFound]) -> Iterator[table.Row]:
    """The texts of documents."""
    return ((0, document.text) for document in found if document.text)


def _parts(memory: MemoryFound) -> Iterator[str]:
    """The parts of a memory's text."""
    if memory.body:
        yield memory.body
    yield from memory.steps
    yield from memory.preconditions
    yield from memory.postconditions
    if memory.fields:
        yield "\n".join(
            f"{name}: {value if isinstance(value, str) else table.json_text(value)}"
            for name, value in memory.fields.items()
        )


BODIES = Shelf("bodies", ("text",))

HEADS = Shelf("memories", ("title", "description", "tags", "names", "own_id"))

_BODY = Place(
    "bodies.text",
    BODIES,
    "bodies.id",
    chosen=(
        "(memories.source, coalesce(memories.line, 0)) IN "
        "(SELECT bodies.source, bodies.line FROM bodies WHERE {})"
    ),
    each=(
        "EXISTS (SELECT 1 FROM bodies WHERE bodies.source = memories.source "
        "AND bodies.line = coalesce(memories.line, 0) AND {})"
    ),
)


# The kind.

_BODIES = table.Table(
    "bodies",
    table.columns("line INTEGER NOT NULL, text TEXT NOT NULL"),
    {"by_source": "(source, line)"},
    id=table.GROWING,
)
_ACCESSES = table.Table(
    "accesses",
    (
        *table.columns("key TEXT NOT NULL"),
        table.column(
            "count INTEGER NOT NULL", lambda found, _: min(found.count, table.LARGEST)
        ),
        *table.moment("last"),
        *table.columns("score REAL"),
    ),
    {"by_source": "(source)", "by_key": "(key, store)"},
    shows=("memories",),
    found="accesses",
)
_INDEX_ENTRIES = table.Table(
    "index_entries",
    (
        *table.columns("key TEXT NOT NULL, path TEXT"),
        table.column("facts TEXT NOT NULL", table.json_of("facts")),
    ),
    {"by_source": "(source)", "by_store": "(store)", "by_key": "(key, store)"},
    found="index",
)

_CREATED = "coalesce(memories.created_at, memories.changed_at)"
"""When a memory was created, as far as known."""

_UUID = 36
"""The length of ids that are too long to type."""

_SAID = (
    "(SELECT bodies.text FROM {0}.bodies WHERE bodies.source = {1}.source "
    "AND bodies.line = coalesce({1}.line, 0))"
)
"""The text of a memory in one of two indexes."""

_BROKEN = _WITH_EDGE.format('(edges.start IS NULL OR edges."end" IS NULL)')

MEMORIES = Kind(
    name="memories",
    record=Memory,
    identity=_identity,
    stored=(
        table.column("key TEXT NOT NULL", _key),
        table.column("names TEXT NOT NULL", lambda found, _: " ".join(found.names)),
        table.column("changed_at INTEGER NOT NULL", _changed_at),
        *table.columns("fades INTEGER NOT NULL"),
        table.column("description_hash INTEGER", _description_hash),
        *table.later("is_copy INTEGER NOT NULL DEFAULT 0, vigour REAL"),
    ),
    indexes={
        "by_source": "(source, line)",
        "undated": "(source) WHERE updated_at IS NULL",
        "by_ref": "(ref)",
        "by_key": "(key, store)",
        "by_first_name": f"({FIRST_NAME}, store)",
        "by_last_name": f"({LAST_NAME}, store) WHERE {HAS_SEVERAL}",
        "by_second_name": f"({SECOND_NAME}, store) WHERE {HAS_MANY}",
        "of_many_names": f"(store) WHERE {HAS_MORE}",
        "by_updated": "(changed_at, ref, store)",
        "by_vigour": "(vigour, ref, store)",
        "by_mark": "(store, key) WHERE pinned = 2",
        "by_description": "(description_hash)",
        "by_session": "(session) WHERE session IS NOT NULL",
    },
    tables=(_BODIES, _ACCESSES, _INDEX_ENTRIES),
    shows=("memories", "edges", "episodes"),
    sort_order=(
        "updated created accessed modified strength importance confidence access_count "
        "links_in links_out links title type path store"
    ),
    queried={
        "links": field.Number("the number of its links", sql=_LINKS),
        "project": field.Text("the project of its session", sql=_PROJECT),
        "edge": field.Text(
            "the type of one of its edges", sql="edges.type", within=_WITH_EDGE
        ),
    },
    field_order=(
        "type tags stage category status title description importance confidence "
        "strength fades_in stored_strength created updated accessed modified "
        "access_count links links_in links_out edge project problems unseen"
    ),
    shelves=(HEADS, BODIES),
    everywhere=(HEADS.whole, _BODY),
    places={
        **{name: (HEADS.part(name),) for name in ("title", "tags", "description")},
        "body": (_BODY,),
    },
    own_states={
        "pinned": "memories.pinned",
        **{stage: f"{_STAGE} = '{stage}'" for stage in STAGES[:-1]},
        "archived": f"memories.archived OR {_STAGE} = 'archived'",
        "unseen": f"({_UNSEEN}) IS NOT NULL",
        "orphan": f"{_LINKS} = 0",
        "broken": (
            f"{_BROKEN} OR memories.ref IN "
            "(SELECT problems.ref FROM problems WHERE problems.severity = 'error')"
        ),
        "onesided": _WITH_EDGE.format(with_problem("edges", "one-sided-link")),
        "duplicate": (
            f"memories.is_copy OR {with_problem('memories', 'duplicate-id')}"
        ),
    },
    belongings={
        "edges": f"{_LINKS} > 0",
        "tags": "memories.tags <> '[]'",
        "description": has_text("memories.description"),
        "steps": "memories.type = 'procedure'",
        "problems": "memories.ref IN (SELECT problems.ref FROM problems)",
    },
    times=(at(_CREATED), at("memories.changed_at")),
    changed=(
        "CASE WHEN memories.line IS NULL THEN "
        "max(memories.changed_at, sources.mtime_ns / 1000) "
        "ELSE memories.changed_at END"
    ),
    facets=("type", "tags", "stage", "category", "status", "project", "session"),
    ranked=Ranked(
        names=(
            "memories.names || ' ' || coalesce(memories.own_id, '') "
            f"|| ' ' || {PATH_TEXT}"
        ),
        tags="memories.tags",
        description="memories.description",
        body=(
            "(SELECT bodies.text FROM bodies WHERE bodies.source = memories.source "
            "AND bodies.line = coalesce(memories.line, 0) LIMIT 1)"
        ),
        at="memories.changed_at",
        strength=STRENGTH,
        pinned="memories.pinned",
        archived="memories.archived",
    ),
    names=(
        "memories.title || char(10) || CASE "
        "WHEN memories.own_id IS NULL THEN replace(memories.names, 'name:', '') "
        f"WHEN length(memories.own_id) = {_UUID} THEN '' ELSE memories.own_id END "
        "|| char(10) || memories.tags"
    ),
    content=(
        *("title", "type", "description", "tags", "importance", "confidence"),
        *("pinned", "archived", _SAID),
    ),
)
"""Memories."""
