"""What a user wants to be changed, whatever the format of the store.

An intent names no file: which bytes it takes is for the store's scribe to say.
"""

from collections.abc import Mapping

from msgspec import Struct, field

from store.findings import Json, Value


class Pin(Struct, frozen=True, kw_only=True):
    """Keep from fading, or let fade again."""

    word = "pin"
    pins: bool = True
    """Whether it is kept; else it fades again."""


class Archive(Struct, frozen=True, kw_only=True):
    """Put away, or bring back."""

    word = "archive"
    archives: bool = True
    """Whether it is put away; else it comes back."""


class Delete(Struct, frozen=True, kw_only=True):
    """Delete for good; an edge is unlinked by this."""

    word = "delete"


class Set(Struct, frozen=True, kw_only=True):
    """Give one field another value, or several; None takes a field away."""

    word = "set"
    name: str
    """The field, as the file names it."""
    value: Value | None
    """What it says then."""
    also: Mapping[str, Value | None] = field(default_factory=dict[str, Value | None])
    """More fields, and what they say then."""

    @property
    def values(self) -> Mapping[str, Value | None]:
        """All fields with what they say then, in the order in which they were named."""
        return {self.name: self.value, **self.also}

    @property
    def names(self) -> str:
        """The fields, as a person lists them."""
        return ", ".join(self.values)


class Retag(Struct, frozen=True, kw_only=True):
    """Add tags and take tags away."""

    word = "tag"
    add: tuple[str, ...] = ()
    """The tags that it gets."""
    remove: tuple[str, ...] = ()
    """The tags that it loses."""


class Rewrite(Struct, frozen=True, kw_only=True):
    """Put what an editor gave back in place of what it was given."""

    word = "edit"
    was: bytes
    """What the editor was given; the record must still say that."""
    raw: bytes
    """What the editor gave back."""


class Create(Struct, frozen=True, kw_only=True):
    """Make a new memory; without records, in a store that is named."""

    word = "new"
    title: str
    """What it is called."""
    body: str = ""
    """Its text."""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """What else it says of itself: `type`, `tags` and whatever the format knows."""


class Rename(Struct, frozen=True, kw_only=True):
    """Call it otherwise: its title, its file, and what names it elsewhere."""

    word = "rename"
    title: str
    """What it is called from then on."""


class Relate(Struct, frozen=True, kw_only=True):
    """Link the first record to the second."""

    word = "link"
    type: str
    """What kind of link: SOLVES, CAUSES, …"""
    strength: float | None = None
    """How strong, 0…1."""
    context: str | None = None
    """Why, in the writer's words."""


class Merge(Struct, frozen=True, kw_only=True):
    """Make one of several: the first stays, the others go, what leads to them follows.

    Tags and relations are united; `fields` holds what was chosen where they differ.
    """

    word = "merge"
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    """The values that were chosen."""
    body: str | None = None
    """The text that was chosen; None joins the texts."""


class Move(Struct, frozen=True, kw_only=True):
    """Take to another store of the same format, or leave it here as well."""

    word = "move"
    to: str
    """The absolute path of the other store."""
    keeps: bool = False
    """Whether it stays here as well."""


class Append(Struct, frozen=True, kw_only=True):
    """Add a line or an entry to what is only ever added to; needs no record."""

    word = "append"
    kind: str
    """`episode`, `task`, `claim`."""
    fields: Mapping[str, Json]
    """What the line or the entry says."""


class Transit(Struct, frozen=True, kw_only=True):
    """Take a conversation to another status."""

    word = "transit"
    status: str
    """The status that it has then."""
    summary: str | None = None
    """What is said of it then."""


class Rebuild(Struct, frozen=True, kw_only=True):
    """Make a derived file anew; needs no record."""

    word = "rebuild"
    name: str
    """The derived file, in the word of the command line."""


class Mend(Struct, frozen=True, kw_only=True):
    """Mend what a problem names; its record is the problem."""

    word = "fix"
    way: str = ""
    """Which way, where there are several: of copies the `first` stays, the `newest`, or
    a `merge` of all. Empty for the usual one."""


class Touch(Struct, frozen=True, kw_only=True):
    """Note that it was recalled: once more, and now."""

    word = "touch"


class Return(Struct, frozen=True, kw_only=True):
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
