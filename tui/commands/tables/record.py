"""What is about the record at the cursor, in lists and in the reader alike."""

from tui.commands.command import Command, Group
from tui.commands.guards import (
    Guard,
    needs_file,
    needs_hits,
    needs_memory,
    needs_query,
    needs_record,
    needs_sides,
)
from tui.commands.scopes import Scope

_WORDS = {"ref": "reference", "markdown": "Markdown"}


def _copying(
    key: str, what: str, title: str, help_: str, guard: Guard = needs_record
) -> Command:
    """One of the ways to copy."""
    return Command(
        id=f"copy-{what}",
        scope=Scope.RECORD,
        group=Group.COPYING,
        title=title,
        help=help_,
        keys=(f"y {key}",),
        word=_WORDS.get(what, what),
        action=f"copy_record('{what}')",
        guard=guard,
    )


_COPYING = (
    Command(
        id="copy-selected",
        scope=Scope.RECORD,
        group=Group.COPYING,
        title="Copy what is selected",
        help="Copy what is selected in the reader with the mouse.",
        keys=("y y",),
        word="selection",
        guard=needs_record,
    ),
    _copying("i", "ref", "Copy the reference", "Copy what names the record."),
    _copying("t", "title", "Copy the title", "Copy what the record is called."),
    _copying(
        "p", "path", "Copy the path", "Copy where the record's file lies.", needs_file
    ),
    _copying("b", "body", "Copy the text", "Copy what the record says."),
    _copying(
        "m", "markdown", "Copy as Markdown", "Copy title, facts and text as Markdown."
    ),
    _copying(
        "l", "link", "Copy a link", "Copy a link such as memories use to each other."
    ),
    _copying("q", "query", "Copy the query", "Copy the query.", needs_query),
)

_LOOKING = (
    Command(
        id="next-hit",
        scope=Scope.RECORD,
        group=Group.SEARCHING,
        title="Next hit",
        help="To the next place in the text that the query found.",
        keys=("n",),
        action="hit(1)",
        guard=needs_hits,
    ),
    Command(
        id="previous-hit",
        scope=Scope.RECORD,
        group=Group.SEARCHING,
        title="Previous hit",
        help="To the place before in the text that the query found.",
        keys=("N",),
        action="hit(-1)",
        guard=needs_hits,
    ),
    Command(
        id="more-like-this",
        scope=Scope.RECORD,
        group=Group.SEARCHING,
        title="More like this",
        help="Choose among the memories that are most like this one, and see why.",
        keys=("*",),
        guard=needs_memory,
    ),
    Command(
        id="next-tab",
        scope=Scope.RECORD,
        group=Group.LOOKING,
        title="Next tab of the reader",
        help="Show the record's next side: its text, links, bytes, history; in a list "
        "of journals, the next journal.",
        keys=("]",),
        action="tab(1)",
        guard=needs_sides,
    ),
    Command(
        id="previous-tab",
        scope=Scope.RECORD,
        group=Group.LOOKING,
        title="Previous tab of the reader",
        help="Show the record's side before this one; in a list of journals, the "
        "journal before.",
        keys=("[",),
        action="tab(-1)",
        guard=needs_sides,
    ),
    Command(
        id="export",
        scope=Scope.RECORD,
        group=Group.COPYING,
        title="Export",
        help="Write what is marked, or the record at the cursor, to a file: Markdown, "
        "JSON or a web page.",
        keys=("w",),
        guard=needs_record,
    ),
    Command(
        id="show-file",
        scope=Scope.RECORD,
        group=Group.LOOKING,
        title="Show the file",
        help="Show the record's file in a pager.",
        keys=("o",),
        guard=needs_file,
    ),
)

COMMANDS = (*_LOOKING, *_COPYING)
