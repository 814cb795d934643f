"""What the pages that the writer generates have in common: head, sections, items."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from store.files.frontmatter import Page
from store.files.links import Link, first_link
from store.findings import DocumentFound, Findings, Flaw, Mention, Value
from store.formats.cognitive.layout import stem_of
from store.formats.cognitive.mentions import resolve

_SECTION = re.compile(r"##\s+(.*\S)\s*")
_TITLE = re.compile(r"#\s+(.*\S)\s*")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*\S)\s*")


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
        heading = _SECTION.fullmatch(line)
        item = _ITEM.fullmatch(line)
        if heading:
            section = heading[1]
            sections.setdefault(section, [])
        elif item:
            found = Item(section, item[1], first_link(item[1]), number)
            sections[section].append(found)
    return sections


def findings_of(
    path: str, page: Page, role: str, facts: dict[str, Value], items: list[Item]
) -> Findings:
    """A page as a document whose items mention memories."""
    flaws = list(page.flaws)
    titles = map(_TITLE.fullmatch, page.body.split("\n"))
    heading = next((found for found in titles if found), None)
    found = DocumentFound(
        title=heading[1] if heading else stem_of(path),
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
