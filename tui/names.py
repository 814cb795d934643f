"""The table of commands on the command line, and other names that it takes."""

from msgspec import Struct

FORMATS = ("markdown", "json", "html")
"""The export formats."""

STORES = "RECOLLECT_STORES"
"""The environment variable with the stores to open by default."""

DERIVED = ("index", "state", "core", "reflection", "embeddings", "notes-index", "jsonl")
"""The derived files that can be rebuilt."""

RESOLUTIONS = {
    "mine": "finish the change, overwriting the other program's version",
    "theirs": "keep the other program's version, undo the rest of the change",
    "dismiss": "leave all files as they are",
}
"""How a half-done change can be resolved, and what that does."""

AGENTS = (
    *("claude", "codex", "copilot", "cursor", "gemini", "goose", "opencode", "pi"),
)
"""The agents whose instructions can be shown."""

APPENDED = ("episode", "task", "claim", "import")
"""The kinds of append-only entries."""


ALIASES = {"ask": "report"}
"""Former names of commands."""


class Command(Struct, frozen=True):
    """A command of the program."""

    name: str
    """Its name; the function `run_NAME` runs it."""
    place: str
    """The module of `tui.cli` with that function."""
    help: str
    """What it does, in one line."""
    examples: tuple[str, str]
    """Two ways to use it."""
    reads: bool = False
    """Whether it only reads, so that it can run again."""


# A command is a row of two lines, whatever the formatter makes of long calls.
# fmt: off
SECTIONS = {
    "Browse and search": (
        Command("demo", "browse", "browse sample data",
            ("demo", "demo ~/samples --make")),
        Command("stores", "lists", "list stores: location, format, size",
            ("stores", "stores --new"), reads=True),
        Command("list", "lists", "list records: memories, conversations, events, …",
            ("list memories 'tag:redis strength<.2'",
             "list conversations --sort messages --limit 5"), reads=True),
        Command("search", "search", "search all text, best matches first",
            ("search 'connection timeout'",
             "search redis type:fix --explain"), reads=True),
        Command("show", "records", "show a record",
            ("show memory:2cf486", "show memory:2cf486 --at 7d"), reads=True),
        Command("links", "records", "list links from and to a record",
            ("links memory:2cf486", "links memory:2cf486 --json"), reads=True),
        Command("similar", "search", "list similar memories",
            ("similar memory:2cf486", "similar memory:2cf486 --unlinked"), reads=True),
        Command("context", "context", "show what an agent reads at its start",
            ("context ~/src/kilnbook --agent codex",
             "context -s kilnbook --prompt 'restore a backup'"), reads=True),
        Command("report", "search", "run a built-in report (alias: ask)",
            ("report statistics", "report calendar month=2026-02 --csv"), reads=True),
        Command("queries", "upkeep", "list, save or delete saved queries",
            ("queries", "queries --save stale 'is:orphan strength<.2'"), reads=True),
        Command("export", "records", "export records as Markdown, JSON or HTML",
            ("export memory:2cf486 -o redis.md",
             "export --query tag:redis --format html -o redis.html"), reads=True),
        Command("blame", "records", "show who wrote each line of a record's file",
            ("blame memory:2cf486", "blame memory:2cf486 --at 30d"), reads=True),
        Command("versions", "records", "list known versions of a record's file",
            ("versions memory:2cf486", "versions memory:2cf486 --diff"), reads=True),
    ),
    "Change records": (
        Command("new", "changes", "create a memory",
            ("new --title 'Pin the base image' --type learning", "new")),
        Command("edit", "changes", "edit a record in your editor",
            ("edit memory:2cf486", "edit memory:2cf486 --from redis.md")),
        Command("set", "changes", "change fields",
            ("set memory:2cf486 importance=0.8",
             "set memory:2cf486 description= --dry-run")),
        Command("tag", "changes", "add or remove tags",
            ("tag memory:2cf486 +redis -draft",
             "tag --query tag:postgres +databases -postgres")),
        Command("pin", "vault", "protect records from fading or clean-up",
            ("pin memory:2cf486", "pin --query 'importance>=.9'")),
        Command("unpin", "vault", "undo pin: allow fading and clean-up again",
            ("unpin memory:2cf486", "unpin --query tag:old")),
        Command("archive", "changes", "archive records",
            ("archive memory:2cf486",
             "archive --query 'stage:dormant uses=0' --dry-run")),
        Command("restore", "changes", "unarchive records",
            ("restore memory:2cf486", "restore --query 'is:archived tag:redis'")),
        Command("delete", "changes", "delete records (can be undone)",
            ("delete memory:2cf486",
             "delete --query 'tag:draft created<30d' --dry-run")),
        Command("rename", "changes", "rename a memory and update references",
            ("rename memory:2cf486 'Redis pool limits'",
             "rename memory:2cf486 'Redis pool limits' --dry-run")),
        Command("move", "changes", "move records to another store",
            ("move memory:2cf486 --to ~/notes", "move --query tag:work --to ~/notes")),
        Command("copy", "changes", "copy records to another store",
            ("copy memory:2cf486 --to ~/notes", "copy --query tag:work --to ~/notes")),
        Command("link", "changes", "add a link between two memories",
            ("link memory:2cf486 memory:9a01bc --type SOLVES",
             "link memory:2cf486 memory:9a01bc --type CAUSES --strength .8")),
        Command("unlink", "changes", "remove a link",
            ("unlink edge:7be001", "unlink memory:2cf486 memory:9a01bc")),
        Command("merge", "changes", "merge memories into one",
            ("merge memory:2cf486 memory:9a01bc",
             "merge memory:2cf486 memory:9a01bc --body memory:9a01bc")),
        Command("dedupe", "changes", "list duplicates, or merge them",
            ("dedupe", "dedupe memory:2cf486 --way newest")),
        Command("append", "changes", "append an episode, task or claim",
            ("append episode title='Upgraded Postgres' tags='[\"db\"]'",
             "append task --from task.json")),
        Command("touch", "changes", "mark memories as recalled (+1)",
            ("touch memory:2cf486", "touch --query tag:redis")),
        Command("transit", "changes", "set the status of a conversation",
            ("transit conversation:41d2 archived", "transit archived")),
        Command("review", "review", "review memories one at a time",
            ("review", "review damaged new --limit 20")),
    ),
    "Undo and restore": (
        Command("undo", "upkeep", "undo the last change, or a given one",
            ("undo", "undo 3f2a --dry-run")),
        Command("redo", "upkeep", "redo the last undone change",
            ("redo", "redo --dry-run")),
        Command("history", "upkeep", "list changes, newest first",
            ("history", "history --limit 5 --json"), reads=True),
        Command("resolve", "upkeep", "resolve a half-done change",
            ("resolve", "resolve --mine")),
        Command("backups", "records", "list backups of a record's file",
            ("backups memory:2cf486", "backups memory:2cf486 --json"), reads=True),
        Command("return", "records", "restore a backup",
            ("return memory:2cf486 3f2a", "return memory:2cf486 3f2a --dry-run")),
    ),
    "Maintain": (
        Command("sync", "sync", "re-read what changed in the stores",
            ("sync", "sync --again ~/notes")),
        Command("health", "upkeep", "list problems, or fix them",
            ("health", "health --fix dangling-link --dry-run"), reads=True),
        Command("rebuild", "upkeep", "rebuild an index or another derived file",
            ("rebuild index", "rebuild core --dry-run")),
        Command("embed", "search", "make embeddings, to search by meaning",
            ("embed --dry-run", "embed -s ~/notes"), reads=True),
        Command("vault", "vault", "list, verify and rescue pinned conversations",
            ("vault verify", "vault rescue --days 14"), reads=True),
        Command("doctor", "upkeep", "check the undo journal and backups",
            ("doctor", "doctor --json"), reads=True),
        Command("bench", "upkeep", "run benchmarks (in a clone; takes minutes)",
            ("bench", "bench --on ~/.claude/projects")),
    ),
}
# fmt: on
"""The commands under the headings of `--help`."""

COMMANDS = tuple(command for section in SECTIONS.values() for command in section)
READING = frozenset(command.name for command in COMMANDS if command.reads)

_BROWSING = "browse"
"""The command of a command line without one."""


def module_of(command: str) -> str:
    """The module with the function `run_COMMAND`."""
    places = {one.name: one.place for one in COMMANDS}
    return f"tui.cli.{places.get(command, _BROWSING)}"
