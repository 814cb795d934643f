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


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Put away, or bring back."""

    word = "archive"
    archives: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete:
    """Delete for good; an edge is unlinked by this."""

    word = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """Give one field another value; None takes the field away."""

    word = "set"
    name: str
    value: Value | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retag:
    """Add tags and take tags away."""

    word = "tag"
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """Put what an editor gave back in place of what it was given."""

    word = "edit"
    was: bytes
    """What the editor was given; the record must still say that."""
    raw: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Make a new memory; without records, in a store that is named."""

    word = "new"
    title: str
    body: str = ""
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """Call it otherwise: its title, its file, and what names it elsewhere."""

    word = "rename"
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relate:
    """Link the first record to the second."""

    word = "link"
    type: str
    strength: float | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Make one of several: the first stays, the others go, what leads to them follows.

    Tags and relations are united; `fields` holds what was chosen where they differ.
    """

    word = "merge"
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    body: str | None = None
    """The text that was chosen; None joins the texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Take to another store of the same format, or leave it here as well."""

    word = "move"
    to: str
    """The absolute path of the other store."""
    keeps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """Add a line or an entry to what is only ever added to; needs no record."""

    word = "append"
    kind: str
    """`episode`, `task`, `claim`."""
    fields: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transit:
    """Take a conversation to another status."""

    word = "transit"
    status: str
    summary: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """Make a derived file anew; needs no record."""

    word = "rebuild"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """Mend what a problem names; its record is the problem."""

    word = "fix"


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
