"""What a user wants to be changed, whatever the format of the store.

An intent names no file: which bytes it takes is for the store's scribe to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from store.findings import Json, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Keep from fading, or let fade again."""

    word = "pin"
    pins: bool = True
    """Whether it is kept; else it fades again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Put away, or bring back."""

    word = "archive"
    archives: bool = True
    """Whether it is put away; else it comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """Delete for good; an edge is unlinked by this."""

    word = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Give one field another value; None takes the field away."""

    word = "set"
    name: str
    """The field, as the file names it."""
    value: Value | None
    """What it says then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retag:
    """Add tags and take tags away."""

    word = "tag"
    add: tuple[str, ...] = ()
    """The tags that it gets."""
    remove: tuple[str, ...] = ()
    """The tags that it loses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """Put what an editor gave back in place of what it was given."""

    word = "edit"
    was: bytes
    """What the editor was given; the record must still say that."""
    raw: bytes
    """What the editor gave back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Make a new memory; without records, in a store that is named."""

    word = "new"
    title: str
    """What it is called."""
    body: str = ""
    """Its text."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """What else it says of itself: `type`, `tags` and whatever the format knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """Call it otherwise: its title, its file, and what names it elsewhere."""

    word = "rename"
    title: str
    """What it is called from then on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relate:
    """Link the first record to the second."""

    word = "link"
    type: str
    """What kind of link: SOLVES, CAUSES, …"""
    strength: float | None = None
    """How strong, 0…1."""
    context: str | None = None
    """Why, in the writer's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Make one of several: the first stays, the others go, what leads to them follows.

    Tags and relations are united; `fields` holds what was chosen where they differ.
    """

    word = "merge"
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """The values that were chosen."""
    body: str | None = None
    """The text that was chosen; None joins the texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Take to another store of the same format, or leave it here as well."""

    word = "move"
    to: str
    """The absolute path of the other store."""
    keeps: bool = False
    """Whether it stays here as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Add a line or an entry to what is only ever added to; needs no record."""

    word = "append"
    kind: str
    """`episode`, `task`, `claim`."""
    fields: Mapping[str, Json]
    """What the line or the entry says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transit:
    """Take a conversation to another status."""

    word = "transit"
    status: str
    """The status that it has then."""
    summary: str | None = None
    """What is said of it then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """Make a derived file anew; needs no record."""

    word = "rebuild"
    name: str
    """The derived file, in the word of the command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """Mend what a problem names; its record is the problem."""

    word = "fix"
    way: str = ""
    """Which way, where there are several: of copies the `first` stays, the `newest`, or
    a `merge` of all. Empty for the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Note that it was recalled: once more, and now."""

    word = "touch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Put a backup of the store's own in place again; its record is the document."""

    word = "return"


Intent = (
    Pin
    | Archive
    | Delete
    | Set
    | Retag
    | Rewrite
    | Create
    | Rename
    | Relate
    | Merge
    | Move
    | Append
    | Transit
    | Rebuild
    | Mend
    | Touch
    | Return
)
"""Everything that can be asked for."""
