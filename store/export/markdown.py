"""Pages as Markdown. What others wrote stays what it is, but ends where it ends."""

import re
from collections.abc import Iterable, Iterator

from store.clean import clean
from store.export.items import Called, Divider, Item, Note, Thought, Words
from store.export.page import Page

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_OUTCOMES = {True: "✗", False: "✓", None: "·"}
_LONGEST = 300
"""Characters of what a call is about that its line tells."""


def markdown(pages: Iterable[Page]) -> Iterator[str]:
    """The pages one after the other."""
    for number, page in enumerate(pages):
        if number:
            yield "\n---\n\n"
        yield from _page(page)


def message_as_markdown(items: Iterable[Item]) -> str:
    """What is told of some messages."""
    return "".join(f"{told}\n\n" for item in items for told in _item(item)).strip()


def _page(page: Page) -> Iterator[str]:
    yield f"# {_inline(page.title)}\n\n"
    for name, value in page.facts:
        yield f"- **{_inline(name)}**: {_inline(value)}\n"
    if page.facts:
        yield "\n"
    if page.text.strip():
        told = _fenced(page.text) if page.is_plain else _closed(page.text)
        yield f"{told}\n"
    for name, lines in page.lists:
        yield f"\n## {name}\n\n"
        yield from (f"{at}. {_inline(line)}\n" for at, line in enumerate(lines, 1))
    for item in page.items:
        for told in _item(item):
            yield f"\n{told}\n"


def _item(item: Item) -> Iterator[str]:
    """What is told of a part of a conversation, block by block."""
    match item:
        case Divider():
            told = _inline(item.text)
            yield f"## {told}" if item.is_day else f"*{told}*"
        case Words():
            yield f"### {item.speaker} {_inline(item.at)}".rstrip()
            yield _closed(item.text)
        case Thought():
            yield _quoted(f"*thinking*\n\n{_closed(item.text)}")
        case Note():
            yield _quoted(f"*{_inline(item.kind)}*\n\n{_fenced(item.text)}")
        case Called():
            yield from _called(item)


def _called(item: Called) -> Iterator[str]:
    """A call in one line; where all of it is told, what it was given and answered."""
    about = f" {_code(item.about[:_LONGEST])}" if item.about else ""
    yield f"- {_OUTCOMES[item.has_failed]} **{_inline(item.name)}**{about}"
    call = item.call
    if call is None:
        return
    if call.diff:
        yield _indented(_fenced(call.diff, "diff"))
    elif call.text and call.text != item.about:
        yield _indented(_fenced(call.text))
    answer = "\n".join(filter(None, call.outputs))
    if answer and not (call.diff and not item.has_failed):
        yield _indented(_fenced(answer))
    for size in call.pictures:
        yield _indented(f"*picture, {size} bytes*")


def shown(text: str) -> str:
    """A text with marks for what is not to be seen; tabs stay what they are."""
    parts = text.replace("\r\n", "\n").split("\t")
    return "\t".join(clean(part, multiline=True) for part in parts)


def _inline(text: str) -> str:
    """A text in which nothing is Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", clean(" ".join(text.split())))


def _code(text: str) -> str:
    """A text as code within a line."""
    told = clean(" ".join(text.split()))
    ticks = "`" * (max(map(len, _TICKS.findall(told)), default=0) + 1)
    pad = " " if told.startswith("`") or told.endswith("`") else ""
    return f"{ticks}{pad}{told}{pad}{ticks}"


def _fenced(text: str, language: str = "") -> str:
    """A text as a block of code, whatever it holds."""
    told = shown(text).strip("\n")
    ticks = "`" * max(max(map(len, _TICKS.findall(told)), default=0) + 1, 3)
    return f"{ticks}{language}\n{told}\n{ticks}"


def _closed(text: str) -> str:
    """Markdown of others, every fence of it closed."""
    told = shown(text).strip("\n")
    fence = ""
    for line in told.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line[found.end() :].strip():
            fence = ""
    return f"{told}\n{fence}" if fence else told


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _indented(text: str) -> str:
    """A block that belongs to the item of a list before it."""
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))
