"""Where on a machine such stores usually lie."""

import sys
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR

from store.formats.notes.peek import beginning, strings
from store.formats.notes.projects import known_projects, memory_folders
from store.machine import Machine

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

    In neither, the folders above are somebody else's and not looked at.
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
