"""MEMORY.md: the page that agents load first, one line for each memory."""

import re
from collections.abc import Iterator, Mapping

from store.files.beneath import Blob
from store.files.frontmatter import Page
from store.files.frontmatter.flaws import EMPTY_FILE
from store.files.links import inside
from store.findings import DocumentFound, Findings, Flaw, Mention, Severity, Value
from store.formats.notes.gauge import gauge, over_limit
from store.formats.notes.links import Link, called, is_note, links, wikilinks
from store.formats.notes.memory import heading
from store.formats.notes.prose import without_code

_LONGEST_NOTE = 2_000
"""How much of a line is kept beside its link; the document holds all of it."""

_BULLET = re.compile(r"[ \t]*[-*+][ \t]+")
_SEPARATOR = re.compile(r"[ \t]*(?:[—–-]+|:)[ \t]*")


def read_index(
    path: str,
    blob: Blob,
    page: Page,
    beside: Mapping[str, Value],
    *,
    may_be_empty: bool = False,
) -> Findings:
    """What the index says, and what of it an agent never sees.

    `beside` is what else is known of the store's surroundings; it joins the facts.
    `may_be_empty` says that an index without a memory is how its writer leaves it.
    """
    folder = path.rpartition("/")[0]
    mentions: list[Mention] = []
    leading_out: dict[int, Flaw] = {}
    prose = without_code(page.body)
    lines = zip(page.body.split("\n"), prose.split("\n"), strict=True)
    for number, (line, plain) in enumerate(lines, page.body_line):
        for mention in _mentions(folder, line, plain, number):
            mentions.append(mention)
            if mention.target is None:
                leading_out.setdefault(number, _leads_out(number))
    document = DocumentFound(
        title=heading(prose) or "MEMORY",
        role="memory-index",
        text=page.body,
        facts={**_facts(blob, page), **beside},
        mentions=tuple(mentions),
    )
    flaws = [flaw for flaw in page.flaws if not may_be_empty or flaw != EMPTY_FILE]
    flaws += (*over_limit(blob), *leading_out.values())
    return Findings(documents=(document,), flaws=tuple(flaws))


def is_generated(text: str) -> bool:
    """Whether the index is nothing but generated lines in the order of their files."""
    files = [generated_for(line) for line in text.split("\n") if line]
    found = [file for file in files if file]
    return found == sorted(found) and len(found) == len(files)


def generated_for(line: str) -> str | None:
    """The file of a line that is written by the rule `- [name](file) — description`."""
    link, dash, _ = line.partition(".md) — ")
    _, bracket, file = link.rpartition("](")
    is_one = line.startswith("- [") and dash and bracket
    return f"{file}.md" if is_one else None


def linked_notes(text: str) -> set[str]:
    """The notes beside the index that its list items link to."""
    lines = (line for line in without_code(text).split("\n") if _BULLET.match(line))
    found = (inside("", link.target) for line in lines for link in links(line))
    return {path for path in found if path and is_note(path)}


def _mentions(folder: str, line: str, plain: str, number: int) -> Iterator[Mention]:
    """The memories that a line names; web addresses and other files are none."""
    for link in links(plain):
        target = inside(folder, link.target)
        if link.path and (link.names_a_note if target else _may_lead_out(link)):
            end = f"path:{target}" if target else None
            yield _mention(end, link, line, number)
    for link in wikilinks(plain):
        yield _mention(called(link.target), link, line, number)


def _mention(end: str | None, link: Link, line: str, number: int) -> Mention:
    return Mention(
        target=end,
        link=link.target,
        label=link.label,
        note=_note(line, link),
        line=number,
    )


def _may_lead_out(link: Link) -> bool:
    """A folder's name is no path to a page and leads nowhere."""
    return not link.target.rstrip().endswith("/")


def _note(line: str, link: Link) -> str | None:
    """What stands behind the link of a list item; elsewhere the whole line."""
    bullet = _BULLET.match(line)
    if bullet and bullet.end() == link.start:
        rest = line[link.end : link.end + _LONGEST_NOTE]
        separator = _SEPARATOR.match(rest)
        return rest[separator.end() if separator else 0 :].strip() or None
    text = line[:_LONGEST_NOTE].strip()
    return text if len(text) > link.end - link.start else None


def _facts(blob: Blob, page: Page) -> dict[str, Value]:
    facts: dict[str, Value] = {
        **gauge(blob),
        "written": "generated" if is_generated(page.body) else "by hand",
    }
    if page.fields:
        facts["header"] = page.fields
    return facts


def _leads_out(line: int) -> Flaw:
    return Flaw(
        code="link-leads-out",
        message="The index links to something outside of the store; not followed.",
        severity=Severity.WARNING,
        line=line,
    )
