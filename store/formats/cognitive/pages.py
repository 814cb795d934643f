"""Pages about memories: daily logs, CORE.md and others; every file read by its role."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import NOTE_LIMIT, Blob, Root
from store.files.frontmatter import Page, read_page
from store.findings import (
    DocumentFound,
    EpisodeFound,
    Findings,
    Flaw,
    Mention,
    Severity,
    Value,
    not_read,
)
from store.formats.cognitive.derived import (
    HEAD,
    read_config,
    read_embeddings,
    read_index,
    read_state,
    read_vectors,
    rebuild_index,
)
from store.formats.cognitive.format import (
    CONFIG,
    CORE,
    EMBEDDINGS,
    EPISODES,
    INDEX,
    NOT_IGNORED,
    STATE,
    Role,
    is_page,
    stem_of,
)
from store.formats.cognitive.memories import read_edge, read_memory
from store.formats.markdown_read import LineLink, fenced, first_link, inside
from store.formats.port import Rebuilt, Refused, Source, Vectors, derived_text

# Links of a page, resolved to the memories they refer to.


class Resolved(NamedTuple):
    """The target of a link: a memory's key, or else a flaw with the reason."""

    target: str | None
    flaw: Flaw | None


def resolve(folder: str, link: str, line: int | None, whose: str) -> Resolved:
    """The key of the memory that a link in a page of `folder` leads to."""
    path = inside(folder, link)
    if path is not None:
        return Resolved(f"path:{path}", None)
    message = f"{whose}: {link[:80]!r} points outside the store."
    return Resolved(None, Flaw(code="link-leads-out", message=message, line=line))


# Pages that are lists of entries: a crash during an append must not lose others.

_NUL = b"\0"

_NUL_TAIL = Flaw(
    code="nul-tail",
    message="The file ends in NUL bytes, as after a crash; they aren't shown.",
)


def read_prose(blob: Blob) -> Page:
    """The page, without NUL bytes that a crash left at its end."""
    kept = blob.raw.rstrip(_NUL)
    page = read_page(kept, whole=blob.whole)
    if len(kept) == len(blob.raw):
        return page
    return replace(page, flaws=(*page.flaws, _NUL_TAIL))


# Common parts of the generated pages: head, sections, items.

_SECTION = "##"
_TITLE = "#"
_BULLET = re.compile(r"\s*+(?:[-*+]|\d++[.)])(?=\s)")


class Item(NamedTuple):
    """One item of a list."""

    section: str
    """The heading above it."""
    text: str
    """Its text, without the bullet."""
    link: LineLink | None
    """The first link in it."""
    line: int
    """Its line in the file."""


def head_of(page: Page) -> dict[str, str]:
    """The facts in the lines `> Name: value | Name: value`."""
    quoted = (line[1:] for line in page.body.split("\n") if line.startswith(">"))
    pairs = (part.partition(":") for line in quoted for part in line.split("|"))
    return {
        name.strip().casefold(): value.strip() for name, colon, value in pairs if colon
    }


def sections_of(page: Page) -> dict[str, list[Item]]:
    """The items of each section, in order; those before the first are under ''."""
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
    """The text of a heading with this mark; empty for any other line."""
    text = line[len(mark) :]
    return text.strip() if line.startswith(mark) and text[:1].isspace() else ""


def _item(line: str) -> str:
    """The text of a list item; empty for any other line."""
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
        target, flaw = resolve("", link, item.line, f"Link {label[:80]!r}")
        if flaw:
            flaws.append(flaw)
        note = f"{item.section} {rest.strip()}".strip() or None
        yield Mention(target=target, link=link, label=label, note=note, line=item.line)


# Other pages at the root of a store, such as a README or a link to CORE.md.


def read_other_page(path: str, blob: Blob) -> Findings:
    """Read a page as a separate document."""
    page = read_prose(blob)
    return findings_of(path, page, "document", {}, [])


def core_link(path: str) -> Findings:
    """A link to CORE.md, by which agents load it; shown, but not read twice."""
    document = DocumentFound(
        title=path, role="memory-index", text="", facts={"link to": CORE}
    )
    return Findings(documents=(document,))


# CORE.md: the summary of the currently most important memories.

_ACTIVE = re.compile(r"(?<!\d)(\d++)\s*+/\s*+(\d++)")


LARGEST = 12_000
"""How many characters the page has at most: about 3,000 tokens."""


def read_core(path: str, blob: Blob) -> Findings:
    """Read its date, how many memories are active, and how many each section has."""
    page = read_prose(blob)
    over = len(page.body) - LARGEST
    if over > 0:
        flaw = Flaw(
            code="core-over-budget",
            message=f"{over:,} characters over the budget of {LARGEST:,}; agents pay "
            "for them at every start. Rebuild core.",
        )
        page = replace(page, flaws=(*page.flaws, flaw))
    head = head_of(page)
    facts: dict[str, Value] = {}
    if "last updated" in head:
        facts["last updated"] = head["last updated"]
    active = _ACTIVE.search(head.get("active memories", ""))
    if active:
        facts |= {"active": active[1], "total": active[2]}
    sections = sections_of(page)
    facts["sections"] = {
        name: str(sum(item.link is not None for item in items))
        for name, items in sections.items()
        if name or items
    }
    items = [item for items in sections.values() for item in items]
    return findings_of(path, page, "core", facts, items)


# REFLECTION.md: themes, patterns across projects, most used memories, insights.

_BOLD = re.compile(r"\*\*(.+?)\*\*:?\s*(.*)")
_ACROSS = "cross-project patterns"
_MEMORIES = re.compile(r"(?<!\d)(\d++)\s++memor")
_PROJECT = re.compile(r"(?<![^\s,()])([^\s,()]++)\s++\((\d++)\)")
_ACCESSES = re.compile(r"(?<!\d)(\d++)\s++access")
_MERGES = re.compile(r"merges performed:\s*+(\d++)", re.IGNORECASE)


def read_reflection(path: str, blob: Blob) -> Findings:
    """Read each of its sections, and the memories mentioned."""
    page = read_prose(blob)
    sections = sections_of(page)
    facts: dict[str, Value] = dict(head_of(page))
    for name, items in sections.items():
        read = _SECTIONS.get(name.casefold())
        if read:
            facts[name.casefold()] = [fact for fact in map(read, items) if fact]
    items = [item for items in sections.values() for item in items]
    merges = _MERGES.search(page.body)
    if merges:
        facts["merges"] = merges[1]
    return findings_of(path, page, "reflection", facts, items)


def projects_of(page: Page) -> frozenset[str]:
    """Every project mentioned in the patterns of the page."""
    sections = sections_of(page).items()
    items = [i for name, found in sections if name.casefold() == _ACROSS for i in found]
    bolds = (_BOLD.match(item.text) for item in items)
    named = (_PROJECT.findall(bold[2]) for bold in bolds if bold)
    return frozenset(project for found in named for project, _ in found)


def _theme(item: Item) -> Mapping[str, Value] | None:
    """`**fix + python**: 52 memories ("…")`."""
    bold = _BOLD.match(item.text)
    count = _MEMORIES.search(bold[2]) if bold else None
    return {"tags": bold[1], "memories": count[1]} if bold and count else None


def _pattern(item: Item) -> Mapping[str, Value] | None:
    """`**fix**: appears in major-domo (38), homelab (22)`."""
    bold = _BOLD.match(item.text)
    if not bold:
        return None
    return {"tag": bold[1], "projects": dict(_PROJECT.findall(bold[2]))}


def _accessed(item: Item) -> Mapping[str, Value] | None:
    """`[Title](path) - 5 accesses`."""
    count = _ACCESSES.search(item.link.rest) if item.link else None
    if not item.link or not count:
        return None
    return {"title": item.link.label, "accesses": count[1]}


def _insight(item: Item) -> str | None:
    """`[Title](path) - its first words…`."""
    return item.link.label if item.link else None


_SECTIONS: Mapping[str, Callable[[Item], Value | None]] = {
    "themes": _theme,
    _ACROSS: _pattern,
    "most accessed": _accessed,
    "recent insights": _insight,
}


# A daily log: what was done when, and the memory with the details.

_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_DAY = re.compile(r"#\s+(.*)")
_ENTRY = re.compile(
    r"##\s+(?:(\d{1,2}:\d\d(?::\d\d)?)(?:\s*[-\u2013\u2014]\s*|\s+|$))?(.*)"
)
_TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")
_FIELD = re.compile(
    r"\s*[-*+]\s+\*\*(Type|Tags|Memory|Summary)(?::\*\*|\*\*:)(.*)", re.IGNORECASE
)


class _Entry(Struct):
    """An entry whose lines are being collected."""

    date: str
    time: str | None
    title: str
    line: int
    fields: dict[str, tuple[str, int]] = field(
        default_factory=dict[str, tuple[str, int]]
    )
    prose: list[str] = field(default_factory=list[str])
    """The summary, and every line that is not a field."""


def read_episodes(path: str, blob: Blob) -> Findings:
    """The entries of one day, and the day itself as a document."""
    page = read_prose(blob)
    flaws = list(page.flaws)
    stem = stem_of(path)
    entries = _entries(page, stem, flaws)
    episodes = tuple(_episode(entry, flaws) for entry in entries)
    document = DocumentFound(
        title=stem,
        role="episode-file",
        text=page.body,
        facts={"entries": str(len(episodes))},
    )
    return Findings(episodes=episodes, documents=(document,), flaws=tuple(flaws))


def _entries(page: Page, stem: str, flaws: list[Flaw]) -> list[_Entry]:
    """Split the page at its headings."""
    named = _DATE.fullmatch(stem) is not None
    date = stem
    entries: list[_Entry] = []
    lines = [line.rstrip() for line in page.body.split("\n")]
    code = fenced(lines)
    for number, line in enumerate(lines):
        where = page.body_line + number
        heading = None if number in code else _ENTRY.fullmatch(line)
        day = None if heading or number in code else _DAY.fullmatch(line)
        if heading:
            entries.append(_Entry(date, heading[1], heading[2].strip(), where))
        elif day and not named:
            date = day[1].strip()
        elif day:
            _check_day(day[1].strip(), stem, where, flaws)
        elif entries:
            _take(entries[-1], line, where)
    return entries


def _check_day(heading: str, stem: str, line: int, flaws: list[Flaw]) -> None:
    if heading != stem:
        message = f"The heading says {heading:.40}, but the file is named {stem}."
        flaws.append(Flaw(code="date-mismatch", message=message, line=line))


def _take(entry: _Entry, line: str, number: int) -> None:
    """Add a line to its entry; of duplicate fields, the first counts."""
    found = _FIELD.fullmatch(line)
    name = found[1].lower() if found else ""
    if found and name == "summary":
        entry.prose.append(found[2].strip())
    elif found and name not in entry.fields:
        entry.fields[name] = (found[2].strip(), number)
    else:
        entry.prose.append(line)


def _episode(entry: _Entry, flaws: list[Flaw]) -> EpisodeFound:
    if entry.time is None or not _TIME.fullmatch(entry.time):
        message = f"Entry {entry.title[:80]!r} has no valid time."
        flaws.append(Flaw(code="bad-time", message=message, line=entry.line))
    tags, _ = entry.fields.get("tags", ("", 0))
    kind, _ = entry.fields.get("type", ("", 0))
    link, target = _memory(entry, flaws)
    return EpisodeFound(
        date=entry.date,
        time=entry.time,
        title=entry.title,
        line=entry.line,
        type=kind or None,
        tags=tuple(tag.strip() for tag in tags.split(",") if tag.strip()),
        summary="\n".join(entry.prose).strip("\n") or None,
        link=link,
        target=target,
    )


def _memory(entry: _Entry, flaws: list[Flaw]) -> tuple[str | None, str | None]:
    """The link to the memory, as written, and the key it resolves to."""
    text, line = entry.fields.get("memory", ("", 0))
    found = first_link(text)
    if not found and not is_page(text):
        return None, None
    link = found.target if found else text
    target, flaw = resolve(EPISODES, link, line, f"Entry {entry.title[:80]!r}")
    if flaw:
        flaws.append(flaw)
    return link, target


# .gitignore: whether secret and derived files are ignored.

_DERIVED = (STATE, INDEX, EMBEDDINGS)

LIMIT = 64 * 1024
"""Bytes of the file that are read, as every pattern is tried on every name."""

_LONGEST_PATTERN = 255
"""Longer patterns match no file of the store, and take long to parse."""

_ESCAPED = re.compile(r"\\(.)")


def read_ignore(_path: str, blob: Blob) -> Findings:
    """A flaw for each file that should be ignored but is not."""
    flaws = [] if blob.whole else [_TOO_LARGE]
    flaws += [
        NOT_IGNORED
        if name == CONFIG
        else Flaw(
            code="derived-not-ignored",
            message=f"`{name}` is generated, but not in .gitignore.",
            severity=Severity.NOTE,
        )
        for name in not_ignored(blob.raw)
    ]
    return Findings(flaws=tuple(flaws))


def not_ignored(raw: bytes) -> list[str]:
    """The files that should be ignored but are not, secret ones first."""
    lines = raw.decode("utf-8-sig", errors="replace").split("\n")
    patterns = [line.removesuffix("\r").rstrip(" ") for line in lines]
    return [name for name in (CONFIG, *_DERIVED) if not _ignored(name, patterns)]


_TOO_LARGE = Flaw(
    code="too-large",
    message="Very large file; only the beginning was read.",
)


def _ignored(name: str, patterns: list[str]) -> bool:
    """Whether the last pattern that matches a file at the root ignores it."""
    ignored = False
    for pattern in patterns:
        if _matches(name, pattern.removeprefix("!")):
            ignored = not pattern.startswith("!")
    return ignored


def _matches(name: str, pattern: str) -> bool:
    """Whether a pattern, in git's syntax, matches a file at the root."""
    if len(pattern) > _LONGEST_PATTERN:
        return False
    here = pattern.removeprefix("/")
    while here.startswith("**/"):
        here = here.removeprefix("**/")
    return fnmatchcase(name, _ESCAPED.sub(_literal, here))


def _literal(escaped: re.Match[str]) -> str:
    """An escaped character, in fnmatch syntax."""
    return f"[{escaped[1]}]" if escaped[1] in "*?[" else escaped[1]


# Files by their role.

_READERS: Mapping[str, Callable[[str, Blob], Findings]] = {
    Role.MEMORY: read_memory,
    Role.EDGE: read_edge,
    Role.EPISODE: read_episodes,
    Role.CORE: read_core,
    Role.REFLECTION: read_reflection,
    Role.PAGE: read_other_page,
    Role.INDEX: read_index,
    Role.STATE: read_state,
    Role.EMBEDDINGS: read_embeddings,
    Role.CONFIG: read_config,
    Role.IGNORE: read_ignore,
}

_DERIVED_LIMIT = 256 * 1024 * 1024
_LIMITS = {
    Role.INDEX: _DERIVED_LIMIT,
    Role.STATE: _DERIVED_LIMIT,
    Role.EMBEDDINGS: HEAD,
    Role.IGNORE: LIMIT,
}
"""The read limits of files that may be larger, or need not be read in full."""

_INDEXED = frozenset({Role.MEMORY, Role.EDGE})
"""The roles that go into an index."""


class CognitiveReader:
    """Reads the files of one graph."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def read(self, source: Source) -> Findings:
        """Read one file."""
        if source.role == Role.CORE_LINK:
            return core_link(source.path)
        limit = _LIMITS.get(Role(source.role), NOTE_LIMIT)
        try:
            blob = self._root.read(source.path, limit=limit)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),))
        return _READERS[source.role](source.path, blob)

    def rebuild(self, found: Sequence[Source | Refused]) -> Iterator[Rebuilt]:
        """The index rebuilt from the memories and edge files."""
        before = next((one for one in found if one.path == INDEX), None)
        text = derived_text(self._root, before, _DERIVED_LIMIT) if before else None
        sources = [one for one in found if isinstance(one, Source)]
        indexed = [one for one in sources if one.role in _INDEXED]
        indexed.sort(key=lambda one: os.fsencode(one.path))
        yield rebuild_index(text, ((one.path, self.read(one)) for one in indexed))

    def vectors(self) -> Vectors | None:
        """The vectors of the memories, if there are any."""
        return read_vectors(self._root)
