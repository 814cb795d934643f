"""The format: which files of a folder agents load as instructions."""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, Rooted
from store.files.frontmatter import read_page
from store.findings import START, DocumentFound, Findings, Mark, Severity, not_read
from store.formats import port
from store.formats.markdown_read import heading, without_code
from store.machine import Machine

# What a header says.

Header = Mapping[str, str]


def header_of(text: str) -> Header:
    """The fields of a header, by its lines: rules hold globs that are no YAML."""
    found = re.match(r"---\r?\n(.*?)\n---\s", text, re.DOTALL)
    fields: dict[str, str] = {}
    name = ""
    for line in found[1].splitlines() if found else ():
        key, colon, value = line.partition(":")
        if colon and not line.startswith((" ", "-", "\t")):
            name = key.strip()
            fields[name] = value.strip().strip("\"'[]")
        elif line.strip().startswith("- ") and name:
            item = line.strip()[2:].strip().strip("\"'")
            fields[name] = ", ".join(filter(None, (fields[name], item)))
    return fields


# On which condition a rule is loaded, by its header.


def _by_paths(header: Header) -> str:
    """The condition of a rule of Claude Code."""
    globs = header.get("paths")
    return f"for {globs}" if globs else "always"


def _by_kind(header: Header) -> str:
    """The condition of a rule of Cursor, which has four kinds."""
    if header.get("alwaysApply") == "true":
        return "always"
    if globs := header.get("globs"):
        return f"for {globs}"
    return "if the agent asks" if header.get("description") else "if you name it"


def _by_use(header: Header) -> str:
    """The condition of a rule of Copilot."""
    globs = header.get("applyTo", "")
    return "always" if globs in {"", "**", "**/*"} else f"for {globs}"


# What agents look for.

YOURS = "your instructions"


class File(Struct, frozen=True):
    """A file that an agent looks for; `**/*.md` finds files at any depth."""

    names: str
    """Its path in the folder. Of several, separated by `|`, the first is loaded."""
    role: str = "project instructions"
    when: Callable[[Header], str] | None = None
    """The condition by its header; None if it is always loaded."""
    imports: bool = False


Files = tuple[File, ...]


class Looked(Struct, frozen=True):
    """Where an agent looks for instructions."""

    folder: str
    """Its own folder at home, or all of home if it has several."""
    own: Files
    """The files in its own folder."""
    project: Files
    """The files in each folder of a project."""


_CODEX = "AGENTS.override.md|AGENTS.md"
_RULES = "instructions/**/*.instructions.md"

LOOKED: Mapping[str, Looked] = {
    "claude": Looked(
        ".claude",
        (
            File("CLAUDE.md", YOURS, imports=True),
            File("rules/**/*.md", "rule", _by_paths),
        ),
        (
            File("CLAUDE.md", imports=True),
            File(".claude/CLAUDE.md", imports=True),
            File(".claude/rules/**/*.md", "rule", _by_paths),
            File("CLAUDE.local.md", "local instructions", imports=True),
        ),
    ),
    "codex": Looked(".codex", (File(_CODEX, YOURS),), (File(_CODEX),)),
    "copilot": Looked(
        ".copilot",
        (File("copilot-instructions.md", YOURS), File(_RULES, "rule", _by_use)),
        (
            File(".github/copilot-instructions.md"),
            File(f".github/{_RULES}", "rule", _by_use),
            *(File(name) for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md")),
        ),
    ),
    "cursor": Looked(
        "",
        (),
        (
            File(".cursor/rules/**/*.mdc", "rule", _by_kind),
            File("AGENTS.md"),
            File(".cursorrules"),
        ),
    ),
    "gemini": Looked(
        ".gemini",
        (File("GEMINI.md", YOURS, imports=True),),
        (File("GEMINI.md", imports=True),),
    ),
    "goose": Looked(
        ".config/goose",
        tuple(File(name, YOURS, imports=True) for name in (".goosehints", "AGENTS.md")),
        tuple(File(name, imports=True) for name in (".goosehints", "AGENTS.md")),
    ),
    "opencode": Looked(
        "",
        (File(".config/opencode/AGENTS.md|.claude/CLAUDE.md", YOURS),),
        (File("AGENTS.md|CLAUDE.md"),),
    ),
    "pi": Looked(
        ".pi/agent", (File("AGENTS.md", YOURS),), (File("AGENTS.md|CLAUDE.md"),)
    ),
}
"""What each agent looks for, in its order, as of the autumn of 2026."""

COPILOT_ELSEWHERE: Files = (
    File("AGENTS.md", YOURS),
    File("**/*.instructions.md", "rule", _by_use),
)
"""What Copilot looks for in the folders of `COPILOT_CUSTOM_INSTRUCTIONS_DIRS`."""


# Which files of a folder these are.

_DEPTH = 8
"""How many folders deep rules are looked for."""

_NAME = "instructions"


class _Load(Struct, frozen=True):
    """A file that an agent loads, with its path from the top of the store."""

    agent: str
    folder: str
    """The folder in which it looks, with a `/` at its end."""
    pattern: str
    """The name in that folder; at any depth if it has a `*`."""
    file: File

    def is_at(self, path: str) -> bool:
        """Whether it is the file at a path."""
        if "*" not in self.pattern:
            return path == self.folder + self.pattern
        name = path.rpartition("/")[2]
        return path.startswith(self.folder) and fnmatch.fnmatchcase(name, self.pattern)


def _loads(*, at_home: bool) -> list[_Load]:
    """All files that agents look for in a project, or in a home folder."""
    return [
        _Load(agent, path[: path.rfind("/") + 1], name.rpartition("/")[2], file)
        for agent, looked in LOOKED.items()
        for top, files in (
            *(((looked.folder, looked.own),) if at_home else ()),
            ("", looked.project),
        )
        for file in files
        for name in file.names.split("|")
        for path in [f"{top}/{name}".lstrip("/").replace("**/", "")]
    ]


# An open store, and the format as the program knows it.


class OpenInstructions(Rooted, port.OpenStore):
    """Reads the instruction files of one folder."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._is_home = self._root.path == Path.home().resolve()
        self._loads = _loads(at_home=self._is_home)

    @property
    def title(self) -> str:
        """The project, or whose they are."""
        return f"your {_NAME}" if self._is_home else f"{self._root.path.name} {_NAME}"

    def glance(self) -> None:
        """Return None: a scan looks into a few folders only."""

    def scan(self) -> Iterator[port.Source | port.Refused]:
        """List the instruction files by name and stamp."""
        seen: set[str] = set()
        for folder, is_deep in sorted(
            {(load.folder, "*" in load.pattern) for load in self._loads}
        ):
            for entry in self._entries(folder.rstrip("/"), is_deep=is_deep):
                if isinstance(entry, port.Refused):
                    yield entry
                elif entry.path not in seen and self._is_loaded(entry.path):
                    seen.add(entry.path)
                    found = self._found(entry)
                    if found:
                        yield found

    def _entries(self, folder: str, *, is_deep: bool) -> Iterable[Entry | port.Refused]:
        entries = port.entries_of(self._root, folder)
        if not is_deep or not entries:
            return entries
        return port.walked(self._root, folder, _DEPTH, bool)

    def _is_loaded(self, path: str) -> bool:
        return any(load.is_at(path) for load in self._loads)

    def _found(self, entry: Entry) -> port.Source | port.Refused | None:
        """An instruction file; None for a link to another one, which is read there."""
        if entry.kind is Kind.FILE:
            return port.Source(entry.path, _NAME, entry.stamp)
        if entry.kind is Kind.FOLDER:
            return None
        if entry.kind is Kind.SPECIAL:
            return port.special(entry.path)
        target = self._root.target(entry.path)
        if target is not None and self._is_loaded(target):
            return None
        if target is not None:
            with suppress(UnreadableError), self._root.opened(entry.path) as file:
                return port.Source(entry.path, _NAME, file.stamp)
        message = "Link not indexed; it is broken or points outside the folder."
        return port.refused(entry.path, "link-leads-out", message, Severity.NOTE)

    def read(self, source: port.Source, since: Mark = START) -> Findings:
        """Read one file; its header is read by lines, as agents do."""
        del since
        try:
            blob = self._root.read(source.path)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))
        page = read_page(blob.raw, whole=blob.whole)
        loads = [load for load in self._loads if load.is_at(source.path)]
        header = header_of(blob.raw.decode(errors="replace"))
        file = loads[0].file if loads else File("")
        document = DocumentFound(
            title=heading(without_code(page.body)) or Path(source.path).name,
            role=_NAME,
            text=page.body,
            category=file.role,
            facts={
                "agents": ", ".join(dict.fromkeys(load.agent for load in loads)),
                "loaded": file.when(header) if file.when else "always",
                **({"header": header} if header else {}),
            },
        )
        flaws = (flaw for flaw in page.flaws if flaw.code not in _BY_LINES)
        return Findings(documents=(document,), flaws=tuple(flaws))


_BY_LINES = frozenset({"invalid-yaml", "unsafe-yaml"})
"""Flaws of headers in YAML, which these need not be."""


class InstructionsFormat(port.FormatDefaults):
    """Files with instructions, which lie among other files of a project or a home."""

    name = _NAME
    about = "instruction files that agents load, such as CLAUDE.md (read-only)"
    kinds = frozenset({"documents"})
    editable = False
    usually = ""
    lies_among_others = True

    def places(self, machine: Machine) -> Iterable[Path]:
        """No place: these folders are not searched."""
        del machine
        return ()

    def by_place(self, machine: Machine) -> Iterator[Path]:
        """The current project and the home folder, if they have such files."""
        for folder in dict.fromkeys((_project(machine), machine.home)):
            loads = _loads(at_home=folder == machine.home)
            if any(_is_there(folder, load) for load in loads):
                yield folder

    def sniff(self, root: Root) -> bool:
        """Return False: not every project with a CLAUDE.md is to be a store."""
        del root
        return False

    def keeps(self, folder: str) -> bool:
        """No folder: stores in a project are stores of their own."""
        del folder
        return False

    def open(self, path: Path) -> OpenInstructions:
        """Open a store for reading."""
        return OpenInstructions(path)


def _project(machine: Machine) -> Path:
    """The repository of the current folder; outside of any, the folder itself."""
    for folder in (machine.here, *machine.here.parents):
        if (folder / ".git").exists():
            return folder
        if folder == machine.home:
            break
    return machine.here


def _is_there(folder: Path, load: _Load) -> bool:
    """Whether there is such a file, or a folder of rules."""
    name = "" if "*" in load.pattern else load.pattern
    return (folder / load.folder / name).exists()


FORMAT = InstructionsFormat()
