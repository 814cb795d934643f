"""What each agent loads at its start, in its order."""

import fnmatch
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, takewhile
from pathlib import Path

from msgspec.structs import replace

from store.context import (
    INDEX,
    SCANNED,
    UNTRUSTED,
    Part,
    Settings,
    Surroundings,
    catalogue_of,
    content_of,
    cut,
    exists,
    files_below,
    found_in,
    identity_of,
    left_out,
    nested,
    part_of,
    read,
    settings_of,
    table_of,
    texts_of,
    tokens_of,
)
from store.errors import WrongUseError
from store.formats.instructions.format import COPILOT_ELSEWHERE, LOOKED, YOURS, File
from store.formats.notes.projects import project_of

CORE = "CORE.md"

MEMORY_LINES = 200
MEMORY_BYTES = 25_000
"""How much of MEMORY.md Claude Code loads: whichever ends first."""

CORE_CHARACTERS = 12_000
"""How long CORE.md may be by its own rule; nothing cuts it."""

CODEX_BYTES = 32 * 1024
"""How much of a project's instructions Codex loads, over all files, by default."""

# Claude Code.

_MANAGED = {
    "darwin": Path("/Library/Application Support/ClaudeCode"),
    "linux": Path("/etc/claude-code"),
    "win32": Path("C:/Program Files/ClaudeCode"),
}


def _of_claude(at: Surroundings) -> Iterator[Part]:
    own, looked = at.own("CLAUDE_CONFIG_DIR", ".claude"), LOOKED["claude"]
    managed = (File("CLAUDE.md", "managed instructions", imports=True),)
    yield from found_in(
        "claude", at, filter(None, [_MANAGED.get(sys.platform)]), managed
    )
    yield from found_in("claude", at, (own,), looked.own)
    yield from found_in("claude", at, at.downwards, looked.project)
    yield from _memory_of_claude(at, own)
    yield from nested("claude", at, "CLAUDE.md")


_OF_SUB_AGENTS = ("agent-memory", "agent-memory-local")


def _memory_of_claude(at: Surroundings, own: Path) -> Iterator[Part]:
    """The project's memory and its catalogue, the core, and that of sub-agents."""
    why = _memory_is_off(at, own)
    for folder in memory_folders(at):
        for part in chain(_index("memory index", folder), _catalogue(folder)):
            yield left_out(part, why) if why else part
    yield from _cores(at)
    projects = dict.fromkeys((at.root, at.folder))
    for base in (own, *(one / ".claude" for one in projects)):
        for kept in _OF_SUB_AGENTS:
            for folder in sorted(_folders(base / kept)):
                when = f"for the agent {folder.name}"
                for part in _index("sub-agent memory", folder):
                    yield replace(part, when=when)


def _memory_is_off(at: Surroundings, own: Path) -> str | None:
    if at.environment.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") in {"1", "true"}:
        return "CLAUDE_CODE_DISABLE_AUTO_MEMORY turns memory off"
    for base, name in (
        (at.root / ".claude", "settings.local.json"),
        (at.root / ".claude", "settings.json"),
        (own, "settings.json"),
    ):
        enabled = settings_of(base / name).get("autoMemoryEnabled")
        if enabled is not None:
            return None if enabled else f"autoMemoryEnabled is off in {base / name}"
    return None


def memory_folders(at: Surroundings) -> list[Path]:
    """The folders with the memories of a project, that exist."""
    store = at.store
    is_own = store is not None and (at.has_notes or exists(store / INDEX))
    if store is not None and is_own and not is_of_sub_agent(store):
        return [store]
    projects = at.own("CLAUDE_CONFIG_DIR", ".claude") / "projects"
    roots = dict.fromkeys((at.folder, at.root, _main_root(at.root)))
    names = dict.fromkeys(map(_project_name, roots))
    folders = [projects / name / "memory" for name in names]
    kept = (at.root / name for name in (".memory", ".claude/memory"))
    return [one for one in (*folders, *kept) if exists(one)]


def project_with(store: Path) -> Path:
    """The folder of the project whose memories a store has, else the one above it."""
    above = store.parent
    if is_of_sub_agent(store):
        above = above.parent
    if above.name == ".claude":
        return above.parent
    project = Path(project_of(above) or above)
    return project if exists(project) else above


def is_of_sub_agent(store: Path) -> bool:
    """Whether a store has the memories of a sub-agent, which only that one reads."""
    return store.parent.name in _OF_SUB_AGENTS


def memories_of(folder: Path, stores: Iterable[Path]) -> Path | None:
    """The store with the memories of a project, wherever it was copied to."""
    end = (_project_name(folder), "memory")
    return next((one for one in stores if one.parts[-2:] == end), None)


def _project_name(folder: Path) -> str:
    """The name that Claude Code gives the folder of a project."""
    return re.sub(r"[^A-Za-z0-9]", "-", str(folder))


def _main_root(root: Path) -> Path:
    """The repository that a worktree belongs to, as they share their memories."""
    found = re.match(r"gitdir: (.+)/\.git/worktrees/", content_of(root / ".git"))
    return Path(found[1]) if found else root


def _folders(folder: Path) -> list[Path]:
    try:
        return [one for one in folder.iterdir() if one.is_dir()]
    except OSError:
        return []


_INDEX_LIMIT = f"{MEMORY_LINES} lines or {MEMORY_BYTES:,} bytes"


def _index(role: str, folder: Path) -> Iterator[Part]:
    """MEMORY.md, as far as it is loaded; one that is a link to CORE.md says so."""
    path = folder / INDEX
    part, raw = part_of("claude", role, path), read(path)
    if part is not None and isinstance(raw, bytes):
        used = max(part.lines / MEMORY_LINES, part.bytes / MEMORY_BYTES)
        part = replace(part, limit=_INDEX_LIMIT, used=round(used, 3))
        part = cut(part, raw, lines=MEMORY_LINES, size=MEMORY_BYTES)
        end = Path(os.path.realpath(path))
        if end.name == CORE:
            part = replace(
                part, role="memory core", note=part.note or f"links to {end}"
            )
    yield from () if part is None else (part,)


def _cores(at: Surroundings) -> Iterator[Part]:
    """CORE.md of cognitive stores, which nothing but a hook or a link loads."""
    data = at.own("XDG_DATA_HOME", ".local/share")
    named = at.environment.get("COGNITIVE_MEMORY_DIR")
    known = (named, at.store, data / "cognitive-memory", at.home / ".claude/memory")
    for folder in dict.fromkeys(Path(one) for one in known if one):
        when = "if a hook or a link loads it"
        part = part_of("claude", "memory core", folder / CORE, when)
        if part is not None:
            size = len(content_of(folder / CORE))
            over = size - CORE_CHARACTERS
            yield replace(
                part,
                limit=f"{CORE_CHARACTERS:,} characters",
                used=round(size / CORE_CHARACTERS, 3),
                note=f"{over:,} characters over its budget" if over > 0 else part.note,
            )


def _catalogue(folder: Path) -> Iterator[Part]:
    """The names and descriptions that a model chooses from, for each prompt."""
    notes = catalogue_of(folder)
    sizes = [len(note.line.encode(errors="replace")) for note in notes]
    loaded, beyond = sum(sizes[:SCANNED]), len(notes) - SCANNED
    part = Part(
        agent="claude",
        role="memory catalogue",
        path=str(folder),
        bytes=sum(sizes),
        lines=len(notes),
        tokens=tokens_of(loaded),
        loaded_bytes=loaded,
        loaded_lines=min(len(notes), SCANNED),
        when="for each prompt",
        note=f"{beyond:,} older files are never scanned" if beyond > 0 else None,
        limit=f"{SCANNED} files",
        used=round(len(notes) / SCANNED, 3),
    )
    yield from (part,) if notes else ()


# Codex.


def _of_codex(at: Surroundings) -> Iterator[Part]:
    own, looked = at.own("CODEX_HOME", ".codex"), LOOKED["codex"]
    settings = settings_of(own / "config.toml")
    yield from found_in("codex", at, (own,), looked.own)
    others = texts_of(settings.get("project_doc_fallback_filenames"))
    root = at.root_by(texts_of(settings.get("project_root_markers"), (".git",)))
    most = settings.get("project_doc_max_bytes", CODEX_BYTES)
    left = most = most if isinstance(most, int) and most >= 0 else CODEX_BYTES
    file = File("|".join((looked.project[0].names, *others)))
    why = _distrust(settings, (at.folder, root))
    for part in found_in("codex", at, at.below(root), (file,)):
        raw = read(Path(part.path))
        if why and not part.note:
            yield left_out(part, why)
        elif part.note or not isinstance(raw, bytes):
            yield part
        else:
            used = (most - left + part.bytes) / max(most, 1)
            loaded = cut(part, raw, lines=None, size=left)
            left -= loaded.loaded_bytes
            limit = f"{most:,} bytes over the project's files"
            yield replace(loaded, limit=limit, used=round(used, 3))


def _distrust(settings: Settings, folders: Iterable[Path]) -> str | None:
    """Why the files of a project are not read, if it isn't trusted."""
    projects = table_of(settings.get("projects"))
    told = (
        table_of(projects.get(str(folder))).get("trust_level") for folder in folders
    )
    return UNTRUSTED if "untrusted" in told else None


# Gemini CLI.


def _of_gemini(at: Surroundings) -> Iterator[Part]:
    own = at.home / ".gemini"
    names: tuple[str, ...] = ("GEMINI.md",)
    for base in (own, at.root / ".gemini"):
        settings = settings_of(base / "settings.json")
        told = table_of(settings.get("context")).get("fileName")
        names = texts_of(told or settings.get("contextFileName"), names)
    files = tuple(File(name, imports=True) for name in names)
    mine = tuple(replace(file, role=YOURS) for file in files)
    yield from found_in("gemini", at, (own,), mine)
    trust = settings_of(own / "trustedFolders.json")
    for part in found_in("gemini", at, at.in_project, files):
        is_trusted = trust.get(str(at.root)) != "DO_NOT_TRUST"
        yield part if is_trusted else left_out(part, UNTRUSTED)
    for name in names:
        yield from nested("gemini", at, name)


# Cursor, Copilot, Pi and Goose: files of folders, and nothing else.


def _of_cursor(at: Surroundings) -> Iterator[Part]:
    yield from found_in("cursor", at, at.in_project, LOOKED["cursor"].project)
    yield from nested("cursor", at, "AGENTS.md")


def _of_copilot(at: Surroundings) -> Iterator[Part]:
    looked = LOOKED["copilot"]
    yield from found_in("copilot", at, (at.home / looked.folder,), looked.own)
    yield from found_in("copilot", at, at.in_project, looked.project)
    more = at.environment.get("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "").split(",")
    folders = [Path(one.strip()) for one in more if one.strip()]
    yield from found_in("copilot", at, folders, COPILOT_ELSEWHERE)


def _of_pi(at: Surroundings) -> Iterator[Part]:
    looked = LOOKED["pi"]
    yield from found_in("pi", at, (at.home / looked.folder,), looked.own)
    yield from found_in("pi", at, at.downwards, looked.project)


def _of_goose(at: Surroundings) -> Iterator[Part]:
    looked = LOOKED["goose"]
    yield from found_in("goose", at, (at.home / looked.folder,), looked.own)
    yield from found_in("goose", at, at.in_project, looked.project)


# OpenCode: the first match wins, and settings name further files.


def _of_opencode(at: Surroundings) -> Iterator[Part]:
    own = ".config/opencode"
    yield from found_in("opencode", at, (at.home,), LOOKED["opencode"].own)
    for name in ("AGENTS.md", "CLAUDE.md", "CONTEXT.md"):
        nearest = [one for one in reversed(at.in_project) if exists(one / name)][:1]
        if nearest:
            yield from found_in("opencode", at, nearest, (File(name),))
            break
    for base in (at.home / own, at.root):
        for name in texts_of(settings_of(base / "opencode.json").get("instructions")):
            yield from _configured(at, base, name)
    yield from nested("opencode", at, "AGENTS.md")


def _configured(at: Surroundings, base: Path, name: str) -> Iterator[Part]:
    """The files that a setting names by path or glob; the web is not asked."""
    if "://" in name:
        yield Part("opencode", "configured", name, note="on the web; not fetched")
        return
    start = at.home if name.startswith("~/") else base
    fixed = takewhile(lambda part: "*" not in part, name.removeprefix("~/").split("/"))
    top = start.joinpath(*fixed)
    if exists(top) and "*" not in name:
        found = [str(top)]
    else:
        wanted = str(start / name.removeprefix("~/"))
        found = [
            one for one in files_below(top, "**/*") if fnmatch.fnmatch(str(one), wanted)
        ]
    for path in found:
        part = part_of("opencode", "configured", Path(path))
        yield from () if part is None else (part,)


AGENTS: Mapping[str, Callable[[Surroundings], Iterator[Part]]] = {
    "claude": _of_claude,
    "codex": _of_codex,
    "copilot": _of_copilot,
    "cursor": _of_cursor,
    "gemini": _of_gemini,
    "goose": _of_goose,
    "opencode": _of_opencode,
    "pi": _of_pi,
}
"""What each agent loads, in its order, as of the autumn of 2026."""


def context_of(agent: str, surroundings: Surroundings) -> list[Part]:
    """What an agent reads at its start, in order, and what it reads on a condition."""
    if agent not in AGENTS:
        raise WrongUseError(
            f"Unknown agent {agent!r}; choose from {', '.join(AGENTS)}."
        )
    if "\0" in str(surroundings.folder):  # as a damaged record may say
        return []
    seen: dict[str | tuple[int, int], str] = {}
    return [
        _once(part, seen)
        for part in AGENTS[agent](surroundings)
        if _is_new(part, seen.get(identity_of(part.path)))
    ]


def _is_new(part: Part, first: str | None) -> bool:
    """Whether its file has not come before, or has another name or a reason now."""
    if part.imported_by is not None:
        return first is None or part.note is not None
    return first != part.path


def _once(part: Part, seen: dict[str | tuple[int, int], str]) -> Part:
    """The part, counted once if its file has several names."""
    first = seen.setdefault(identity_of(part.path), part.path)
    if first == part.path or part.note:
        return part
    return left_out(part, f"the same file as {first}")
