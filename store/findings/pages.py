"""What a page says that tells of memories and is none itself."""

from collections.abc import Mapping

from msgspec import Struct, field

from store.findings.words import Value


class EpisodeFound(Struct, frozen=True, kw_only=True):
    """One entry of a daily log."""

    date: str
    """The day, as YYYY-MM-DD."""
    time: str | None
    """The time of day, as written."""
    title: str
    """What the entry is called."""
    line: int
    """The line it starts at."""
    type: str | None = None
    """What kind of memory it tells of."""
    tags: tuple[str, ...] = ()
    """Its tags, in the order of the file."""
    summary: str | None = None
    """What happened."""
    link: str | None = None
    """The link, as written."""
    target: str | None = None
    """The key of the memory that the link names; null when it leads out."""
    conversation: str | None = None
    """The key of the conversation that it tells of, where it names one."""


class Mention(Struct, frozen=True, kw_only=True):
    """A line of a document that names a memory."""

    target: str | None
    """The key of the memory; null when the link leads out of the store."""
    link: str
    """The link, as written."""
    label: str
    """The text of the link."""
    note: str | None
    """What the line says about it."""
    line: int
    """The line it stands on."""


class DocumentFound(Struct, frozen=True, kw_only=True):
    """A page that tells about memories and is none itself."""

    title: str
    """Its first heading, or the stem of its file."""
    role: str
    """`core reflection memory-index document episode-file`."""
    text: str
    """Its text, secrets masked."""
    category: str | None = None
    """The folder that says what it is about."""
    facts: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """What was understood of it, for `show`: counts, sections, settings."""
    mentions: tuple[Mention, ...] = ()
    """The memories that it names."""
