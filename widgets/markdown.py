"""Markdown as lines."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import starmap, zip_longest
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from msgspec import Struct
from msgspec.structs import replace
from pygments.lexers import find_lexer_class_by_name
from pygments.token import Comment, Keyword, Name, Number, String
from pygments.util import ClassNotFound
from rich.cells import cell_len

from widgets.text import (
    BREAK,
    EMPTY,
    Look,
    Run,
    Runs,
    Target,
    TextLine,
    marked,
    plain,
    wrap,
    wrap_anywhere,
)

# Inline Markdown: emphasis, code, links, [[wikilinks]].

_LONGEST = 8000
"""Characters of a paragraph that are parsed; a longer one is shown as plain text."""

_WIKI = re.compile(r"\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]+))?\]\]")

_TONES = {"em": "italic", "strong": "strong", "s": "struck"}


def wikilink(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # as the parser calls rules
    """A parser rule: `[[name]]` and `[[name|label]]`."""
    found = _WIKI.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = found[2] or found[1]
        token.meta = {"to": found[1].strip()}
    state.pos = found.end()
    return True


def runs_of(parser: MarkdownIt, text: str, tone: str = "") -> Iterator[Run]:
    """The runs of a paragraph."""
    if len(text) > _LONGEST:
        return iter([Run(text, tone)])
    tokens: list[Token] = []
    parser.inline.parse(text, parser, {}, tokens)
    return _runs(tokens, tone)


def _runs(tokens: Iterable[Token], tone: str) -> Iterator[Run]:
    """Tokens as runs; each enclosing element adds its tone."""
    tones = [tone]
    target: Target | None = None
    for token in tokens:
        kind = token.type.removesuffix("_open").removesuffix("_close")
        if kind == "link":
            target = _leads(token)
        elif kind in _TONES:
            tones = [*tones, _TONES[kind]] if token.nesting > 0 else tones[:-1]
        else:
            within = " ".join(tones if target is None else [*tones, "link"])
            yield _run(token, within.strip(), target)


def _leads(token: Token) -> Target | None:
    """The target of a link that starts here; None at its end."""
    return Target("link", str(token.attrGet("href"))) if token.nesting > 0 else None


def _run(token: Token, tone: str, target: Target | None) -> Run:
    """A token with text, or with a text replacement."""
    match token.type:
        case "softbreak":
            return Run(" ", tone, target)
        case "hardbreak":
            return Run(BREAK)
        case "code_inline":
            return Run(token.content, f"{tone} code".strip(), target)
        case "wikilink":
            return Run(token.content, f"{tone} link".strip(), _wiki(token))
        case "image":
            return Run(
                f"[image: {token.content}]", f"{tone} link".strip(), _image(token)
            )
        case _:
            return Run(token.content, tone, target)


def _wiki(token: Token) -> Target:
    return Target("wiki", str(token.meta["to"]))


def _image(token: Token) -> Target:
    return Target("image", str(token.attrGet("src")))


# The Markdown parser. HTML is plain text; links are never opened here.

_DEEPEST = 40
"""The deepest nesting of blocks; the parser drops anything deeper."""


@cache
def parser() -> MarkdownIt:
    """A parser of blocks; inline content is parsed during layout."""
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    made.enable(["table", "strikethrough"])
    made.inline.ruler.before("link", "wikilink", wikilink)
    made.core.ruler.disable("inline")
    return made


# Syntax highlighting of code.

_FENCES_LONGEST = 16_000
"""Characters of code that are highlighted; longer code stays plain."""

_FENCES_TONES = (
    (Comment, "code_comment"),
    (Keyword, "code_keyword"),
    (String, "code_string"),
    (Number, "code_number"),
    (Name.Function, "code_name"),
    (Name.Class, "code_name"),
    (Name.Tag, "code_name"),
)


def coloured(code: str, language: str) -> Iterator[Run]:
    """Code as runs, each in the tone of its token type."""
    if len(code) > _FENCES_LONGEST or not language:
        yield Run(code, "code")
        return
    try:
        lexer = find_lexer_class_by_name(language)(stripnl=False, ensurenl=False)
    except ClassNotFound:
        yield Run(code, "code")
        return
    for kind, text in lexer.get_tokens(code):
        tone = next((tone for parent, tone in _FENCES_TONES if kind in parent), "code")
        yield Run(text, tone)


# Markdown tables: as wide as their content, narrower if the page is.

Row = Sequence[Runs]

_BETWEEN = " │ "
_LEAST = 6
"""The minimum width of a column; columns beyond the page are left out."""


class Side(StrEnum):
    """The alignment of a cell."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class Column(NamedTuple):
    """A column in a layout."""

    width: int
    side: Side


def lay_table(
    rows: Sequence[Row], sides: Sequence[Side], width: int
) -> Iterator[TextLine]:
    """The lines of a table; the first row is its head."""
    widths = _widths(rows, width)
    columns = list(starmap(Column, zip(widths, sides, strict=False)))
    for number, row in enumerate(rows):
        yield from _lay_row(row, columns, is_cut=len(row) > len(columns))
        if number == 0:
            rule = "─┼─".join("─" * wide for wide in widths)
            yield TextLine((Run(rule, "faint"),))


def _widths(rows: Sequence[Row], width: int) -> list[int]:
    """The width of each column: what it needs, or its share if it is too much."""
    most = max((width + len(_BETWEEN)) // (_LEAST + len(_BETWEEN)), 1)
    columns = min(max(map(len, rows), default=0), most)
    needed = [max(_needed(row, column) for row in rows) for column in range(columns)]
    left = max(width - len(_BETWEEN) * (columns - 1), columns)
    widths = [0] * columns
    for rank, column in enumerate(sorted(range(columns), key=needed.__getitem__)):
        share = left // (columns - rank)
        widths[column] = max(min(needed[column], share), 1)
        left -= widths[column]
    return widths


def _needed(row: Row, column: int) -> int:
    return cell_len(plain(row[column])) if column < len(row) else 0


def _lay_row(
    row: Row, columns: Sequence[Column], *, is_cut: bool
) -> Iterator[TextLine]:
    """A row: its cells wrapped, side by side."""
    cells = [
        list(wrap(cell, column.width))
        for cell, column in zip(row, columns, strict=False)
    ]
    missing = [list[TextLine]()] * (len(columns) - len(cells))
    for lines in zip_longest(*cells, *missing, fillvalue=EMPTY):
        runs: list[Run] = []
        for line, column in zip(lines, columns, strict=True):
            runs += [Run(_BETWEEN, "faint")] if runs else []
            runs += _aligned(line, column)
        yield TextLine((*runs, Run(" …", "faint")) if is_cut else tuple(runs))


def _aligned(line: TextLine, column: Column) -> Iterator[Run]:
    """A line of a cell, aligned in its column."""
    blank = max(column.width - cell_len(line.text), 0)
    before = {Side.LEFT: 0, Side.CENTER: blank // 2, Side.RIGHT: blank}[column.side]
    yield Run(" " * before)
    yield from line.runs
    yield Run(" " * (blank - before))


# Markdown blocks as lines: paragraphs, lists, quotes, tables, code.

_TASK = re.compile(r"\[([ xX])\] ")
_BOXES = {" ": "☐ ", "x": "☑ ", "X": "☑ "}
_QUOTED = (Run("▎ ", "quote"),)
_CODE_INDENT = (Run("  ", "code"),)


class _Container(Struct):
    """A quote or list item, with the prefixes of its lines."""

    first: tuple[Run, ...]
    rest: tuple[Run, ...]
    is_item: bool = False
    is_begun: bool = False


class Blocks:
    """Lays out the tokens of a page, one after the other."""

    def __init__(self, look: Look) -> None:
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

    def lay(self, text: str) -> Iterator[TextLine] | None:
        """The lines of a text; None if the parser would drop some of it."""
        tokens = parser().parse(text)
        is_whole = all(token.level < _DEEPEST - 1 for token in tokens)
        return self._laid(tokens) if is_whole else None

    def inline(self, text: str) -> Iterator[Run]:
        """A text within a line."""
        return runs_of(parser(), text)

    def coloured(self, code: str, language: str) -> Iterable[Run]:
        """Code as runs, in colours if it fills the screen."""
        return coloured(code, language) if self._look.is_zoomed else [Run(code, "code")]

    def codes(self, text: str) -> list[str]:
        """The contents of fenced and indented code blocks."""
        return [
            token.content.removesuffix(BREAK)
            for token in parser().parse(text)
            if token.type in {"fence", "code_block"} and token.content.strip()
        ]

    def _laid(self, tokens: Iterable[Token]) -> Iterator[TextLine]:
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
        """Keep what follows together with its heading."""
        self._heading = False
        self._is_first = True
        return ()

    def _text(self, token: Token) -> Iterator[TextLine]:
        content = self._task(token.content)
        runs = runs_of(parser(), content, "heading" if self._heading else "")
        if self._row is not None:
            self._row.append(list(marked(runs, self._look.needles)))
            return
        yield from self._apart()
        first, rest = self._prefixes()
        lines = wrap(marked(runs, self._look.needles), self._look.width, first, rest)
        for line in lines:
            yield replace(line, is_heading=self._heading)

    def _task(self, content: str) -> str:
        """Replace the bullet of a task by its box."""
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
        runs = self.coloured(code, token.info.partition(" ")[0])
        shown = marked(runs, self._look.needles)
        before = (*first, *_CODE_INDENT), (*rest, *_CODE_INDENT)
        for line in wrap_anywhere(shown, self._look.width, *before):
            blank = max(self._look.width - cell_len(line.text), 0)
            yield replace(line, runs=(*line.runs, Run(" " * blank, "code")))

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
        """Leave a container; an empty one is shown as well."""
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
        """Read the alignment of a column from its head cell."""
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
            yield replace(line, runs=(*(rest if number else first), *line.runs))

    def _apart(self) -> Iterator[TextLine]:
        """A blank line before a block, if needed."""
        if self._is_apart and not self._is_first:
            begun = [one.rest for one in self._containers if one.is_begun]
            blank = tuple(run for runs in begun for run in runs)
            yield TextLine(blank) if plain(blank).strip() else EMPTY
        self._is_apart = self._is_first = False

    def _prefixes(self) -> tuple[Runs, Runs]:
        """The prefixes of a block's first line and of its others.

        If they take half of the page, only the innermost is used.
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
