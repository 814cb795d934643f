"""Which project a folder belongs to, and where such folders are."""

import os
import re
import sys
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from stat import S_ISDIR, S_ISREG
from urllib.parse import unquote

import orjson

from store.derive.paths import is_slug, project_path
from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root, first_bytes
from store.findings import Value
from store.formats.port import beginning_of
from store.machine import Machine
from store.text import regex

# Folders that are known by where they lie; what is in them still decides.

AGENTS = frozenset({"agent-memory", "agent-memory-local"})
"""Folders with one store for each sub-agent."""

_LOOP = ".memory"

_HIDDEN = regex(r"\.(?!config$|local$).+")
"""What an agent's own folder is called: `.claude`, `.cursor`, `.agents` …"""

_MACHINERY = frozenset(
    {"agents", "commands", "hooks", "output-styles", "plugins", "prompts", "rules"}
    | {"skills", "workflows"}
)
"""What such a folder holds that is part of the agent."""


def is_of_a_loop(path: Path) -> bool:
    """Whether an agent loop keeps its memories here; its index may be empty."""
    return path.name == _LOOP


def is_known(path: Path) -> bool:
    """Whether writers of this format keep their memories in a folder like this."""
    folder, above, *_ = [parent.name for parent in path.parents[:2]] + ["", ""]
    if path.name == "memory":
        return folder == ".claude" or (above == "projects" and _is_project(path.parent))
    return is_of_a_loop(path) or (folder in AGENTS and "claude" in above.casefold())


def _is_project(path: Path) -> bool:
    """Whether a folder is named after a project's path, or is beside such folders."""
    return is_slug(path.name) or "claude" in path.parents[1].name.casefold()


def is_part_of_an_agent(path: Path) -> bool:
    """Whether a folder holds what an agent is made of, such as its commands.

    A plugin is another program, so its own memories are no store, either.
    """
    within = {
        part for above, part in pairwise(path.parts) if _HIDDEN.fullmatch(above)
    } & _MACHINERY
    return bool(within) and ("plugins" in within or not is_known(path))


def lies_within_known(path: Path) -> bool:
    """Whether a folder is a part of such a folder, and so no store of its own."""
    return any(is_known(parent) for parent in path.parents)


# The first bytes of JSON that lies beside a store: cut off, broken, never trusted.

PEEK = 64 * 1024
"""How much of such a file is looked at."""

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def strings(raw: bytes, key: str) -> Iterator[str]:
    """Every text that stands under a key, in order; a cut-off one does not count."""
    member = rb'"%s"\s*:\s*("(?:[^"\\]|\\.)*+")' % re.escape(key.encode())
    for found in re.finditer(member, raw, re.DOTALL):
        try:
            value: object = orjson.loads(found[1])
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, str) and value:
            yield value


def beginning(path: Path) -> bytes:
    """The first bytes of a file that the user's settings lie in; none if unreadable.

    Not opened beneath a `Root`: these settings belong to no store, and many people keep
    theirs elsewhere and put a link in their place, which is followed wherever it leads.
    What is no plain file is never waited for.
    """
    try:
        handle = os.open(path, _FLAGS)
    except OSError:
        return b""
    try:
        plain = S_ISREG(os.fstat(handle).st_mode)
        return first_bytes(handle, PEEK) if plain else b""
    except OSError:
        return b""
    finally:
        os.close(handle)


# The project of a Claude Code folder, determined by its files.

MOST_PROJECTS = 200
"""How many project folders are looked into, those first that changed last."""

_TRANSCRIPTS = 3
"""How many transcripts are looked into before the project stays unknown."""


def known_projects(folder: Path) -> Iterator[Path]:
    """The projects with a folder here that are still where they were."""
    try:
        with Root(folder) as root:
            entries = [e for e in root.entries() if e.kind is Kind.FOLDER]
    except UnreadableError:
        return
    for entry in _newest(entries)[:MOST_PROJECTS]:
        project = project_of(folder / entry.name)
        if project:
            yield Path(project)


def memory_folders(projects: Path) -> Iterator[Path]:
    """Where the projects of a folder of Claude Code keep memories, if they do.

    Named one by one: beside them lie thousands of folders of sessions, which a search
    need not enter.
    """
    try:
        with Root(projects) as root:
            names = [e.name for e in root.entries() if e.kind is Kind.FOLDER]
    except UnreadableError:
        return
    for name in names:
        for kept in ("memory", "session-memory"):
            yield projects / name / kept


def project_of(folder: Path) -> PurePath | None:
    """The path of the project, which the folder's name doesn't determine."""
    try:
        with Root(folder) as root:
            return _best(folder.name, _working_folders(root))
    except UnreadableError:
        return None


def _working_folders(root: Root) -> Iterator[str]:
    """The working folders of the newest transcripts, then what their index says."""
    files = [e for e in root.entries() if e.kind is Kind.FILE]
    transcripts = [e for e in files if e.name.endswith(".jsonl")]
    for entry in _newest(transcripts)[:_TRANSCRIPTS]:
        yield from strings(beginning_of(root, entry.path, PEEK), "cwd")
    for entry in (e for e in files if e.name == "sessions-index.json"):
        yield from strings(beginning_of(root, entry.path, PEEK), "projectPath")


def _best(slug: str, candidates: Iterator[str]) -> PurePath | None:
    """The path that a folder is named after, else the first candidate.

    Nearly always that is the first, and then nothing more is read.
    """
    first = next(candidates, None)
    if first is None:
        return None
    return _pure(project_path(slug, chain((first,), candidates)) or first)


def _pure(text: str) -> PurePath:
    windows = re.match(r"[A-Za-z]:[\\/]|\\\\", text)
    return PureWindowsPath(text) if windows else PurePosixPath(text)


def _newest(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: -entry.stamp.mtime_ns)


# Files beside a store with facts about it; only read, with limits, without links.

_BESIDE_LOOP = {
    "transcripts": (".transcripts", ".jsonl"),
    "task_outputs": (".task_outputs/tool-results", ".txt"),
}
"""What an agent loop keeps beside its `.memory`."""


def title_of(store: Path) -> str:
    """The project that a store is about, else the folder's name."""
    above = store.parent
    if above.name in AGENTS:
        return f"{_owner(above)} · {store.name}"
    if is_of_a_loop(store) or above.name == ".claude":
        return _owner(store) or store.name
    if store.name != "memory":
        return store.name
    project = project_of(above)
    if project:
        return project.name
    return above.name if above.parent.name == "projects" else store.name


def found_in_project(store: Path, link: str) -> Path | None:
    """The file of the store's project that a link names, where there is one.

    Agents write such links as if they stood at the project's root.
    """
    path = unquote(link.partition("#")[0])
    if not path.strip("./"):
        return None
    project = project_of(store.parent) if store.name == "memory" else None
    folders = [*([project] if project else []), store, *store.parents[:_PROJECT_ABOVE]]
    return next((Path(f, path) for f in folders if _mode(Path(f, path))), None)


_PROJECT_ABOVE = 2
"""How far above its store a project's root lies at most."""


def beside(store: Path) -> dict[str, Value]:
    """How many transcripts and outputs an agent loop keeps beside its memory."""
    if not is_of_a_loop(store):
        return {}
    counts = {
        key: _count(store.parent, folder, ending)
        for key, (folder, ending) in _BESIDE_LOOP.items()
    }
    return {key: str(count) for key, count in counts.items() if count}


def _owner(folder: Path) -> str:
    """The name of the repository, or home, that a memory folder belongs to."""
    above = folder.parent
    return above.parent.name if above.name == ".claude" else above.name


def _count(parent: Path, folder: str, ending: str) -> int:
    try:
        with Root(parent) as root:
            entries = root.entries(folder)
    except UnreadableError:
        return 0
    return sum(e.kind is Kind.FILE and e.name.endswith(ending) for e in entries)


# Where on a machine such stores usually lie.

_IN_PROJECT = (
    ".memory",
    ".claude/memory",
    ".claude/agent-memory",
    ".claude/agent-memory-local",
)
"""Where a project keeps memories."""

_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": r"C:\ProgramData\ClaudeCode\managed-settings.json",
}
"""Where the administrator's settings lie, by platform …"""

_MANAGED_ELSEWHERE = "/etc/claude-code/managed-settings.json"
"""… and on all others."""


def places(machine: Machine) -> Iterator[Path]:
    """Every folder that is there, once, the nearest first."""
    seen: set[Path] = set()
    for path in _candidates(machine):
        if path not in seen and _is_folder(path):
            seen.add(path)
            yield path


def _candidates(machine: Machine) -> Iterator[Path]:
    for folder in _upwards(machine):
        yield from _in(folder)
    override = machine.folder("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
    if override:
        yield override
    yield from _set_by_user(machine)
    for base in _bases(machine):
        yield from memory_folders(base / "projects")
        yield base / "agent-memory"
        yield base / "memory"
        yield base / "session-memory"
    for base in _bases(machine):
        for project in known_projects(base / "projects"):
            yield from _in(project)


def _in(project: Path) -> Iterator[Path]:
    return (project / name for name in _IN_PROJECT)


def _upwards(machine: Machine) -> list[Path]:
    """The current folder and those above it, up to the repository or home.

    Outside of both, the folders above belong to others and aren't searched.
    """
    above = [machine.here, *machine.here.parents]
    for count, folder in enumerate(above, 1):
        if folder == machine.home or _mode(folder / ".git"):
            return above[:count]
    return above[:1]


def _bases(machine: Machine) -> list[Path]:
    """Claude Code's own folder, and the one that a remote session keeps memory in."""
    remote = machine.folder("CLAUDE_CODE_REMOTE_MEMORY_DIR")
    own = machine.folder("CLAUDE_CONFIG_DIR") or machine.home / ".claude"
    return [remote, own] if remote else [own]


def _set_by_user(machine: Machine) -> Iterator[Path]:
    """`autoMemoryDirectory` of the administrator, the user and this checkout.

    The settings that a project shares do not count: cloning must not aim the reader.
    """
    files = [
        Path(_MANAGED.get(sys.platform, _MANAGED_ELSEWHERE)),
        *(up / ".claude/settings.local.json" for up in _upwards(machine)),
        _bases(machine)[-1] / "settings.json",
    ]
    for file in files:
        for text in strings(beginning(file), "autoMemoryDirectory"):
            path = machine.home / text[2:] if text.startswith("~/") else Path(text)
            if path.is_absolute():
                yield path


def _is_folder(path: Path) -> bool:
    return S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    """What a path is; 0 where nothing can be seen."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0
