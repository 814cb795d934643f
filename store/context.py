"""What an agent is given when it starts in a folder: instruction files and memory."""

import fnmatch
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct
from msgspec.structs import replace

from store.errors import WrongUseError

# What is counted.

_TOKEN = 4
"""Bytes of a token, on the average of English text: an estimate."""

_LARGEST = 1 << 20
"""Bytes of a file that are looked at."""

_INDEX = "MEMORY.md"

MEMORY_LINES = 200
MEMORY_BYTES = 25_000
"""How much of MEMORY.md Claude Code loads: whichever ends first."""

CODEX_BYTES = 32 * 1024
"""How much of a project's instructions Codex loads, over all files."""

_IMPORTS = 5
"""How deep imports lead."""


class Part(Struct, frozen=True):
    """A file that an agent is given, in whole or in part."""

    agent: str
    role: str
    path: str
    bytes: int = 0
    lines: int = 0
    tokens: int = 0
    """Estimated for what is loaded."""
    loaded_bytes: int = 0
    loaded_lines: int = 0
    when: str = "always"
    """The condition on which it is loaded."""
    imported_by: str | None = None
    note: str | None = None
    """Why it is not loaded, or from which line on."""

    @property
    def is_loaded(self) -> bool:
        """Whether it is in the prompt from the start."""
        return self.when == "always" and self.loaded_bytes > 0


class Surroundings(Struct, frozen=True):
    """Where an agent starts."""

    folder: Path
    home: Path
    store: Path | None = None
    """The store at hand; if it has a memory index, its memories are the project's."""

    @property
    def root(self) -> Path:
        """The top of the repository; the folder itself outside of any."""
        above = (self.folder, *self.folder.parents)
        return next((one for one in above if _exists(one / ".git")), self.folder)

    @property
    def downwards(self) -> list[Path]:
        """The folders from the root of the file system down to where it starts."""
        return [*reversed(self.folder.parents), self.folder]

    @property
    def in_project(self) -> list[Path]:
        """The folders from the project's root down to where it starts."""
        return [one for one in self.downwards if one.is_relative_to(self.root)]


def context_of(agent: str, surroundings: Surroundings) -> list[Part]:
    """What an agent reads at its start, in order, and what it reads on a condition."""
    if agent not in AGENTS:
        raise WrongUseError(
            f"Unknown agent {agent!r}; choose from {', '.join(AGENTS)}."
        )
    if "\0" in str(surroundings.folder):  # as a damaged record may say
        return []
    seen: dict[str, str] = {}
    return [
        _once(part, seen)
        for part in AGENTS[agent](surroundings)
        if part.note or part.imported_by is None or _is_new(part, seen)
    ]


def _is_new(part: Part, seen: Mapping[str, str]) -> bool:
    return _real(part.path) not in seen


def _once(part: Part, seen: dict[str, str]) -> Part:
    """The part, counted once if its file has several names."""
    first = seen.setdefault(_real(part.path), part.path)
    if first == part.path or part.note:
        return part
    return _left_out(part, f"the same file as {first}")


def _left_out(part: Part, why: str) -> Part:
    return replace(part, loaded_bytes=0, loaded_lines=0, tokens=0, note=why)


def below_home(path: str, home: Path) -> str:
    """A path with `~` for the home folder."""
    return f"~{path.removeprefix(str(home))}" if path.startswith(f"{home}/") else path


# Reading a file. Paths may come from a record, so nothing is asked of them that raises.


def _exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110  # Path.exists raises for odd paths


def _real(path: str) -> str:
    return os.path.realpath(path)


def _part(agent: str, role: str, path: Path) -> Part | None:
    """The part that a whole file is; None if there is no such file."""
    text = _text(path)
    if text is None:
        return None
    if isinstance(text, OSError):
        why = f"can't be read: {text.strerror}"
        return Part(agent, role, str(path), note=why)
    size, lines = len(text), _lines(text)
    return Part(
        agent=agent,
        role=role,
        path=str(path),
        bytes=size,
        lines=lines,
        tokens=_tokens(size),
        loaded_bytes=size,
        loaded_lines=lines,
    )


def _text(path: Path) -> bytes | OSError | None:
    if not os.path.isfile(path):  # noqa: PTH113  # Path.is_file raises for odd paths
        return None
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        return error


def _content(path: Path) -> str:
    raw = _text(path)
    return raw.decode(errors="replace") if isinstance(raw, bytes) else ""


def _lines(raw: bytes) -> int:
    return raw.count(b"\n") + (not raw.endswith(b"\n") and bool(raw))


def _tokens(size: int) -> int:
    return -(-size // _TOKEN)


def cut(part: Part, raw: bytes, *, lines: int | None, size: int) -> Part:
    """The part that is loaded within limits; its note names the first line left out."""
    ends = [len(line) for line in raw.splitlines(keepends=True)]
    within, loaded = 0, 0
    for end in ends[:lines]:
        if loaded + end > size:
            break
        loaded += end
        within += 1
    if within == len(ends):
        return part
    return replace(
        part,
        loaded_bytes=loaded,
        loaded_lines=within,
        tokens=_tokens(loaded),
        note=f"cut at line {within + 1} of {len(ends)}",
    )


def headers_of(path: Path) -> Mapping[str, str]:
    """The fields of a header, by its lines: rules hold globs that are no YAML."""
    found = re.match(r"---\r?\n(.*?)\n---\s", _content(path), re.DOTALL)
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


# Files that a file imports with `@path`, outside of code.

_CODE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_IMPORT = re.compile(r"(?<![\w@`])@((?:~/|\.{0,2}/)?[\w.-]+(?:/[\w.-]+)*)")


def _with_imports(part: Part | None, home: Path) -> Iterator[Part]:
    """A part, and what it imports, each after the file that imports it."""
    if part is not None:
        yield part
        yield from _imported(part, home, (_real(part.path),))


def _imported(part: Part, home: Path, above: tuple[str, ...]) -> Iterator[Part]:
    text = _CODE.sub("", _content(Path(part.path)))
    for name in dict.fromkeys(found.rstrip(".") for found in _IMPORT.findall(text)):
        base = home if name.startswith("~/") else Path(part.path).parent
        path = Path(os.path.normpath(base / name.removeprefix("~/")))
        inner = _part(part.agent, "import", path)
        if inner is None:
            if path.suffix:  # a person may be named like a folder, but not like a file
                missing = Part(part.agent, "import", str(path), imported_by=part.path)
                yield replace(missing, note="no such file")
            continue
        inner = replace(inner, imported_by=part.path, when=part.when)
        if _real(str(path)) in above:
            yield _left_out(inner, "imports itself")
        elif len(above) > _IMPORTS:
            yield _left_out(inner, f"more than {_IMPORTS} imports deep")
        else:
            yield inner
            yield from _imported(inner, home, (*above, _real(str(path))))


# Claude Code.

_MANAGED = {
    "darwin": Path("/Library/Application Support/ClaudeCode/CLAUDE.md"),
    "linux": Path("/etc/claude-code/CLAUDE.md"),
}


def _of_claude(at: Surroundings) -> Iterator[Part]:
    def given(role: str, path: Path) -> Iterator[Part]:
        return _with_imports(_part("claude", role, path), at.home)

    own = at.home / ".claude"
    if sys.platform in _MANAGED:
        yield from given("managed instructions", _MANAGED[sys.platform])
    yield from given("your instructions", own / "CLAUDE.md")
    yield from _rules("claude", own / "rules", "*.md", _when_paths)
    for folder in at.downwards:
        yield from given("project instructions", folder / "CLAUDE.md")
        if folder / ".claude" != own:
            yield from given("project instructions", folder / ".claude/CLAUDE.md")
            yield from _rules("claude", folder / ".claude/rules", "*.md", _when_paths)
        yield from given("local instructions", folder / "CLAUDE.local.md")
    for folder in memory_folders(at):
        yield from _memory(folder / _INDEX)


def memory_folders(at: Surroundings) -> list[Path]:
    """The folders with the memories of a project, that exist."""
    if at.store is not None and _exists(at.store / _INDEX):
        return [at.store]
    projects = at.home / ".claude/projects"
    names = (re.sub(r"[^A-Za-z0-9]", "-", str(one)) for one in (at.folder, at.root))
    folders = [projects / name / "memory" for name in dict.fromkeys(names)]
    return [one for one in (*folders, at.root / ".memory") if _exists(one)]


def _memory(path: Path) -> Iterator[Part]:
    part = _part("claude", "memory index", path)
    raw = _text(path)
    if part is not None:
        is_whole = not isinstance(raw, bytes)
        yield (
            part if is_whole else cut(part, raw, lines=MEMORY_LINES, size=MEMORY_BYTES)
        )


def _rules(
    agent: str, folder: Path, pattern: str, when: Callable[[Path], str]
) -> Iterator[Part]:
    """The rules in a folder, each with the condition on which it is loaded."""
    for path in _below(folder, pattern):
        part = _part(agent, "rule", path)
        if part is not None:
            yield replace(part, when=when(path))


def _below(folder: Path, pattern: str) -> list[Path]:
    """The files at any depth; folders that can't be read are left out."""
    return sorted(
        Path(at) / name
        for at, _, names in os.walk(folder)
        for name in fnmatch.filter(names, pattern)
    )


def _when_paths(path: Path) -> str:
    globs = headers_of(path).get("paths")
    return f"for {globs}" if globs else "always"


# Codex.


def _of_codex(at: Surroundings) -> Iterator[Part]:
    yield from _first("codex", "your instructions", at.home / ".codex")
    left = CODEX_BYTES
    for folder in at.in_project:
        for part in _first("codex", "project instructions", folder):
            raw = _text(Path(part.path))
            if isinstance(raw, bytes):
                loaded = cut(part, raw, lines=None, size=left)
                left -= loaded.loaded_bytes
                yield loaded
            else:
                yield part


def _first(agent: str, role: str, folder: Path) -> Iterator[Part]:
    """The first of a folder's files; the others are not loaded."""
    found = [
        part
        for name in ("AGENTS.override.md", "AGENTS.md")
        if (part := _part(agent, role, folder / name))
    ]
    yield from found[:1]
    for part in found[1:]:
        why = f"{Path(found[0].path).name} takes its place"
        yield _left_out(part, why)


# Gemini CLI.


def _of_gemini(at: Surroundings) -> Iterator[Part]:
    for role, folder in (
        ("your instructions", at.home / ".gemini"),
        *(("project instructions", folder) for folder in at.in_project),
    ):
        yield from _with_imports(_part("gemini", role, folder / "GEMINI.md"), at.home)


# Cursor.


def _of_cursor(at: Surroundings) -> Iterator[Part]:
    for folder in at.in_project:
        yield from _rules("cursor", folder / ".cursor/rules", "*.mdc", _when_cursor)
        for name in ("AGENTS.md", ".cursorrules"):
            part = _part("cursor", "project instructions", folder / name)
            if part is not None:
                yield part


def _when_cursor(path: Path) -> str:
    header = headers_of(path)
    if header.get("alwaysApply") == "true":
        return "always"
    if globs := header.get("globs"):
        return f"for {globs}"
    return "if the agent asks" if header.get("description") else "if you name it"


# Copilot CLI.

_COPILOT = "copilot-instructions.md"


def _of_copilot(at: Surroundings) -> Iterator[Part]:
    def given(role: str, path: Path) -> Iterator[Part]:
        part = _part("copilot", role, path)
        return iter((part,) if part else ())

    own = at.home / ".copilot"
    yield from given("your instructions", own / _COPILOT)
    yield from _rules(
        "copilot", own / "instructions", "*.instructions.md", _when_applied
    )
    for folder in at.in_project:
        yield from given("project instructions", folder / ".github" / _COPILOT)
        rules = folder / ".github/instructions"
        yield from _rules("copilot", rules, "*.instructions.md", _when_applied)
        for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md"):
            yield from given("project instructions", folder / name)


def _when_applied(path: Path) -> str:
    globs = headers_of(path).get("applyTo", "")
    return "always" if globs in {"", "**", "**/*"} else f"for {globs}"


AGENTS: Mapping[str, Callable[[Surroundings], Iterator[Part]]] = {
    "claude": _of_claude,
    "codex": _of_codex,
    "copilot": _of_copilot,
    "cursor": _of_cursor,
    "gemini": _of_gemini,
}
"""What each agent loads, in its order."""


# A simulation, without a model: which memories a prompt would bring.

SCANNED = 200
"""How many files of a memory folder are looked at, the newest first."""

TAKEN = 5
"""How many memories are recalled at most."""

FILE_LINES, FILE_BYTES = 200, 4096
"""How much of each is loaded: whichever ends first."""

SESSION_BYTES = 60 * 1024
"""How much is loaded in a session."""

_PROMPT = 2000
"""How many characters of a prompt count."""

_SHORT = 3
"""Words of this length or less do not count."""


class Recalled(Struct, frozen=True):
    """A memory, and whether it would be recalled."""

    path: str
    name: str
    description: str
    words: tuple[str, ...] = ()
    """The words of the prompt that its name or description contains."""
    loaded_lines: int = 0
    loaded_bytes: int = 0
    note: str = ""
    """Why it is not recalled, or from which line on it is cut."""

    @property
    def is_recalled(self) -> bool:
        """Whether the agent would be given a part of it."""
        return self.loaded_bytes > 0


def recall(prompt: str, surroundings: Surroundings) -> list[Recalled]:
    """The memories of a project as a prompt finds them by words, the newest first.

    An agent asks a model first, which may choose others. It falls back to these words
    if that fails.
    """
    return [
        one
        for folder in memory_folders(surroundings)
        for one in _recalled(prompt, folder)
    ]


def _recalled(prompt: str, folder: Path) -> Iterator[Recalled]:
    words = _words(prompt)
    taken, left = 0, SESSION_BYTES
    for number, path in enumerate(_newest_first(folder)):
        fields = headers_of(path)
        name = fields.get("name", path.stem)
        description = fields.get("description", "")
        told = f"{name} {description}".lower()
        found = tuple(word for word in words if word in told)
        one = Recalled(str(path), name, description, found)
        if number >= SCANNED:
            yield replace(one, note=f"not scanned: {SCANNED} files are newer")
        elif not found:
            yield replace(one, note="has none of the words")
        elif taken == TAKEN:
            yield replace(one, note=f"{TAKEN} newer ones are taken")
        else:
            loaded = _loaded(one, path, left)
            taken, left = taken + 1, left - loaded.loaded_bytes
            yield loaded


def _words(prompt: str) -> list[str]:
    words = prompt[:_PROMPT].lower().split()
    return list(dict.fromkeys(word for word in words if len(word) > _SHORT))


def _newest_first(folder: Path) -> list[Path]:
    found: list[tuple[float, Path]] = []
    for path in folder.glob("*.md"):
        with suppress(OSError):  # it may go away meanwhile
            about = path.stat()
            if path.name != _INDEX and S_ISREG(about.st_mode):
                found.append((-about.st_mtime, path))
    return [path for _, path in sorted(found)]


def _loaded(one: Recalled, path: Path, left: int) -> Recalled:
    raw = _text(path)
    if not isinstance(raw, bytes):
        return replace(one, note=f"can't be read: {raw.strerror}" if raw else "is gone")
    lines = raw.splitlines(keepends=True)
    text = b"".join(lines[:FILE_LINES])[: min(FILE_BYTES, left)]
    count = len(re.findall(rb"[^\n]*\n|[^\n]+$", text))
    note = "" if text == raw else f"cut in line {count} of {len(lines)}"
    if not text:
        note = f"the session's {SESSION_BYTES // 1024} KiB are used up"
    return replace(one, loaded_lines=count, loaded_bytes=len(text), note=note)
