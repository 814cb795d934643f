"""What the pages that the writer generates have in common: head, sections, items."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from store.files.frontmatter import Page
from store.files.links import Link, first_link
from store.findings import DocumentFound, Findings, Flaw, Mention, Value
from store.formats.cognitive.layout import stem_of
from store.formats.cognitive.mentions import resolve

_SECTION = "##"
_TITLE = "#"
_BULLET = re.compile(r"\s*+(?:[-*+]|\d++[.)])(?=\s)")


class Item(NamedTuple):
    """One item of a list."""

    section: str
    """The heading that it stands under."""
    text: str
    """Its text, without the bullet."""
    link: Link | None
    """The first link in it."""
    line: int
    """The line of the file."""


def head_of(page: Page) -> dict[str, str]:
    """The facts of the lines `> Name: value | Name: value`."""
    quoted = (line[1:] for line in page.body.split("\n") if line.startswith(">"))
    pairs = (part.partition(":") for line in quoted for part in line.split("|"))
    return {
        name.strip().casefold(): value.strip() for name, colon, value in pairs if colon
    }


def sections_of(page: Page) -> dict[str, list[Item]]:
    """The items of every section, in order; those before the first are under ''."""
    sections: dict[str, list[Item]] = {"": []}
    section = ""
    for number, line in enumerate(page.body.split("\n"), page.body_line):
        heading = _heading(line, _SECTION)
        text = _item(line)
        if heading:
            section = heading
            sections.setdefault(section, [])
        elif text:
            found = Item(section, text, first_link(text), number)
            sections[section].append(found)
    return sections


def _heading(line: str, mark: str) -> str:
    """The text of a heading with this mark; empty for every other line."""
    text = line[len(mark) :]
    return text.strip() if line.startswith(mark) and text[:1].isspace() else ""


def _item(line: str) -> str:
    """The text of a list's item; empty for every other line."""
    bullet = _BULLET.match(line)
    return line[bullet.end() :].strip() if bullet else ""


def findings_of(
    path: str, page: Page, role: str, facts: dict[str, Value], items: list[Item]
) -> Findings:
    """A page as a document whose items mention memories."""
    flaws = list(page.flaws)
    titles = (_heading(line, _TITLE) for line in page.body.split("\n"))
    found = DocumentFound(
        title=next(filter(None, titles), stem_of(path)),
        role=role,
        text=page.body,
        facts=facts,
        mentions=tuple(_mentions(items, flaws)),
    )
    return Findings(documents=(found,), flaws=tuple(flaws))


def _mentions(items: list[Item], flaws: list[Flaw]) -> Iterator[Mention]:
    for item in items:
        if item.link is None:
            continue
        label, link, rest = item.link
        target, flaw = resolve("", link, item.line, f"The link {label[:80]!r}")
        if flaw:
            flaws.append(flaw)
        note = f"{item.section} {rest.strip()}".strip() or None
        yield Mention(target=target, link=link, label=label, note=note, line=item.line)
