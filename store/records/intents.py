"""Changes that a user can request, independent of format: pin, rename, link, merge.

An intent names no file; the scribe of a store turns it into byte changes.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from store.findings import Json, Value


class Pin(Struct, frozen=True, kw_only=True):
    """Stop a memory from fading, or undo that."""

    word = "pin"
    pins: bool = True
    """Whether to pin it or to unpin it."""


class Archive(Struct, frozen=True, kw_only=True):
    """Archive or unarchive."""

    word = "archive"
    archives: bool = True
    """Whether to archive it or to unarchive it."""


class Delete(Struct, frozen=True, kw_only=True):
    """Delete for good; for an edge, remove the link."""

    word = "delete"


class Set(Struct, frozen=True, kw_only=True):
    """Change one or more fields; None removes a field."""

    word = "set"
    name: str
    """The name of the field in the file."""
    value: Value | None
    """The new value."""
    also: Mapping[str, Value | None] = field(default_factory=dict[str, Value | None])
    """More fields, with their new values."""
    adds: bool = False
    """Whether to allow fields that neither the record nor its format has."""

    @property
    def values(self) -> Mapping[str, Value | None]:
        """All fields with their new values, in the given order."""
        return {self.name: self.value, **self.also}

    @property
    def names(self) -> str:
        """The names of the fields, separated by commas."""
        return ", ".join(self.values)


class Retag(Struct, frozen=True, kw_only=True):
    """Add and remove tags."""

    word = "tag"
    add: tuple[str, ...] = ()
    """The tags to add."""
    remove: tuple[str, ...] = ()
    """The tags to remove."""


class Rewrite(Struct, frozen=True, kw_only=True):
    """Replace the text of a record with its edited version."""

    word = "edit"
    was: bytes
    """The text before editing; the record must still have it."""
    raw: bytes
    """The edited text."""


class Create(Struct, frozen=True, kw_only=True):
    """Create a memory in a named store; takes no records."""

    word = "new"
    title: str
    """Its title."""
    body: str = ""
    """Its text."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """Its other fields: `type`, `tags` and whatever the format knows."""
    adds: bool = False
    """Whether to allow fields that the format does not have."""


class Rename(Struct, frozen=True, kw_only=True):
    """Change the title of a memory, its file name, and all references to it."""

    word = "rename"
    title: str
    """The new title."""


class Relate(Struct, frozen=True, kw_only=True):
    """Link the first record to the second."""

    word = "link"
    type: str
    """The type of the link: SOLVES, CAUSES, …"""
    strength: float | None = None
    """The strength of the link, 0…1."""
    context: str | None = None
    """The reason for the link, in the writer's words."""


class Merge(Struct, frozen=True, kw_only=True):
    """Merge several memories into the first; the others are deleted.

    Links to the others are redirected to it. Tags and relations are combined; `fields`
    has the values chosen where the memories differ.
    """

    word = "merge"
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """The chosen values."""
    body: str | None = None
    """The chosen text; None joins all texts, without repeating any."""


class Move(Struct, frozen=True, kw_only=True):
    """Move or copy to another store of the same format."""

    word = "move"
    to: str
    """The absolute path of the other store."""
    keeps: bool = False
    """Whether to copy rather than move."""


class Append(Struct, frozen=True, kw_only=True):
    """Append a line or an entry to an append-only file; needs no record."""

    word = "append"
    kind: str
    """`episode`, `task`, `claim`."""
    fields: Mapping[str, Json]
    """The fields of the line or the entry."""


class Transit(Struct, frozen=True, kw_only=True):
    """Set the status of a conversation."""

    word = "transit"
    status: str
    """The new status."""
    summary: str | None = None
    """The new summary."""


class Rebuild(Struct, frozen=True, kw_only=True):
    """Rebuild a derived file; needs no record."""

    word = "rebuild"
    name: str
    """The derived file, as named on the command line."""


class Fix(Struct, frozen=True, kw_only=True):
    """Fix a problem; its record is the problem."""

    word = "fix"
    way: str = ""
    """How to fix it, if there are several ways: of copies, keep the `first`, the
    `newest`, or a `merge` of all. Empty for the default."""


class Touch(Struct, frozen=True, kw_only=True):
    """Mark as recalled now, and count it."""

    word = "touch"


class Return(Struct, frozen=True, kw_only=True):
    """Restore a backup that the store itself made; its record is the document."""

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
    | Fix
    | Touch
    | Return
)
"""Every change that can be requested."""
