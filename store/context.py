"""What an agent is given: files at its start, and memories for a prompt."""

import fnmatch
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from store.errors import RefusedError, UnreadableError
from store.files.beneath import FOLDER_FLAGS, Entry, Kind, Root, read_file
from store.files.frontmatter import read_page
from store.formats.instructions.format import File, Files, header_of
from store.text import regex

# What is counted.

_TOKEN = 4
"""Bytes of a token, on the average of English text: an estimate."""

WINDOW = 200_000
"""Tokens of the context that a prompt shares with the conversation, as most models
have at least."""

_LARGEST = 1 << 20
"""Bytes of a file that are looked at."""

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
    limit: str | None = None
    """How much of it is loaded at most, in words."""
    used: float | None = None
    """Its size as a share of that limit: above 1, it is cut or too long."""

    @property
    def is_loaded(self) -> bool:
        """Whether it is in the prompt from the start."""
        return self.when == "always" and self.loaded_bytes > 0


class Surroundings(Struct, frozen=True, dict=True):
    """Where an agent starts."""

    folder: Path
    home: Path
    store: Path | None = None
    """The store at hand; if it has a memory index, its memories are the project's."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    has_notes: bool = False
    """Whether that store has notes, which may have lost their index."""

    @cached_property
    def root(self) -> Path:
        """The top of the repository; the folder itself outside of any."""
        return self.root_by((".git",))

    def root_by(self, markers: Iterable[str]) -> Path:
        """The nearest folder with one of these, or else the folder itself."""
        above = (self.folder, *self.folder.parents)
        named = tuple(markers)
        return next(
            (one for one in above if any(exists(one / name) for name in named)),
            self.folder,
        )

    @property
    def downwards(self) -> list[Path]:
        """The folders from the root of the file system down to where it starts."""
        return [*reversed(self.folder.parents), self.folder]

    @property
    def in_project(self) -> list[Path]:
        """The folders from the project's root down to where it starts."""
        return self.below(self.root)

    def below(self, root: Path) -> list[Path]:
        """The folders from a root down to where it starts."""
        return [one for one in self.downwards if one.is_relative_to(root)]

    def own(self, variable: str, usual: str) -> Path:
        """An agent's own folder: as a variable says, or the usual one at home."""
        return Path(self.environment.get(variable) or self.home / usual)


def left_out(part: Part, why: str) -> Part:
    """The part, of which nothing is loaded, with the reason."""
    return replace(part, loaded_bytes=0, loaded_lines=0, tokens=0, note=why)


def below_home(path: str, home: Path) -> str:
    """A path with `~` for the home folder."""
    return f"~{path.removeprefix(str(home))}" if path.startswith(f"{home}/") else path


# Reading a file. Paths may come from a record, so nothing is asked of them that raises.


def exists(path: Path) -> bool:
    """Whether there is anything at a path."""
    return os.path.exists(path)  # noqa: PTH110  # Path.exists raises for odd paths


def identity_of(path: str) -> str | tuple[int, int]:
    """What all names of a file have in common, links and hard links alike."""
    try:
        about = os.stat(path)  # noqa: PTH116  # a path as written
    except (OSError, ValueError):
        return os.path.realpath(path)
    return about.st_dev, about.st_ino


def part_of(agent: str, role: str, path: Path, when: str = "always") -> Part | None:
    """The part that a whole file is; None if there is no such file."""
    text = read(path)
    if text is None:
        return None
    if isinstance(text, OSError):
        why = f"can't be read: {text.strerror}"
        return Part(agent, role, str(path), when=when, note=why)
    size, lines = len(text), _lines(text)
    return Part(
        agent=agent,
        role=role,
        path=str(path),
        bytes=size,
        lines=lines,
        tokens=tokens_of(size),
        loaded_bytes=size,
        loaded_lines=lines,
        when=when,
    )


def read(path: Path) -> bytes | OSError | None:
    """The beginning of a file, or why it can't be read; None if there is no file.

    Links are followed, as agents do, but only regular files are read.
    """
    if not os.path.isfile(path):  # noqa: PTH113  # Path.is_file raises for odd paths
        return None
    folder, name = os.path.split(os.path.realpath(path))
    try:
        handle = os.open(folder, FOLDER_FLAGS)
        try:
            return read_file(handle, name, _LARGEST, name).raw
        finally:
            os.close(handle)
    except RefusedError:
        return None
    except OSError as error:
        return error


def content_of(path: Path) -> str:
    """The text of a file; empty if it is missing."""
    raw = read(path)
    return raw.decode(errors="replace") if isinstance(raw, bytes) else ""


def _lines(raw: bytes) -> int:
    return raw.count(b"\n") + (not raw.endswith(b"\n") and bool(raw))


def tokens_of(size: int) -> int:
    """The estimated tokens of so many bytes."""
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
        tokens=tokens_of(loaded),
        note=f"cut at line {within + 1} of {len(ends)}",
    )


Settings = Mapping[str, Any]

UNTRUSTED = "the project is not trusted"


def settings_of(path: Path) -> Settings:
    """An agent's settings in JSON or TOML; what can't be parsed counts as absent."""
    import tomllib  # noqa: PLC0415  # slow, only for agents with such settings

    text = content_of(path)
    try:
        found: object = (
            tomllib.loads(text) if path.suffix == ".toml" else orjson.loads(text)
        )
    except ValueError:
        return {}
    return table_of(found)


def table_of(value: object) -> Settings:
    """A setting that is a table; none otherwise."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def texts_of(value: object, usual: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A setting that is a text or a list of them."""
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        return usual
    return tuple(one for one in cast("list[object]", value) if isinstance(one, str))


# Files that a file imports with `@path`, outside of code.

_CODE = regex(r"^(?:```|~~~).*?^(?:```|~~~)|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_IMPORT = regex(r"(?<![\w@`])@((?:~/|\.{0,2}/)?[\w.-]+(?:/[\w.-]+)*)")


def _imported(part: Part, home: Path, above: tuple[str, ...]) -> Iterator[Part]:
    """What a file imports, each after the file that imports it."""
    text = _CODE.sub("", content_of(Path(part.path)))
    for name in dict.fromkeys(found.rstrip(".") for found in _IMPORT.findall(text)):
        base = home if name.startswith("~/") else Path(part.path).parent
        path = Path(os.path.normpath(base / name.removeprefix("~/")))
        inner = part_of(part.agent, "import", path)
        if inner is None:
            if path.suffix:  # a person may be named like a folder, but not like a file
                missing = Part(part.agent, "import", str(path), imported_by=part.path)
                yield replace(missing, note="no such file")
            continue
        inner = replace(inner, imported_by=part.path, when=part.when)
        real = os.path.realpath(path)
        if real in above:
            yield left_out(inner, "imports itself")
        elif len(above) > _IMPORTS:
            yield left_out(inner, f"more than {_IMPORTS} imports deep")
        else:
            yield inner
            yield from _imported(inner, home, (*above, real))


# What agents look for in a folder.


def found_in(
    agent: str, at: Surroundings, folders: Iterable[Path], files: Files
) -> Iterator[Part]:
    """The files of each folder, in the order of both."""
    for folder in folders:
        for file in files:
            yield from _matching(agent, at, folder, file)


def _matching(agent: str, at: Surroundings, folder: Path, file: File) -> Iterator[Part]:
    taken: str | None = None
    for name in file.names.split("|"):
        for path in files_below(folder, name):
            when = file.when(header_of(content_of(path))) if file.when else "always"
            part = part_of(agent, file.role, path, when)
            if part is None:
                continue
            if taken is not None:
                yield left_out(part, f"{taken} takes its place")
                continue
            yield part
            if file.imports:
                yield from _imported(part, at.home, (os.path.realpath(path),))
            if "|" in file.names:
                taken = path.name


def files_below(folder: Path, name: str) -> list[Path]:
    """The files that a name matches; folders that can't be read are left out."""
    start, star, pattern = name.partition("**/")
    if not star:
        return [folder / name]
    return sorted(
        Path(at) / one
        for at, _, names in os.walk(folder / start)
        for one in fnmatch.filter(names, pattern)
    )


_NESTED_FOLDERS = 2_000
"""How many folders below are looked into."""

_NOT_ENTERED = frozenset({"node_modules", "target", "dist", "build", "vendor"})


def nested(agent: str, at: Surroundings, name: str) -> Iterator[Part]:
    """Instructions in folders below, which are read together with a file there."""
    left = _NESTED_FOLDERS
    for folder, folders, names in os.walk(at.folder):
        folders[:] = sorted(
            one for one in folders if one[:1] != "." and one not in _NOT_ENTERED
        )
        left -= 1
        if name in names and Path(folder) != at.folder:
            when = f"with files in {os.path.relpath(folder, at.folder)}"
            part = part_of(agent, "nested instructions", Path(folder) / name, when)
            yield from () if part is None else (part,)
        if left < 0:
            return


# What an agent would recall for a prompt: a simulation, without a model.

INDEX = "MEMORY.md"
"""The page of a memory folder that is no memory."""

SCANNED = 200
"""How many files of a memory folder are in the catalogue, the newest first."""

TAKEN = 5
"""How many memories are recalled for a prompt at most."""

FILE_LINES, FILE_BYTES = 200, 4096
"""How much of each is loaded: whichever ends first."""

SESSION_BYTES = 60 * 1024
"""How much is loaded in a session."""

_RECENT, _PROMPT = 3, 2000
"""How many prompts count, with those before the last, and how many characters."""

_SHORT = 3
"""Words of this length or less do not count."""

_DEEP = 16
"""How many folders deep memories are looked for."""


# The catalogue: the names and descriptions that a model would choose from.


class Note(Struct, frozen=True):
    """A memory as the catalogue lists it."""

    path: str
    name: str
    description: str
    raw: bytes
    """The beginning of its file."""
    trouble: str = ""
    """Why it can't be read."""

    @property
    def line(self) -> str:
        """Its line in the catalogue."""
        return f"{self.name} — {self.description}\n"


def notes_in(root: Root) -> list[str]:
    """The memories of a folder and those below, newest first, as agents scan it."""
    found: list[tuple[int, str]] = []
    for one in root.walk(depth=_DEEP, enters=_is_shown):
        if not isinstance(one, Entry) or not one.name.endswith(".md"):
            continue
        written = _written(root, one) if one.name != INDEX else None
        if written is not None:
            found.append((-written, one.path))
    return [path for _, path in sorted(found)]


def _is_shown(folder: str) -> bool:
    return not folder.startswith(".")


def _written(root: Root, entry: Entry) -> int | None:
    """When a file, or the one that a link leads to, was written; None for others."""
    if entry.kind is Kind.LINK:
        with suppress(UnreadableError), root.opened(entry.path) as file:
            return file.stamp.mtime_ns
        is_file = (root.path / entry.path).is_file()  # outside, so it is not read
    else:
        is_file = entry.kind is Kind.FILE
    return entry.stamp.mtime_ns if is_file else None


def catalogue_of(folder: Path) -> list[Note]:
    """The catalogue of a folder, with the files that are too old to be in it."""
    try:
        with Root(folder) as root:
            return [_note(root, folder, path) for path in notes_in(root)]
    except UnreadableError:
        return []


def _note(root: Root, folder: Path, path: str) -> Note:
    name = Path(path).stem
    try:
        raw = root.read(path, limit=_LARGEST).raw
    except UnreadableError as error:
        return Note(str(folder / path), name, "", b"", str(error))
    fields = read_page(raw, whole=True).fields
    told = [fields.get(key) for key in ("name", "description")]
    named, about = (one if isinstance(one, str) else "" for one in told)
    return Note(str(folder / path), named or name, about, raw)


# Which of them a prompt brings.


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
    prompt: int = 1
    """Which of the session's prompts brings it."""
    near: bool = False
    """Whether it just misses: by its age, its rank or where the words are."""

    @property
    def is_recalled(self) -> bool:
        """Whether the agent would be given a part of it."""
        return self.loaded_bytes > 0


def recall(prompts: Sequence[str], folders: Sequence[Path]) -> list[Recalled]:
    """The memories as the prompts of a session find them by words, newest first.

    An agent asks a model first, which may choose others. It falls back to these words
    if that fails.
    """
    return [
        one for folder in folders for one in _session(prompts, catalogue_of(folder))
    ]


def _session(prompts: Sequence[str], notes: Sequence[Note]) -> Iterator[Recalled]:
    left = SESSION_BYTES
    given: set[str] = set()
    for number in range(1, len(prompts) + 1):
        words = words_of(" ".join(prompts[max(number - _RECENT, 0) : number]))
        taken = 0
        for place, note in enumerate(notes):
            one = _matched(note, words, number)
            if place >= SCANNED:
                why = f"not scanned: {SCANNED} files are newer"
                yield replace(one, note=why, near=bool(one.words))
            elif note.path in given:
                yield replace(one, note="already in the session")
            elif not one.words:
                yield _wordless(one, note, words)
            elif taken == TAKEN:
                why = f"{TAKEN} newer ones are taken"
                yield replace(one, note=why, near=True)
            else:
                loaded = _loaded(one, note, left)
                taken, left = taken + 1, left - loaded.loaded_bytes
                given.add(note.path)
                yield loaded


def words_of(prompt: str) -> list[str]:
    """The words of prompts that count, each once."""
    words = prompt[:_PROMPT].split()
    return list(dict.fromkeys(word.lower() for word in words if len(word) > _SHORT))


def _matched(note: Note, words: Sequence[str], prompt: int) -> Recalled:
    told = f"{note.name} {note.description}".lower()
    found = tuple(word for word in words if word in told)
    return Recalled(note.path, note.name, note.description, found, prompt=prompt)


def _wordless(one: Recalled, note: Note, words: Sequence[str]) -> Recalled:
    """A memory without the words; near, if its text has them."""
    text = note.raw.decode(errors="replace").lower()
    within = [word for word in words if word in text]
    if within:
        why = f"only its text has {', '.join(within)}; names and descriptions count"
        return replace(one, note=why, near=True)
    return replace(one, note=note.trouble or "has none of the words")


def _loaded(one: Recalled, note: Note, left: int) -> Recalled:
    if note.trouble:
        return replace(one, note=note.trouble)
    lines = note.raw.splitlines(keepends=True)
    text = b"".join(lines[:FILE_LINES])[: min(FILE_BYTES, left)]
    count = len(re.findall(rb"[^\n]*\n|[^\n]+$", text))
    why = "" if text == note.raw else f"cut in line {count} of {len(lines)}"
    if not text:
        why = f"the session's {SESSION_BYTES // 1024} KiB are used up"
    return replace(
        one, loaded_lines=count, loaded_bytes=len(text), note=why, near=not text
    )
