"""The commands by name, what each takes, and what each is for: said once."""

from keyword import iskeyword

from msgspec import Struct

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

FORMATS = ("markdown", "json", "html")
"""What records can be exported as."""

STORES = "RECOLLECT_STORES"
"""The variable that says where to look, where the command line does not."""

DERIVED = ("index", "state", "core", "reflection", "notes-index", "jsonl")
"""The derived files that can be made anew."""

APPENDED = ("episode", "task", "claim", "import")
"""What is only ever added to."""


class Command(Struct, frozen=True):
    """A command of the program."""

    name: str
    """The word for it; see also `module_of`."""
    help: str
    """What it does, in one line."""


def module_of(command: str) -> str:
    """The module that carries a command out; no module can be called `return`."""
    name = f"{command}_" if iskeyword(command) else command
    return f"tui.cli.commands.{name}"


COMMANDS = (
    Command("stores", "what is found, where, of which format, how much"),
    Command("sync", "bring the catalogue up to date, and say what that took"),
    Command("list", "the records of a kind: memories, conversations, events, …"),
    Command("search", "the best hits over everything that has text"),
    Command("queries", "saved queries, and those asked lately"),
    Command("show", "one record, whole"),
    Command("links", "what a record points to and what points to it"),
    Command("blame", "each line of a record's file, and what made it"),
    Command("versions", "the changes of a record's file that are known"),
    Command("export", "records as Markdown, JSON or a web page of its own"),
    Command("similar", "the memories most like one, linked to it or not"),
    Command("ask", "what the stores can be asked beside that, and their answers"),
    Command("new", "make a memory"),
    Command("edit", "a record in your editor"),
    Command("set", "give fields of records other values"),
    Command("tag", "add tags to records, and take tags away"),
    Command("pin", "keep memories from fading, and conversations from being removed"),
    Command("unpin", "let memories fade again, and conversations go"),
    Command("archive", "put records away"),
    Command("restore", "bring back what was put away"),
    Command("delete", "delete records for good; undo brings them back even so"),
    Command("rename", "call a memory otherwise, wherever it is named"),
    Command("move", "take records to another store of the same format"),
    Command("copy", "have records in another store of the same format as well"),
    Command("link", "lead from one memory to another"),
    Command("unlink", "take a link between two memories away"),
    Command("merge", "make one memory of several"),
    Command("dedupe", "memories that stand more than once, and one made of them"),
    Command("append", "add to what is only ever added to: an episode, a task, a claim"),
    Command("touch", "count memories as recalled, once more and now"),
    Command("transit", "take a conversation to another status"),
    Command("review", "go through what is worth a look, one memory after the other"),
    Command("undo", "take a change back: the newest, or the one that is named"),
    Command("redo", "make a change again that was taken back last"),
    Command("history", "the changes that were made, newest first"),
    Command("backups", "what a record's file was before it was changed"),
    Command("return", "put a backup in place again"),
    Command("rebuild", "make a derived file anew"),
    Command("health", "every problem, and what mends it"),
    Command("vault", "the conversations that are kept, and whether they are whole"),
    Command("doctor", "whether all that undo lives on is there and sound"),
    Command("demo", "make sample stores, and look at them"),
    Command("bench", "measure this machine: what the program takes, beside floors"),
)
