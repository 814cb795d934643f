"""Episodes and documents: pages about memories."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from store.findings import DocumentFound, Value
from store.kinds import field, table
from store.kinds.kind import (
    LINE,
    PATH,
    PATH_TEXT,
    REF,
    STORE,
    Kind,
    Place,
    Ranked,
    Shelf,
    at,
    has_text,
)
from store.kinds.memories import BODIES

TARGET_NAME = table.last_part("target", "/")
"""The target of a link without folders."""

_HOUR = "CAST(episodes.time AS INTEGER)"
_CLOCK = (
    f"printf('%02d', CASE WHEN episodes.time LIKE '%p%m%' THEN {_HOUR} % 12 + 12 "
    f"WHEN episodes.time LIKE '%a%m%' THEN {_HOUR} % 12 ELSE {_HOUR} END) "
    "|| substr(episodes.time, instr(episodes.time, ':'))"
)
"""The time of an episode in a sortable form, unlike `9:02` and `1:33 PM`."""

_MEMORY = field.Phrase(
    "the related memory",
    joined="memories.ref",
    sql="memories.ref || char(10) || memories.title",
)


# Episodes.


class Episode(Struct, frozen=True, kw_only=True):
    """What happened at one time of a day."""

    ref: Annotated[str, REF]
    """The episode's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    date: Annotated[
        str,
        field.Text(
            "its day",
            form=field.Form.DAY,
            sort=f"(episodes.date || ' ' || coalesce({_CLOCK}, ''))",
        ),
    ]
    """The day, as YYYY-MM-DD."""
    time: Annotated[str | None, field.Identifier("its time of day")]
    """The time of day, as written."""
    title: Annotated[str, field.Phrase("its title", sort=field.NOCASE)]
    """The title of the entry."""
    type: Annotated[
        str | None, field.Text("the type of memory or link", sort=field.PLAIN)
    ]
    """The type of the memory that it is about."""
    tags: Annotated[tuple[str, ...], field.Texts("a tag", aliases=("tag",))]
    """Its tags, in file order."""
    summary: Annotated[str | None, field.Phrase("its text")]
    """What happened."""
    memory: Annotated[str | None, _MEMORY]
    """The ref of the linked memory; null if missing."""
    link: Annotated[str | None, field.Phrase("its link, as written")]
    """The link, as written."""
    path: Annotated[str, PATH]
    """Its file, relative to the store."""
    line: Annotated[int, LINE]
    """The line it starts at."""


_ENTRIES = Shelf("episodes", ("title", "summary", "tags"))

_DAY = field.Field(form=field.Form.DAY, sql="episodes.date")

EPISODES = Kind(
    name="episodes",
    record=Episode,
    identity=lambda one, at: (at.path, one.date, one.time or "", str(one.line)),
    stored=(
        *table.columns("target TEXT"),
        *table.later("memory INTEGER"),
        table.column("conversation_key TEXT", table.Attribute("conversation")),
    ),
    indexes={
        "by_memory": "(memory)",
        "to_nothing": (
            f"({TARGET_NAME}, store) WHERE target IS NOT NULL AND memory IS NULL"
        ),
        "by_day": "(date, time, id)",
    },
    joins={"memories": "LEFT JOIN memories ON memories.id = episodes.memory"},
    ties=("line", "ref"),
    sort_order="date title type path store",
    field_order="type tags title date time memory link summary",
    shelves=(_ENTRIES,),
    everywhere=(_ENTRIES.whole,),
    places={name: (_ENTRIES.part(name),) for name in ("title", "tags", "summary")},
    belongings={
        "tags": "episodes.tags <> '[]'",
        "summary": has_text("episodes.summary"),
        "memory": "episodes.memory IS NOT NULL",
        "link": "episodes.link IS NOT NULL",
    },
    times=(_DAY,),
    when_new=(
        "1000000 * coalesce(unixepoch(episodes.date || ' ' || episodes.time, 'utc'), "
        "unixepoch(episodes.date || ' 23:59', 'utc'))"
    ),
    facets=("type", "tags"),
    ranked=Ranked(
        tags="episodes.tags",
        body="episodes.summary",
        at="unixepoch(episodes.date) * 1000000",
    ),
    names="episodes.title || char(10) || episodes.tags",
    content=("title", "type", "tags", "summary", "link"),
)
"""Episodes. An entry without a time of day counts as written late on that day."""


# Documents.


class Document(Struct, frozen=True, kw_only=True):
    """A generated summary, an index, instructions, or a page beside the memories."""

    ref: Annotated[str, REF]
    """The document's ref for other commands."""
    store: Annotated[str, STORE]
    """The absolute path of the store's root."""
    title: Annotated[str, field.Phrase("its title", sort=field.NOCASE)]
    """Its first heading, or else its file name without suffix."""
    path: Annotated[str, PATH]
    """The file, relative to the store."""
    category: Annotated[str | None, field.Text("its category")]
    """The folder that names its subject, if there is one."""
    text_bytes: Annotated[
        int,
        field.Number(
            "its size",
            aliases=("bytes",),
            fill=lambda found, _: len(found.text.encode("utf-8", "replace")),
        ),
    ]
    """Its size in bytes."""
    role: Annotated[
        str,
        field.Text(
            "its role",
            choices=(
                *("core", "reflection", "memory-index", "document", "episode-file"),
                "instructions",
            ),
            sort=field.PLAIN,
        ),
    ]
    """`core reflection memory-index document episode-file instructions`."""


class DocumentInFull(Struct, frozen=True, kw_only=True):
    """A document as shown by `show`."""

    document: Document
    """The fields shown in a list."""
    text: str
    """Its text, with secrets masked."""
    facts: Mapping[str, Value]
    """What was extracted from it: counts, sections, settings."""


def _cut_at(found: DocumentFound, _origin: table.Origin) -> table.Cell:
    """The first line that no agent loads, if it is cut."""
    line = found.facts.get("cut_at")
    return int(line) if isinstance(line, str) and line.isdigit() else None


_MENTIONS = table.Table(
    "mentions",
    (
        *table.columns("target TEXT"),
        *table.later("memory INTEGER"),
        *table.columns(
            "link TEXT NOT NULL, label TEXT NOT NULL, note TEXT, line INTEGER NOT NULL"
        ),
    ),
    {
        "by_source": "(source)",
        "by_memory": "(memory)",
        "to_nothing": (
            f"({TARGET_NAME}, store) WHERE target IS NOT NULL AND memory IS NULL"
        ),
    },
    shows=("documents",),
)

_BODY = Place(
    "bodies.text",
    BODIES,
    "bodies.id",
    chosen="documents.source IN (SELECT bodies.source FROM bodies WHERE {})",
    each=(
        "EXISTS (SELECT 1 FROM bodies WHERE bodies.source = documents.source AND {})"
    ),
)

_TITLE = Place("documents.title")

_WRITTEN = "sources.mtime_ns / 1000"

DOCUMENTS = Kind(
    name="documents",
    record=Document,
    identity=lambda _, at: (at.path,),
    stored=(table.column("cut_at INTEGER", _cut_at),),
    indexes={"of_memories": "(store) WHERE role = 'memory-index'"},
    tables=(_MENTIONS,),
    sort_order="path title role text_bytes store",
    field_order="title category text_bytes role",
    everywhere=(_TITLE, _BODY),
    places={"title": (_TITLE,), "body": (_BODY,)},
    belongings={"category": "documents.category IS NOT NULL"},
    times=(at(_WRITTEN),),
    is_dated=False,
    facets=("role",),
    ranked=Ranked(
        names=PATH_TEXT,
        body=(
            "(SELECT bodies.text FROM bodies WHERE bodies.source = documents.source "
            "LIMIT 1)"
        ),
        at=_WRITTEN,
    ),
    names="documents.title",
    content=(
        "title",
        "(SELECT bodies.text FROM {0}.bodies WHERE bodies.source = {1}.source LIMIT 1)",
    ),
)
"""Documents."""
