"""One record for people: its fields, then its text, every character fit to show."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from store.clean import clean
from store.opening import InFull
from store.records.conversation import ConversationInFull, MessageInFull
from store.records.document import DocumentInFull
from store.records.edge import EdgeInFull
from store.records.link import Link
from store.records.memory import MemoryInFull
from tui.faces.lines import Line, joined, write_lines
from tui.faces.whole.facts import fields_of, links_of
from tui.faces.whole.message import lines_of_message
from tui.faces.whole.transcript import lines_of_conversation

__all__ = ["fields_of", "links_of", "text_of", "write_whole"]

_MANY = 5_000
"""How many lines of a conversation one text holds at most."""


def write_whole(
    record: InFull,
    links: Iterable[Link],
    *,
    asked: Iterable[MessageInFull] = (),
    coloured: bool = False,
) -> None:
    """Print a record: its fields, what it is linked to, and its text.

    `asked` are the messages whose calls a message answers.
    """
    heads = (fields_of(record), links_of(links))
    told = (Line(line) for part in heads if part for line in (*part.split("\n"), ""))
    write_lines(_without_end(chain(told, _lines_of(record, asked))), coloured=coloured)


def text_of(record: InFull) -> str:
    """What it says, as one text; of a long conversation its beginning."""
    lines = _lines_of(record, ())
    text = joined(islice(lines, _MANY))
    more = next(lines, None) is not None
    return f"{text}\n\n… `recollect show` tells the rest." if more else text


def _lines_of(record: InFull, asked: Iterable[MessageInFull]) -> Iterator[Line]:
    """What it says, line by line."""
    match record:
        case MemoryInFull() | EdgeInFull():
            return _plain(record.body)
        case DocumentInFull():
            return _plain(record.text)
        case ConversationInFull():
            return lines_of_conversation(record)
        case MessageInFull():
            return lines_of_message(record, asked)
        case _:
            return iter(())


def _plain(text: str) -> Iterator[Line]:
    shown = clean(text, multiline=True).strip("\n")
    return map(Line, shown.split("\n")) if shown else iter(())


def _without_end(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines without the empty ones behind the last that says something."""
    held: list[Line] = []
    for line in lines:
        if line.text:
            yield from (*held, line)
            held.clear()
        else:
            held.append(line)
