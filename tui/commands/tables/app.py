"""What can be asked for in every view, wherever no text is typed."""

from tui.commands.command import Command, Group
from tui.commands.guards import (
    needs_now,
    needs_places_ahead,
    needs_places_behind,
    needs_query,
    needs_stores,
)
from tui.commands.scopes import Scope

_VIEWS = tuple(
    Command(
        id=f"view-{kind}",
        scope=Scope.APP,
        group=Group.LOOKING,
        title=title,
        help=told,
        keys=(key,),
        action=f"view('{kind}')",
    )
    for key, kind, title, told in (
        ("1", "memories", "Memories", "Show the memories."),
        ("2", "edges", "Edges", "Show how memories are linked with one another."),
        ("3", "episodes", "Episodes", "Show what daily logs tell."),
        ("4", "conversations", "Timeline", "Show the conversations along their time."),
        ("5", "measures", "Journals", "Show the figures that were written down."),
        ("6", "problems", "Health", "Show what is not as it should be, and why."),
        ("7", "documents", "Documents", "Show the pages about memories."),
        ("8", "messages", "Messages", "Show single messages of conversations."),
        ("9", "events", "Events", "Show what traces of sessions tell."),
        ("0", "agents", "Agents", "Show the ledger of agents."),
    )
)

_ASKING = (
    Command(
        id="filter",
        scope=Scope.APP,
        group=Group.SEARCHING,
        title="Filter",
        help="Type a query; the list follows every letter.",
        keys=("/",),
        hint="filter",
    ),
    Command(
        id="palette",
        scope=Scope.APP,
        group=Group.PROGRAM,
        title="Commands",
        help="Find a command by its name and carry it out.",
        keys=(":", "ctrl+p"),
        hint="command",
    ),
    Command(
        id="facets",
        scope=Scope.APP,
        group=Group.SEARCHING,
        title="Facets",
        help="Show what the result consists of, by stage, type and tag.",
        keys=("F",),
    ),
    Command(
        id="saved-queries",
        scope=Scope.APP,
        group=Group.SEARCHING,
        title="Saved queries",
        help="Choose one of the queries that were saved.",
        keys=("'",),
    ),
    Command(
        id="save-query",
        scope=Scope.APP,
        group=Group.SEARCHING,
        title="Save the query",
        help="Keep the query under a name, in the settings; what goes by it gives way.",
        guard=needs_query,
    ),
)

_GOING = (
    Command(
        id="go-back",
        scope=Scope.APP,
        group=Group.MOVING,
        title="Back",
        help="Go back to where one was before, as a web browser does.",
        keys=("H", "ctrl+o"),
        guard=needs_places_behind,
    ),
    Command(
        id="go-forward",
        scope=Scope.APP,
        group=Group.MOVING,
        title="Forward",
        help="Go forward to where one came back from.",
        keys=("L",),
        guard=needs_places_ahead,
    ),
    Command(
        id="pinned-memories",
        scope=Scope.APP,
        group=Group.MOVING,
        title="To the pinned memories",
        help="List the memories that are pinned, and do not fade.",
        keys=("g v",),
        word="pinned",
    ),
    Command(
        id="go-to-store",
        scope=Scope.APP,
        group=Group.LOOKING,
        title="Go to a store",
        help="Choose the store to look at, or all of them.",
        keys=("g s",),
        word="store",
        guard=needs_stores,
    ),
    Command(
        id="next-pane",
        scope=Scope.APP,
        group=Group.SCREEN,
        title="Next pane",
        help="Turn to the next pane.",
        keys=("tab",),
    ),
    Command(
        id="previous-pane",
        scope=Scope.APP,
        group=Group.SCREEN,
        title="Previous pane",
        help="Turn to the pane before.",
        keys=("shift+tab",),
    ),
)

_SHOWING = (
    Command(
        id="zoom",
        scope=Scope.APP,
        group=Group.SCREEN,
        title="Zoom",
        help="Give this pane the whole screen, or take it back.",
        keys=("z",),
        hint="zoom",
    ),
    Command(
        id="widen",
        scope=Scope.APP,
        group=Group.SCREEN,
        title="More room for the list",
        help="Give the list a step more of the screen, and the reader less.",
        keys=("+",),
        action="split(1)",
    ),
    Command(
        id="narrow",
        scope=Scope.APP,
        group=Group.SCREEN,
        title="More room for the reader",
        help="Give the reader a step more of the screen, and the list less.",
        keys=("_",),
        action="split(-1)",
    ),
    Command(
        id="theme",
        scope=Scope.APP,
        group=Group.SCREEN,
        title="Theme",
        help="Choose the colours; the choice is remembered.",
        keys=("T",),
        action="choose_theme",
    ),
)

_READING = (
    Command(
        id="read-again",
        scope=Scope.APP,
        group=Group.PROGRAM,
        title="Read the stores again",
        help="Look at the stores again, and read what has changed.",
        keys=("R",),
        guard=needs_now,
    ),
    Command(
        id="live",
        scope=Scope.APP,
        group=Group.PROGRAM,
        title="Live",
        help="Go on reading whatever agents write, or stop doing so.",
        action="toggle_live",
        guard=needs_now,
    ),
)

_LEAVING = (
    Command(
        id="leave",
        scope=Scope.APP,
        group=Group.PROGRAM,
        title="Leave",
        help="Leave what one looks at; where there is nothing to leave, the program.",
        keys=("q",),
        hint="leave",
    ),
)

COMMANDS = (*_VIEWS, *_ASKING, *_GOING, *_SHOWING, *_READING, *_LEAVING)
