"""The tables of KEYS.md, from the register of commands.

`python -m tests.keys_page` rebuilds them. Everything after the mark is generated; the
prose before it stays.
"""

from tests.project import ROOT
from tui.commands.command import Command, Scope
from tui.commands.registry import REGISTRY
from tui.keys import shown, spelt

PAGE = ROOT / "KEYS.md"
_START = "<!-- keys: made by tests/keys_page.py -->\n"

_HEADINGS = {
    Scope.FACETS: "Filters",
    Scope.WELCOME: "Welcome page",
    Scope.EVERYWHERE: "Global",
    Scope.APP: "Everywhere but in text fields",
    Scope.ROWS: "Lists, links and the reader",
    Scope.RECORD: "Selected record",
    Scope.LIST: "Lists",
    Scope.MEMORIES: "Memories",
    Scope.EDGES: "Edges",
    Scope.PROBLEMS: "Health",
    Scope.TIMELINE: "Timeline",
    Scope.DAYS: "Date views",
    Scope.EPISODES: "Episodes",
    Scope.CALENDAR: "Calendar",
    Scope.JOURNALS: "Journals",
    Scope.REVIEW: "Review",
    Scope.READER: "Reader",
    Scope.TRANSCRIPT: "Transcript",
    Scope.LINKS: "Links",
    Scope.QUERY: "Search box",
    Scope.CHOICES: "Rows of menus and prompts",
    Scope.POPUP: "Palette, help and menus",
    Scope.MENU: "Short menus",
    Scope.PROJECT: "What agents read or recall",
    Scope.PROMPT: "Prompts",
    Scope.QUESTION: "Dialogs",
    Scope.REPORT: "Tables of reports",
    Scope.WRITING: "Text editor",
}


def tables() -> str:
    """A section for every scope: keys, their effect, and their name in settings."""
    return "\n".join(_section(scope) for scope in Scope)


def written(page: str) -> str:
    """The page with its tables rebuilt."""
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
