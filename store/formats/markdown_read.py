"""Read what Markdown memories have in common: fields, headings, links, claims."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import NamedTuple
from urllib.parse import unquote

from msgspec import Struct

from store.files.frontmatter import Page
from store.findings import Claim, Flaw, Severity, Side, Value, name_key
from store.text import regex
from store.times import Instant, parse

# Which lines of a text are code, where headings and links do not count.

_FENCE = regex(r" {0,3}(`{3,}|~{3,})")


def fenced(lines: Sequence[str]) -> set[int]:
    """The 0-based numbers of the lines in closed code fences.

    An unclosed fence is ignored, so that one typo does not hide the rest of the file.
    """
    inside: set[int] = set()
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark is None:
            continue
        if opened is None:
            opened = (number, mark[1])
        elif mark[1].startswith(opened[1]) and not line[mark.end() :].strip():
            inside.update(range(opened[0], number + 1))
            opened = None
    return inside


# Links between the pages of a store: found in a line, resolved by name alone.
#
# A link is untrusted data. Its path is only matched against the store's own listing; a
# link that could lead anywhere else is dropped.

_LONGEST_NAME = 255
_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IN_ANGLES = regex(r"\s*<([^<>]*+)>[^()]*+\)")
_PLAIN = regex(r"((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+)\)")
_BRACKET = regex(r"[\\\[\]]")
_ESCAPED = regex(r"\\([\\\[\]])")
_MARK = regex(r"\\[\\\[\]]|\[|\]\(")
_SAFE = regex(
    r"(?!\[[^\[\]]*+\]$)"
    r"(?:[^\\\[\]]++|\\(?![\\\[\]]|$)|\[[^\\\[\]]*+\](?![\[(:]))*+"
)
"""Text without brackets, or with closed pairs that neither are nor become a link."""
_TOOLTIP = regex(r"\s(?:\"[^\"]*+\"|'[^']*+')\s*$")


class LineLink(NamedTuple):
    """A markdown link in a line."""

    label: str
    """Its text."""
    target: str
    """Its target, as written."""
    rest: str
    """The rest of the line after it."""


def first_link(text: str) -> LineLink | None:
    """The first `[label](target)` of a line; the label may contain brackets."""
    start = -1
    for mark in _MARK.finditer(text) if "](" in text else ():
        if mark[0] == "[" and start < 0:
            start = mark.end()
        elif mark[0] == "](" and start >= 0:
            break
    else:
        return None
    found = _IN_ANGLES.match(text, mark.end()) or _PLAIN.match(text, mark.end())
    if not found:
        return None
    label = _ESCAPED.sub(r"\1", text[start : mark.start()])
    target = _TOOLTIP.sub("", found[1]).strip(" \t")
    return LineLink(label, target, text[found.end() :])


def plain(text: str) -> str:
    """The text, with its brackets escaped if Markdown could read them as a link.

    It is safe as the label of a link, and anywhere else on a line.
    """
    return text if _SAFE.fullmatch(text) else _BRACKET.sub(r"\\\g<0>", text)


def inside(folder: str, link: str) -> str | None:
    """The path, relative to the root, that a link in a page of `folder` leads to.

    Percent-encoding is decoded once, the `#fragment` is dropped, `.` and `..` are
    resolved by name alone, and case matters. None if it leads out of the root or is not
    a relative path: URLs, absolute paths, `~`, backslashes, drives, folders, NUL.
    """
    path = unquote(link.partition("#")[0], errors="surrogateescape")
    if not path.strip() or path.startswith(("/", "~")) or path.endswith("/"):
        return None
    if "\\" in path or "\0" in path or _SCHEME.match(path):
        return None
    whole = normpath(join(folder, path))
    if whole in (".", "..") or whole.startswith("../"):
        return None
    if any(len(part) > _LONGEST_NAME for part in whole.split("/")):
        return None
    return whole


# A body without code: code is blanked out, so that all offsets stay the same.

_FENCED = regex(r"[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})(.*)")
_TICKS = regex("`+")


def without_code(text: str) -> str:
    """Replace fenced and inline code by spaces, which keeps offsets valid."""
    if "`" not in text and "~~~" not in text:
        return text
    fence = ""
    lines: list[str] = []
    for line in text.split("\n"):
        mark = _FENCED.match(line)
        if fence:
            lines.append(" " * len(line))
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and "`" not in mark[2]:
            lines.append(" " * len(line))
            fence = mark[1]
        else:
            lines.append(_without_spans(line))
    return "\n".join(lines)


def _without_spans(line: str) -> str:
    """Blank inline code: from a run of backticks to the next run of the same length."""
    runs = [match.span() for match in _TICKS.finditer(line)]
    closing: dict[int, tuple[int, int]] = {}
    partner: dict[int, tuple[int, int]] = {}
    for start, end in reversed(runs):
        if end - start in closing:
            partner[start] = closing[end - start]
        closing[end - start] = (start, end)
    kept: list[str] = []
    position = 0
    for start, _ in runs:
        if start >= position and start in partner:
            end = partner[start][1]
            kept += [line[position:start], " " * (end - start)]
            position = end
    return "".join([*kept, line[position:]])


# Links in Markdown as people and models write them; incomplete ones are skipped.

_TITLE = r"""(?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'))?"""
_BARE = r"(?=\S)[^\s()<>]*+(?:\([^\s()]*+\)[^\s()]*+)*+"
_TOKEN = regex(
    r"\\.|(?P<link>\]\([ \t]*+"
    rf"(?:(?:<(?P<angle>[^<>\n]*+)>|(?P<bare>{_BARE})){_TITLE}[ \t]*+"
    r"|(?P<loose>[^()<>\n]*\.md)[ \t]*+)\))|[\[\]\n]"
)
_WIKILINK = regex(
    r"\[\[(?P<name>[^\[\]|#\n]++)(?:#[^\[\]|\n]*+)?(?:\|(?P<label>[^\[\]\n]*+))?\]\]"
)
_FILE = regex(r"\.(?!md$)[a-z0-9]{1,5}$", re.IGNORECASE)
"""The suffix of a file that is not Markdown."""

_WEB = regex(r"(?!file:)[a-z][a-z0-9+.-]+:", re.IGNORECASE)


class Link(Struct, frozen=True):
    """A link and its position in the text."""

    start: int
    end: int
    label: str
    target: str
    """As written."""

    @property
    def path(self) -> str | None:
        """The file it names; None for the web, and for a place on the same page."""
        if _WEB.match(self.target):
            return None
        return self.target.partition("#")[0].strip() or None

    @property
    def names_a_note(self) -> bool:
        """Whether it names a Markdown file."""
        return is_note(unquote(self.path or ""))


def links(prose: str) -> Iterator[Link]:
    """The `[label](target)` links of a text, in order of their ends.

    One pass over brackets, so that no text makes it slow; a label may contain brackets.
    """
    if "](" not in prose:
        return
    open_brackets: list[int] = []
    for token in _TOKEN.finditer(prose):
        if token[0] == "[":
            open_brackets.append(token.start())
        elif token[0] == "\n":
            open_brackets.clear()
        elif token[0].startswith("]") and open_brackets:
            start = open_brackets.pop()
            if token["link"]:
                label = prose[start + 1 : token.start()]
                target = token["angle"] or token["bare"] or token["loose"] or ""
                yield Link(start, token.end(), label, target)


def wikilinks(prose: str) -> Iterator[Link]:
    """The `[[name]]` and `[[name#heading|label]]` links of a text, in order.

    An embedded file such as `![[picture.png]]` is not a link to a memory.
    """
    if "[[" not in prose:
        return
    for found in _WIKILINK.finditer(prose):
        start, end = found.span()
        name = found["name"].rstrip("\\").strip()
        is_embedded = prose[max(0, start - 1) : start] == "!"
        if name and not (is_embedded and _FILE.search(name)):
            label = (found["label"] or "").strip() or name
            yield Link(start, end, label, name)


def is_note(path: str) -> bool:
    """Whether a file name is that of a Markdown file."""
    return path.casefold().endswith(".md")


def called(name: str) -> str:
    """The key of the memory with this name or file name."""
    return name_key(name[:-3] if is_note(name) else name)


# A header, taken apart without losing a key.


class Fields:
    """Returns known keys, and finally all keys that were not used."""

    def __init__(self, fields: Mapping[str, Value]) -> None:
        self._fields = fields
        self._taken: set[str] = set()

    def text(self, *keys: str) -> str | None:
        """The first non-empty text among these keys."""
        for key in keys:
            value = self._fields.get(key)
            if isinstance(value, str) and value.strip():
                self._taken.add(key)
                return value
        return None

    def nested(self, parent: str, key: str) -> str | None:
        """A text one level down; the parent is still returned by `rest`."""
        below = self._fields.get(parent)
        value = below.get(key) if isinstance(below, Mapping) else None
        return value if isinstance(value, str) and value.strip() else None

    def instant(self, *keys: str) -> Instant | None:
        """The first non-empty text among these keys, as a time."""
        text = self.text(*keys)
        return None if text is None else parse(text)

    def nested_instant(self, parent: str, key: str) -> Instant | None:
        """A text one level down, as a time."""
        text = self.nested(parent, key)
        return None if text is None else parse(text)

    def number(self, key: str) -> float | None:
        """A finite number; anything else is left for `rest`."""
        value = self._fields.get(key)
        try:
            number = float(value) if isinstance(value, str) else math.nan
        except ValueError:
            return None
        if not math.isfinite(number):
            return None
        self._taken.add(key)
        return number

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one text with commas; others are left for `rest`."""
        value = self._fields.get(key)
        if isinstance(value, str):
            words = tuple(word.strip() for word in value.split(",") if word.strip())
        elif isinstance(value, list):
            words = tuple(item for item in value if isinstance(item, str))
            if len(words) != len(value):
                return words
        else:
            return ()
        self._taken.add(key)
        return words

    def rest(self) -> dict[str, Value]:
        """The unused keys, in file order."""
        return {k: v for k, v in self._fields.items() if k not in self._taken}


# The heading of a page, and the names that links may use.

TITLES = ("name", "title")
"""The keys of a title in a header."""

ARCHIVE = "archive"
"""The folder for archived memories."""

HEADING = regex(r"^#[ \t]++([^\n]*\S)", re.MULTILINE)
"""A top-level heading; its group is the text."""


def heading(prose: str) -> str | None:
    """The first top-level heading."""
    found = HEADING.search(prose)
    if not found:
        return None
    title = found[1].rstrip("#")
    return title.rstrip() if title.endswith((" ", "\t")) else found[1]


def path_names(path: str) -> Iterator[str]:
    """What a link by name may call a file: `note`, `folder/note`, `its/folder/note`."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ("/".join(parts[start:]) for start in reversed(range(len(parts))))


def name_keys(*names: str | None) -> tuple[str, ...]:
    """The keys of names that links may use, each once."""
    return tuple(dict.fromkeys(name_key(name) for name in names if name))


# References to other memories: wikilinks, file links and a header's list.


def claims_and_flaws(
    path: str, page: Page, prose: str
) -> tuple[tuple[Claim, ...], tuple[Flaw, ...]]:
    """A claim for each memory referred to, and a flaw for each line that leads out.

    `prose` is the body with its code blanked out.
    """
    claims: dict[str, Claim] = {}
    leading_out: dict[int, Flaw] = {}
    for end, label, line in _named(page, prose):
        claims.setdefault(end, _claim(path, end, label, line))
    folder = path.rpartition("/")[0]
    for link, line in placed(_notes(prose), prose, page.body_line):
        target = inside(folder, link.target)
        if target is None:
            leading_out.setdefault(line, _leads_out(line))
        else:
            end = f"path:{target}"
            claims.setdefault(end, _claim(path, end, link.label, line))
    return tuple(claims.values()), tuple(leading_out.values())


def _named(page: Page, prose: str) -> Iterator[tuple[str, str, int | None]]:
    """The memories referred to by name: key, text and line of each."""
    listed = _listed(page.fields.get("links"))
    first = page.line_of("links") if listed else None
    for name in listed:
        yield called(name), name, first
    for link, line in placed(wikilinks(prose), prose, page.body_line):
        yield called(link.target), link.label, line


def _listed(value: Value | None) -> list[str]:
    """The names in a header's `links:`, with or without brackets."""
    items = value if isinstance(value, list) else [value]
    names = [item.strip().strip("[]") for item in items if isinstance(item, str)]
    return [name for name in names if name]


def _notes(prose: str) -> Iterator[Link]:
    return (link for link in links(prose) if link.names_a_note)


def placed(
    found: Iterator[Link], prose: str, first_line: int
) -> Iterator[tuple[Link, int]]:
    """Each link with its line number in the file."""
    line, position = first_line, 0
    for link in found:
        line += prose.count("\n", position, link.start)
        position = link.start
        yield link, line


def _claim(path: str, end: str, label: str, line: int | None) -> Claim:
    return Claim(
        start=f"path:{path}",
        end=end,
        type="link",
        side=Side.WIKILINK,
        end_title=label,
        line=line,
    )


def _leads_out(line: int) -> Flaw:
    return Flaw(
        code="link-leads-out",
        message="A link points outside the store; not followed.",
        severity=Severity.NOTE,
        line=line,
    )
