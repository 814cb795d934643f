"""What changes the record at the cursor, or all that are marked, and takes it back."""

from tui.commands.command import Command, Group
from tui.commands.guards import (
    Guard,
    keepable,
    needs_changes,
    needs_drafts,
    needs_redoable,
    needs_undoable,
    possible,
)
from tui.commands.scopes import Scope


def _changing(  # noqa: PLR0913  # a row of the table below
    id_: str, key: str, title: str, help_: str, guard: Guard, *, hint: str = ""
) -> Command:
    return Command(
        id=id_,
        scope=Scope.RECORD,
        group=Group.CHANGING,
        title=title,
        help=help_,
        keys=(key,) if key else (),
        hint=hint,
        guard=guard,
    )


_RECORD = (
    _changing(
        "pin",
        "p",
        "Pin, or unpin",
        "Keep it from fading; a conversation is kept from the agent's clean-up.",
        keepable,
        hint="pin",
    ),
    _changing(
        "edit",
        "e",
        "Edit in the editor",
        "Edit the record as text; what changed is shown before it is saved.",
        possible("edit"),
        hint="edit",
    ),
    _changing(
        "edit-fields",
        "E",
        "Edit a field",
        "Change one field here: title, type, tags, importance, steps.",
        possible("set"),
    ),
    _changing(
        "rename",
        "f2",
        "Call it otherwise",
        "Give it another title: its file, and what names it elsewhere, follow.",
        possible("rename"),
    ),
    _changing(
        "tag",
        "t",
        "Tag",
        "Add tags to all that is marked, or take some away.",
        possible("tag"),
        hint="tag",
    ),
    _changing(
        "relate",
        "r",
        "Link to another",
        "Choose a memory and how this one is linked to it.",
        possible("link"),
    ),
    _changing(
        "merge",
        "m",
        "Merge with others",
        "Make one of all that are marked, or of this and one that is chosen.",
        possible("merge"),
        hint="merge",
    ),
    _changing(
        "archive",
        "d",
        "Archive, or restore",
        "Put it away, or bring it back.",
        possible("archive"),
        hint="archive",
    ),
    _changing(
        "delete",
        "D",
        "Delete for good",
        "Remove it and what points to it; even this can be undone.",
        possible("delete"),
    ),
    _changing(
        "backups",
        "B",
        "As it was before",
        "Choose what it said before a change, and put that in place again.",
        possible("edit", "return"),
    ),
    _changing(
        "move-to-store",
        "M",
        "Move to another store",
        "Take it to another store of the same format.",
        possible("move"),
    ),
    _changing(
        "copy-to-store",
        "C",
        "Copy to another store",
        "Leave it here, and put it into another store of the same format as well.",
        possible("move"),
    ),
    _changing(
        "transit",
        "P",
        "Pass on",
        "Take a conversation to another status, where its owner's settings allow that.",
        possible("transit"),
    ),
    _changing(
        "touch",
        "",
        "Count as recalled",
        "Note that it was recalled, once more and now, as its own program does.",
        possible("touch"),
    ),
)

_UNDOING = (
    Command(
        id="undo",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Undo",
        help="Take the last change back; changes of earlier days too.",
        keys=("u",),
        guard=needs_undoable,
    ),
    Command(
        id="redo",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Redo",
        help="Make the change again that was taken back last.",
        keys=("ctrl+r",),
        guard=needs_redoable,
    ),
    Command(
        id="change-log",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="All changes",
        help="Every change that was made from here; any of them can be taken back.",
        keys=("U",),
        guard=needs_changes,
    ),
    Command(
        id="allow-changes",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Allow changes, or forbid them",
        help="Let the stores that are looked at be changed, or no longer.",
        keys=("!",),
    ),
    Command(
        id="new-memory",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="New memory",
        help="Make a memory in the store that is looked at.",
        keys=("A",),
    ),
    Command(
        id="dedupe",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Memories that stand more than once",
        help="Choose among memories that say nearly the same, and make one of them.",
        keys=("&",),
    ),
    Command(
        id="rebuild",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Make a derived file anew",
        help="Choose an index, or another file that is derived, and make it anew.",
    ),
    Command(
        id="drafts",
        scope=Scope.APP,
        group=Group.CHANGING,
        title="Drafts",
        help="Choose among the texts that were written and not saved, and go on.",
        keys=("O",),
        guard=needs_drafts,
    ),
)

COMMANDS = (*_RECORD, *_UNDOING)
