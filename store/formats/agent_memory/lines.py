"""A file of lines: every memory that can be read, and every flaw."""

from collections.abc import Iterable
from typing import cast

from store.files.beneath import Root
from store.files.jsonl import Line, parse, read_lines
from store.findings import Severity
from store.formats.agent_memory.gathering import Gathered
from store.formats.agent_memory.layout import is_archive, kind_of
from store.formats.agent_memory.memory import flaws_of, is_memory, memory_of
from store.formats.agent_memory.schema import Thing

LARGEST = 256 * 1024 * 1024
"""How much of a file of lines is read."""

_NO_OBJECT = "It holds no object: it is not shown."
_NO_MEMORY = "It holds neither an `id` nor `content`: it is not shown."


def read_memories(root: Root, path: str) -> Gathered:
    """The memories of a file of lines; a damaged line costs only itself."""
    return memories_in(path, read_lines(root, path))


def memories_in(
    path: str, lines: Iterable[Line], *, is_checked: bool = True
) -> Gathered:
    """The memories on the lines of the file at a path.

    Unless it is checked, nobody asks what they lack: that takes half of the time.
    """
    kind, archived = kind_of(path), is_archive(path)
    gathered = Gathered()
    for line in lines:
        if line.offset + line.size > LARGEST:
            message = f"Only the first {LARGEST} bytes are read."
            gathered.flaw("too-large", message, Severity.ERROR, line.number)
            break
        things = _take(line, gathered, kind, archived=archived)
        if is_checked:
            size = len(line.raw or b"")
            for thing in things:
                found = flaws_of(thing, kind=kind, line=line.number, size=size)
                gathered.flaws += found
    return gathered


def _take(
    line: Line, gathered: Gathered, kind: str | None, *, archived: bool
) -> list[Thing]:
    """Gather what a line holds; its memories, as they are spelt."""
    number = line.number
    if line.raw is None:
        message = f"The line is too long to be read: {line.size} bytes."
        gathered.flaw("long-line", message, Severity.ERROR, number)
        return []
    values, problem = parse(line.raw)
    if problem:
        _damaged(gathered, problem, number, shown=any(map(is_memory, values)))
    if len(values) > 1:
        message = f"{len(values)} objects stand on one line; each is read."
        gathered.flaw("glued-lines", message, Severity.WARNING, number)
    things: list[Thing] = []
    for value in values:
        if not is_memory(value):
            what = _NO_MEMORY if isinstance(value, dict) else _NO_OBJECT
            gathered.flaw("not-a-memory", what, Severity.ERROR, number)
            continue
        thing = cast("Thing", value)
        things.append(thing)
        gathered.memories.append(
            memory_of(thing, kind=kind, line=number, archived=archived)
        )
    return things


def _damaged(gathered: Gathered, problem: str, line: int, *, shown: bool) -> None:
    severity = Severity.WARNING if shown else Severity.ERROR
    gathered.flaw("damaged-line", problem, severity, line)
