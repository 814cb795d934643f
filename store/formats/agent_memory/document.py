"""The file of version 1.0: one JSON document an agent, with a list for each kind."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from store.findings import Flaw, Json, Severity
from store.formats.agent_memory.gathering import Gathered
from store.formats.agent_memory.layout import CORE, LEARNING, TASK
from store.formats.agent_memory.memory import flaws_of, is_memory, memory_of
from store.formats.agent_memory.schema import Thing

LISTS = {"core_memories": CORE, "learnings": LEARNING, "tasks": TASK}
"""The kind of memory that each list of a document is for."""

_LIST = re.compile(rb'"(core_memories|learnings|tasks)"\s*:\s*\[')

_UNTOLD = frozenset({"missing-task-metadata"})
"""What memories of version 1.0 never say."""

_BLANK = " \t\r\n\ufeff"
_DECODER = json.JSONDecoder(strict=False)


class Item(NamedTuple):
    """An item of one of the lists."""

    kind: str
    value: Json
    line: int


class _DamageError(Exception):
    """The text ends or errs here; what came before was read."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def is_document(raw: bytes) -> bool:
    """Whether the beginning of a file is that of such a document."""
    head = raw.lstrip(b"\xef\xbb\xbf \t\r\n")
    names = {found[1] for found in _LIST.finditer(raw)}
    return head[:1] == b"{" and (b"core_memories" in names or len(names) > 1)


def read_document(raw: bytes) -> Gathered:
    """The memories of a document, as far as it can be read."""
    gathered = Gathered()
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        message = f"It is not valid UTF-8 (byte {error.start + 1})."
        gathered.flaw("damaged-json", message, Severity.WARNING)
    try:
        for item in items(text):
            _take(item, gathered)
    except _DamageError as damage:
        line = text.count("\n", 0, damage.position) + 1
        message = f"It is no valid JSON: {damage} What stands before it is read."
        gathered.flaw("damaged-json", message, Severity.ERROR, line)
    return gathered


def _take(item: Item, gathered: Gathered) -> None:
    kind, value, line = item
    if not is_memory(value):
        message = "It is no memory: it is not shown."
        gathered.flaw("not-a-memory", message, Severity.ERROR, line)
        return
    thing = cast("Thing", value)
    memory = memory_of(thing, kind=kind, line=line, archived=False)
    gathered.memories.append(memory)
    flaws: Iterator[Flaw] = flaws_of(thing, kind=kind, line=line)
    gathered.flaws += (flaw for flaw in flaws if flaw.code not in _UNTOLD)


def items(text: str) -> Iterator[Item]:
    """The items of the lists, each with the line that it begins at."""
    position = _after(text, _skip(text, 0), "{")
    line, counted = 1, 0
    while text[position : position + 1] != "}":
        name, position = _value(text, position)
        position = _skip(text, _after(text, _skip(text, position), ":"))
        kind = LISTS.get(name) if isinstance(name, str) else None
        if kind is None or text[position : position + 1] != "[":
            _, position = _value(text, position)
        else:
            position = _skip(text, position + 1)
            while text[position : position + 1] != "]":
                line += text.count("\n", counted, position)
                counted = position
                value, position = _value(text, position)
                yield Item(kind, value, line)
                position = _comma(text, position, "]")
            position += 1
        position = _comma(text, position, "}")


def _value(text: str, position: int) -> tuple[Json, int]:
    try:
        found = _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        raise _DamageError(f"{error.msg}.", error.pos) from None
    except RecursionError:
        raise _DamageError("It is nested too deeply.", position) from None
    except ValueError:
        raise _DamageError("A number has too many digits.", position) from None
    return cast("tuple[Json, int]", found)


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BLANK:
        position += 1
    return position


def _after(text: str, position: int, mark: str) -> int:
    """The place behind a mark that has to stand there, and blanks."""
    if text[position : position + 1] != mark:
        raise _DamageError(f"{mark!r} is missing.", position)
    return _skip(text, position + 1)


def _comma(text: str, position: int, end: str) -> int:
    """The next item, or the end of what holds it."""
    position = _skip(text, position)
    if text[position : position + 1] == end:
        return position
    return _after(text, position, ",")
