"""Blocks of Markdown as lines: paragraphs, lists, quotes, tables, code."""

import re
from collections.abc import Callable, Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct
from rich.cells import cell_len

from widgets.reader.hits import marked
from widgets.reader.inline import runs_of
from widgets.reader.look import Look
from widgets.reader.runs import BREAK, EMPTY, Run, Runs, TextLine, plain
from widgets.reader.tables import Side, lay_table
from widgets.reader.wrapping import wrap, wrap_anywhere

_TASK = re.compile(r"\[([ xX])\] ")
_BOXES = {" ": "☐ ", "x": "☑ ", "X": "☑ "}
_QUOTED = (Run("▎ ", "quote"),)
_CODE_INDENT = (Run("  ", "code"),)


class _Container(Struct):
    """A quote, or an item of a list: what stands before the lines in it."""

    first: tuple[Run, ...]
    rest: tuple[Run, ...]
    is_item: bool = False
    is_begun: bool = False


class Blocks:
    """Lays the tokens of a page out, one after the other."""

    def __init__(self, parser: MarkdownIt, look: Look) -> None:
        self._parser = parser
        self._look = look
        self._containers: list[_Container] = []
        self._numbers: list[int | None] = []
        self._heading = False
        self._is_apart = False
        self._is_first = True
        self._row: list[list[Run]] | None = None
        self._rows: list[list[list[Run]]] = []
        self._sides: list[Side] = []
        self._steps: dict[str, Callable[[Token], Iterable[TextLine]]] = {
            "paragraph_open": self._paragraph,
            "heading_open": self._head,
            "heading_close": self._headed,
            "inline": self._text,
            "fence": self._code,
            "code_block": self._code,
            "hr": self._rule,
            "blockquote_open": self._quote,
            "blockquote_close": self._leave,
            "bullet_list_open": self._list,
            "ordered_list_open": self._list,
            "bullet_list_close": self._listed,
            "ordered_list_close": self._listed,
            "list_item_open": self._item,
            "list_item_close": self._leave,
            "table_open": self._table,
            "tr_open": self._table_row,
            "th_open": self._table_column,
            "table_close": self._tabled,
        }

    def lay(self, tokens: Iterable[Token]) -> Iterator[TextLine]:
        """The lines of blocks."""
        self._is_apart = True
        for token in tokens:
            step = self._steps.get(token.type)
            if step:
                yield from step(token)

    def _paragraph(self, token: Token) -> Iterable[TextLine]:
        self._is_apart = self._is_apart or not token.hidden
        return ()

    def _head(self, _token: Token) -> Iterable[TextLine]:
        self._heading = self._is_apart = True
        return ()

    def _headed(self, _token: Token) -> Iterable[TextLine]:
        """What follows a heading belongs to it."""
        self._heading = False
        self._is_first = True
        return ()

    def _text(self, token: Token) -> Iterator[TextLine]:
        content = self._task(token.content)
        runs = runs_of(self._parser, content, "heading" if self._heading else "")
        if self._row is not None:
            self._row.append(list(marked(runs, self._look.needles)))
            return
        yield from self._apart()
        first, rest = self._prefixes()
        lines = wrap(marked(runs, self._look.needles), self._look.width, first, rest)
        for line in lines:
            yield line._replace(is_heading=self._heading)

    def _task(self, content: str) -> str:
        """A task's box takes the place of its bullet."""
        item = self._containers[-1] if self._containers else None
        found = _TASK.match(content) if item and item.is_item else None
        if not (item and found) or item.is_begun:
            return content
        item.first = (Run(_BOXES[found[1]], "bullet"),)
        return content[found.end() :]

    def _code(self, token: Token) -> Iterator[TextLine]:
        self._is_apart = True
        yield from self._apart()
        first, rest = self._prefixes()
        code = token.content.removesuffix(BREAK)
        runs = self._look.coloured(code, token.info.partition(" ")[0])
        shown = marked(runs, self._look.needles)
        before = (*first, *_CODE_INDENT), (*rest, *_CODE_INDENT)
        for line in wrap_anywhere(shown, self._look.width, *before):
            blank = max(self._look.width - cell_len(line.text), 0)
            yield line._replace(runs=(*line.runs, Run(" " * blank, "code")))

    def _rule(self, _token: Token) -> Iterator[TextLine]:
        self._is_apart = True
        yield from self._apart()
        first, _ = self._prefixes()
        left = max(self._look.width - cell_len(plain(first)), 0)
        yield TextLine((*first, Run("─" * left, "faint")))

    def _quote(self, _token: Token) -> Iterable[TextLine]:
        self._is_apart = True
        self._containers.append(_Container(_QUOTED, _QUOTED))
        return ()

    def _list(self, token: Token) -> Iterable[TextLine]:
        self._is_apart = self._is_apart or not self._numbers
        start = token.attrGet("start")
        is_ordered = token.type.startswith("ordered")
        self._numbers.append(int(start or 1) if is_ordered else None)
        return ()

    def _listed(self, _token: Token) -> Iterable[TextLine]:
        self._numbers.pop()
        return ()

    def _item(self, _token: Token) -> Iterable[TextLine]:
        number = self._numbers[-1]
        bullet = "• " if number is None else f"{number}. "
        if number is not None:
            self._numbers[-1] = number + 1
        indent = Run(" " * len(bullet))
        item = _Container((Run(bullet, "bullet"),), (indent,), is_item=True)
        self._containers.append(item)
        return ()

    def _leave(self, _token: Token) -> Iterator[TextLine]:
        """Leave a container; one that holds nothing is shown all the same."""
        if self._containers[-1].is_item and not self._containers[-1].is_begun:
            first, _ = self._prefixes()
            yield TextLine(tuple(first))
        self._containers.pop()

    def _table(self, _token: Token) -> Iterable[TextLine]:
        self._rows, self._sides = [], []
        return ()

    def _table_row(self, _token: Token) -> Iterable[TextLine]:
        self._row = []
        self._rows.append(self._row)
        return ()

    def _table_column(self, token: Token) -> Iterable[TextLine]:
        """A cell of the head says at which side all cells beneath it stand."""
        style = str(token.attrGet("style") or "")
        side = next((side for side in Side if style.endswith(f":{side}")), Side.LEFT)
        self._sides.append(side)
        return ()

    def _tabled(self, _token: Token) -> Iterator[TextLine]:
        self._row = None
        self._is_apart = True
        yield from self._apart()
        first, rest = self._prefixes()
        width = self._look.width - cell_len(plain(rest))
        for number, line in enumerate(lay_table(self._rows, self._sides, width)):
            yield line._replace(runs=(*(rest if number else first), *line.runs))

    def _apart(self) -> Iterator[TextLine]:
        """A blank line before a block, where one is due."""
        if self._is_apart and not self._is_first:
            begun = [one.rest for one in self._containers if one.is_begun]
            blank = tuple(run for runs in begun for run in runs)
            yield TextLine(blank) if plain(blank).strip() else EMPTY
        self._is_apart = self._is_first = False

    def _prefixes(self) -> tuple[Runs, Runs]:
        """What stands before the first line of a block, and before its others.

        Where that takes half of the page, only what is innermost is kept.
        """
        first: list[Run] = []
        rest: list[Run] = []
        for container in self._containers:
            first += container.rest if container.is_begun else container.first
            rest += container.rest
            container.is_begun = True
        if cell_len(plain(rest)) * 2 > self._look.width:
            return first[-1:], rest[-1:]
        return first, rest
