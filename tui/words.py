"""The commands by name, what each takes, and what each is for: said once."""

from dataclasses import dataclass

KINDS = (
    "memories",
    "edges",
    "episodes",
    "conversations",
    "messages",
    "events",
    "measures",
    "agents",
    "documents",
    "problems",
)
"""The kinds of record that can be listed."""

STORES = "RECOLLECT_STORES"
"""The variable that says where to look, where the command line does not."""

DERIVED = ("index", "state", "core", "reflection", "notes-index")
"""The derived files that can be made anew."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the program."""

    name: str
    """The word for it; also the module in `tui.cli.commands` that carries it out."""
    help: str
    """What it does, in one line."""


COMMANDS = (
    Command("stores", "what is found, where, of which format, how much"),
    Command("sync", "bring the catalogue up to date, and say what that took"),
    Command("list", "the records of a kind: memories, conversations, events, …"),
    Command("search", "the best hits over everything that has text"),
    Command("queries", "saved queries, and those asked lately"),
    Command("show", "one record, whole"),
    Command("links", "what a record points to and what points to it"),
    Command("similar", "the memories most like one, linked to it or not"),
    Command("ask", "what the stores can be asked beside that, and their answers"),
    Command("rebuild", "a derived file as it would be, made anew"),
    Command("demo", "make sample stores, and look at them"),
    Command("bench", "measure this machine: what the program takes, beside floors"),
)
