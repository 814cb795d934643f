"""The tables of KEYS.md, from the register of commands.

`python -m tests.keys_page` makes them anew. What stands after the mark is made; what
stands before it is prose and stays.
"""

from tests.project import ROOT
from tui.commands.command import Command
from tui.commands.registry import REGISTRY
from tui.commands.scopes import Scope
from tui.keys.names import shown, spelt

PAGE = ROOT / "KEYS.md"
_START = "<!-- keys: made by tests/keys_page.py -->\n"

_HEADINGS = {
    Scope.FACETS: "In the facets",
    Scope.EVERYWHERE: "Everywhere",
    Scope.APP: "Wherever no text is typed",
    Scope.ROWS: "In lists, links and the reader",
    Scope.RECORD: "About the record at the cursor",
    Scope.LIST: "In lists",
    Scope.MEMORIES: "Among memories",
    Scope.EDGES: "Among edges",
    Scope.PROBLEMS: "Among problems",
    Scope.TIMELINE: "In the timeline",
    Scope.DAYS: "Where there are days",
    Scope.EPISODES: "Among episodes",
    Scope.CALENDAR: "In the calendar",
    Scope.JOURNALS: "In the journals",
    Scope.REVIEW: "In a review",
    Scope.READER: "In the reader",
    Scope.TRANSCRIPT: "In a transcript",
    Scope.LINKS: "Among links",
    Scope.QUERY: "In the query bar",
    Scope.POPUP: "In palette, help and choices",
    Scope.QUESTION: "Where something is asked",
    Scope.WRITING: "Where a text is written",
}


def tables() -> str:
    """A section for every scope: keys, what they do, and the name for the settings."""
    return "\n".join(_section(scope) for scope in Scope)


def written(page: str) -> str:
    """The page with its tables made anew."""
    prose, _, _ = page.partition(_START)
    return f"{prose}{_START}\n{tables()}"


def _section(scope: Scope) -> str:
    rows = [_row(one) for one in REGISTRY.commands if one.scope is scope]
    head = ["| keys | | name in the settings |", "|---|---|---|"]
    return "\n".join([f"### {_HEADINGS[scope]}", "", *head, *rows, ""])


def _row(command: Command) -> str:
    keys = " ".join(f"`{shown(spelt(keys))}`" for keys in command.keys)
    return f"| {keys} | {command.help} | `{command.id}` |"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
