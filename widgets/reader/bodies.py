"""Bodies: what a tab of the reader holds, as lines that are made while one reads."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from store.clean import clean
from widgets.reader.chunks import chunks
from widgets.reader.hits import marked
from widgets.reader.look import Look
from widgets.reader.runs import EMPTY, Run, TextLine
from widgets.reader.wrapping import wrap


class Body(Protocol):
    """Something that can be laid out."""

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its lines, as many as are asked for."""
        ...


class Markdown(Body):
    """Text that is Markdown."""

    def __init__(self, text: str) -> None:
        self._text = text

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Paragraphs, lists, code and tables, parsed one chunk after another."""
        from widgets.reader.blocks import Blocks  # noqa: PLC0415  # not before rows are seen
        from widgets.reader.parser import parsed, parser  # noqa: PLC0415  # the same

        blocks = Blocks(parser(), look)
        for chunk in chunks(self._text):
            tokens = parsed(clean(chunk, multiline=True))
            yield from (
                Plain(chunk).lines(look) if tokens is None else blocks.lay(tokens)
            )


class Plain(Body):
    """Text that is what it is; long lines keep their indent where they go on."""

    def __init__(self, text: str) -> None:
        self._text = text

    def lines(self, look: Look) -> Iterator[TextLine]:
        """Its own lines, wrapped between words."""
        for chunk in chunks(self._text):
            shown = clean(chunk, multiline=True).removesuffix("\n")
            for line in shown.split("\n"):
                said = line.lstrip(" ")
                indent = (Run(line[: min(len(line) - len(said), look.width // 2)]),)
                runs = marked([Run(said)], look.needles)
                yield from wrap(runs, look.width, indent, indent)


class Facts(Body):
    """Names and what they stand for, in two columns."""

    def __init__(self, facts: Sequence[tuple[str, str]]) -> None:
        self._facts = [(clean(name), value) for name, value in facts]

    def lines(self, look: Look) -> Iterator[TextLine]:
        """A fact a line, or as many as its value takes."""
        wide = min(
            max((len(name) for name, _ in self._facts), default=0), look.width // 3
        )
        indent = (Run(" " * (wide + 2)),)
        for name, value in self._facts:
            label = (Run(f"{name[:wide]:<{wide}}  ", "faint"),)
            runs = marked([Run(clean(value, multiline=True))], look.needles)
            yield from wrap(runs, look.width, label, indent)


class Made(Body):
    """Lines that somebody else makes: a head, a diff, a graph."""

    def __init__(self, make: Callable[[Look], Iterable[TextLine]]) -> None:
        self._make = make

    def lines(self, look: Look) -> Iterator[TextLine]:
        """As they are made."""
        yield from self._make(look)


class Joined(Body):
    """Bodies beneath one another, a blank line between."""

    def __init__(self, *bodies: Body) -> None:
        self._bodies = bodies

    def lines(self, look: Look) -> Iterator[TextLine]:
        """The lines of each that has some."""
        is_apart = False
        for body in self._bodies:
            for line in body.lines(look):
                if is_apart:
                    yield EMPTY
                    is_apart = False
                yield line
            is_apart = True
