"""What an agent would recall for a prompt: a simulation, without a model."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.frontmatter import read_page

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

_LARGEST = 1 << 20
"""Bytes of a file that are looked at."""

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
