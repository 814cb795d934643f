"""Files from the editor, daily logs continued, summaries rebuilt."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import combinations
from typing import NamedTuple
from urllib.parse import quote

from msgspec import Struct

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Form
from store.errors import (
    InvalidError,
    NotPossibleError,
    UnknownKindError,
    UnreadableError,
)
from store.files.beneath import Blob, Kind, Root, in_memory
from store.files.frontmatter import HeaderError, read_page
from store.files.frontmatter_edit import Header, locate
from store.findings import EpisodeFound, Findings, Flaw, Json, Severity
from store.formats.cognitive.edit_edges import follow_edge
from store.formats.cognitive.edit_index import (
    masked,
    rebuild_embeddings,
    rebuild_state,
    unmasked,
)
from store.formats.cognitive.edit_memories import home_of, move, retitled
from store.formats.cognitive.edit_parts import file_of, header_text, relations_of
from store.formats.cognitive.format import (
    CORE,
    EPISODES,
    FOLDERS,
    INDEX,
    REFLECTION,
    CognitiveStore,
    Role,
    is_page,
    is_pinned,
    role_of,
    stem_of,
)
from store.formats.cognitive.memories import (
    MERGED_FROM,
    read_edge,
    read_memory,
    texts_of,
)
from store.formats.cognitive.pages import (
    LARGEST,
    head_of,
    projects_of,
    read_episodes,
    read_prose,
)
from store.formats.markdown import Job, counted, memories_of, named
from store.formats.markdown_read import plain
from store.formats.port import entries_of
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.machine import Places
from store.records.intents import Append, Rewrite
from store.settings import read_settings
from store.times import moment_of

# Replace a file by its edited text, and apply the consequences.

_READERS: Mapping[Role, Callable[[str, Blob], Findings]] = {
    Role.MEMORY: read_memory,
    Role.EDGE: read_edge,
}
_NOT_EDITED = {
    Role.EPISODE: "Daily logs are append-only.",
    Role.CORE: "CORE.md is generated; run `recollect rebuild core` to update it.",
    Role.CORE_LINK: "This is a link to CORE.md, which is generated.",
    Role.REFLECTION: (
        "REFLECTION.md is generated; run `recollect rebuild reflection` to update it."
    ),
    Role.INDEX: "_index.json is generated; run `recollect rebuild index` to update it.",
    Role.STATE: "_state.json is generated; run `recollect rebuild state` to update it.",
    Role.EMBEDDINGS: "_embeddings.json is generated; run `recollect rebuild "
    "embeddings` to update it.",
}
"""Files that cannot be edited, and why."""


def edited_path(record: Changeable) -> str:
    """The file to edit for a record; refuses if there is no such file."""
    if isinstance(record, Edge):
        path = file_of(record)
        if path is None:
            raise NotPossibleError("This edge has no file of its own to edit.")
        return path
    if not isinstance(record, Memory | Document):
        raise NotPossibleError(_NOT_EDITED[Role.EPISODE])
    why = _NOT_EDITED.get(role_of(record.path) or Role.PAGE)
    if why:
        raise NotPossibleError(why)
    return record.path


def form_of(root: Root, record: Changeable) -> Form:
    """A record's file, as given to an editor."""
    path = edited_path(record)
    blob = root.read(path)
    if not blob.whole:
        raise NotPossibleError(f"{path} is too large to change.")
    if role_of(path) is Role.CONFIG:
        return Form(raw=masked(blob.raw), suffix=".json")
    return Form(raw=blob.raw, suffix=".md")


def rewrite(job: Job, intent: Rewrite, records: Sequence[Changeable]) -> str:
    """Replace the text of a file."""
    if len(records) != 1:
        raise NotPossibleError("Only one record can be edited at a time.")
    record = records[0]
    path = edited_path(record)
    before = job.files.read(path)
    is_config = role_of(path) is Role.CONFIG
    if intent.was != (masked(before) if is_config else before):
        raise ChangedOnDiskError(f"{path} has changed. Reload and try again.")
    if intent.raw != intent.was:
        new = unmasked(before, intent.raw) if is_config else intent.raw
        _refuse_worse(path, before, new)
        job.files.write(path, new)
        if is_config:
            job.files.mask(path, masked)
        else:
            _follow(job, record, before, new)
    return f"edit {named(_name_of(record))}"


def _refuse_worse(path: str, before: bytes, after: bytes) -> None:
    """Raise if the new text is unreadable but the old one was not."""
    reader = _READERS.get(role_of(path) or Role.PAGE)
    if reader is None:
        return
    known = {flaw.code for flaw in _errors(reader(path, in_memory(before)))}
    for flaw in _errors(reader(path, in_memory(after))):
        if flaw.code not in known:
            raise NotPossibleError(f"Can't save. {flaw.message}")
    if _header(before) is None:
        return
    try:
        locate(after)
    except HeaderError as error:
        raise NotPossibleError(f"Can't save. {error}") from error


def _follow(job: Job, record: Changeable, before: bytes, after: bytes) -> None:
    """Update other files after an edit of this one."""
    old, new = _header(before), _header(after)
    if old is None or new is None:
        return
    path = edited_path(record)
    kept = "id" if isinstance(record, Memory) else "id from_id to_id"
    for key in kept.split():
        if header_text(old, key) and header_text(old, key) != header_text(new, key):
            raise NotPossibleError(f"`{key}` can't be changed; restore the old value.")
    if header_text(old, "updated") == header_text(new, "updated"):
        job.stamp(path)
    if isinstance(record, Memory):
        _follow_memory(job, record, old, new)
    elif isinstance(record, Edge):
        follow_edge(job, record, old, new)


def _follow_memory(job: Job, memory: Memory, old: Header, new: Header) -> None:
    title, kind = header_text(new, "title"), header_text(new, "type")
    if title and title != header_text(old, "title"):
        retitled(job, memory, title)
    if (
        kind != header_text(old, "type")
        and kind in FOLDERS
        and not is_pinned(memory.path)
    ):
        move(job, memory, home_of(job, memory))
    if _relations(old) != _relations(new):
        job.warn(
            "Relations are changed on this side only; use link and unlink to "
            "change both."
        )


def _relations(header: Header) -> list[object]:
    return [relation.told for relation in relations_of(header)]


def _header(raw: bytes) -> Header | None:
    try:
        return locate(raw)
    except HeaderError:
        return None


def _errors(findings: Findings) -> list[Flaw]:
    return [flaw for flaw in findings.flaws if flaw.severity is Severity.ERROR]


def _name_of(record: Changeable) -> str:
    if isinstance(record, Memory | Document):
        return record.title
    return f"{record.from_title} {record.type}" if isinstance(record, Edge) else ""


# Append an entry to a daily log.

_EPISODES_KNOWN = frozenset(
    {"title", "date", "time", "type", "tags", "memory", "summary"}
)
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_OWN_END = re.compile(r"-[0-9a-f]{6}$")


def append(job: Job, intent: Append, records: Sequence[Changeable]) -> str:
    """Add an entry at the end of a day, and make the day's file where it is the first.

    Day and time are those of UTC, as all instants of the format are, unless said.
    """
    if intent.kind != "episode":
        raise UnknownKindError("Only an `episode` can be appended to the daily logs.")
    strange = sorted(set(intent.fields) - _EPISODES_KNOWN)
    if strange:
        raise InvalidError(f"Unknown field {strange[0]!r} for a daily-log entry.")
    memory = _memory(job, intent, records)
    day, time = _when(job, intent.fields)
    title = _line_episodes(intent.fields, "title") or (memory.title if memory else "")
    if not title:
        raise InvalidError("A daily-log entry needs a title.")
    entry = "\n".join([f"## {time} - {title}", *_lines(intent.fields, memory)])
    _add(job, f"{EPISODES}/{day}.md", day, entry)
    return f"append {named(title)} to {day}"


def _add(job: Job, path: str, day: str, entry: str) -> None:
    if not job.files.has(path):
        job.files.create(path, f"# {day}\n\n{entry}\n".encode())
        return
    raw = job.files.read(path)
    if raw.endswith(b"\0"):
        raise NotPossibleError(f"{path} ends in NUL bytes, as after a crash.")
    newline = "\r\n" if b"\r\n" in raw else "\n"
    ended = raw.replace(b"\r\n", b"\n")
    gap = "" if ended.endswith(b"\n\n") else "\n" if ended.endswith(b"\n") else "\n\n"
    text = f"{gap if ended else ''}{entry}\n".replace("\n", newline)
    job.files.write(path, raw + text.encode())


def _lines(fields: Mapping[str, Json], memory: Memory | None) -> list[str]:
    tags = fields.get("tags")
    listed = tags if isinstance(tags, list) else str(tags or "").split(",")
    told = {
        "Type": _line_episodes(fields, "type") or (memory.type if memory else None),
        "Tags": ", ".join(" ".join(str(tag).split()) for tag in listed if tag)
        or (", ".join(memory.tags) if memory else None),
        "Memory": _link(memory) if memory else None,
        "Summary": _line_episodes(fields, "summary"),
    }
    return [f"- **{name}:** {text}" for name, text in told.items() if text]


def _link(memory: Memory) -> str:
    """A link from the folder of daily logs, called as the writer calls it."""
    path = memory.path.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return f"[{plain(_OWN_END.sub('', stem_of(memory.path)))}](../{path})"


def _memory(job: Job, intent: Append, records: Sequence[Changeable]) -> Memory | None:
    """The memory that the entry is about, as a record or by its ref."""
    ref = _line_episodes(intent.fields, "memory")
    if records:
        return memories_of(records)[0]
    if not ref:
        return None
    memory = job.known.memory(ref)
    if memory is None:
        raise NotPossibleError(f"No memory {ref!r} in this store.")
    return memory


def _when(job: Job, fields: Mapping[str, Json]) -> tuple[str, str]:
    now = moment_of(job.now)
    day = _line_episodes(fields, "date") or f"{now:%Y-%m-%d}"
    time = _line_episodes(fields, "time") or f"{now:%H:%M}"
    try:
        datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise NotPossibleError(f"Invalid date {day!r}; write YYYY-MM-DD.") from error
    if not _TIME.fullmatch(time):
        raise NotPossibleError(f"Invalid time {time!r}; write HH:MM.")
    return day, time


def _line_episodes(fields: Mapping[str, Json], name: str) -> str:
    """A field on one line: a break within would begin another field, or an entry."""
    value = fields.get(name)
    return " ".join(str(value).split()) if value is not None else ""


# Rebuild CORE.md: the most important memories, by the rules of its writer.

SECTIONS = {
    "Critical Solutions": ("solution",),
    "Active Decisions": ("decision",),
    "Key Fixes": ("fix",),
    "Configurations": ("configuration",),
    "Patterns & Workflows": ("code_pattern", "workflow", "procedure"),
}
"""The sections and the types that go into each; other types have none."""

FLOOR = 0.2
"""How strong a memory has to be."""

PER_SECTION = 15

_REFRESH = "Next refresh: daily (systemd timer)"


Sections = Mapping[str, tuple[str, ...]]


class Ranked(NamedTuple):
    """What decides whether a memory is on the page."""

    title: str
    type: str | None
    tags: tuple[str, ...]
    path: str
    strength: float | None


class Placed(NamedTuple):
    """A memory, its section, and why it is not on the page; empty if it is."""

    memory: Ranked
    section: str
    why: str = ""


def sections_with(own: Sections) -> Sections:
    """The sections of the page, and those of the settings with their types."""
    taken = {kind for kinds in own.values() for kind in kinds}
    usual = {
        name: tuple(kind for kind in kinds if kind not in taken)
        for name, kinds in SECTIONS.items()
    }
    return {**usual, **own}


def core_of(
    memories: Sequence[Ranked], now: int, sections: Sections = SECTIONS
) -> tuple[str, list[Placed]]:
    """The page, and each memory with its section or why it isn't there.

    The sections show the kinds of use, the strongest memory first.
    """
    placed = list(_placed(memories, sections))
    alive = sum(_score(memory) >= FLOOR for memory in memories)
    while True:
        chosen = [one for one in placed if not one.why]
        page = _page(chosen, (alive, len(memories)), now, sections)
        if len(page) <= LARGEST or not chosen:
            return page, placed
        last = placed.index(chosen[-1])
        why = f"the page is full at {LARGEST:,} characters"
        placed[last] = placed[last]._replace(why=why)


def link_to(path: str) -> str:
    """A path, escaped for a link."""
    return quote(path, safe="/!$&'*+,;=:@~", errors="surrogateescape")


def _placed(memories: Sequence[Ranked], sections: Sections) -> Iterator[Placed]:
    """Each memory with its section, as long as there is room in it."""
    room = dict.fromkeys(sections, PER_SECTION)
    ranked = sorted(memories, key=lambda one: (-_score(one), one.title, one.path))
    for memory in ranked:
        kinds = sections.items()
        section = next((name for name, types in kinds if memory.type in types), "")
        why = ""
        if _score(memory) < FLOOR:
            why = f"strength below {FLOOR}"
        elif not section:
            why = f"no section has the type {memory.type}"
        elif not room[section]:
            why = f"{PER_SECTION} stronger ones are in the section"
        else:
            room[section] -= 1
        yield Placed(memory, section, why)


def _page(
    chosen: Sequence[Placed], counts: tuple[int, int], now: int, sections: Sections
) -> str:
    day = f"{moment_of(now):%Y-%m-%d}"
    alive, total = counts
    lines = [
        "# Memory Core (auto-generated)",
        f"> Last updated: {day} | Active memories: {alive}/{total} | {_REFRESH}",
    ]
    for section in sections:
        members = [one.memory for one in chosen if one.section == section]
        lines += ["", f"## {section}", *map(_line, members)]
    return "\n".join(lines) + "\n"


def _line(memory: Ranked) -> str:
    tags = f" ({', '.join(map(plain, memory.tags))})" if memory.tags else ""
    return f"- [{_title(memory)}]({link_to(memory.path)}){tags}"


def _score(memory: Ranked) -> float:
    return memory.strength or 0.0


# Rebuild REFLECTION.md: recurring themes, and what is used most.

PROJECTS = (
    "major-domo",
    "paper-dynasty",
    "homelab",
    "vagabond-rpg",
    "foundryvtt",
    "strat-gameplay-webapp",
)
"""The tags that the format's own program takes for projects."""

_THEMES = 8
_EXAMPLES = 3
_MOST_ACCESSED = 10
_RECENT = 10
_PREVIEW = 80
_SHARED = 2
"""How many tags, or projects, it takes to call something shared."""


class Told(Struct, frozen=True, kw_only=True):
    """The page's content besides the memories."""

    head: Mapping[str, str]
    """The facts at the top of the page as it is, by their names in small letters."""
    projects: frozenset[str]
    """The tags that are projects."""
    merges: int
    """The number of merges in the daily logs."""
    body: Callable[[Memory], str]
    """The text of a memory."""


def reflection_page(memories: Sequence[Memory], told: Told, now: int) -> str:
    """The page; when was reflected last, and how often, it is not ours to say."""
    updated = f"Last updated: {moment_of(now):%Y-%m-%d}"
    last = told.head.get("last reflection", "never")
    total = told.head.get("total reflections", "0")
    memories = sorted(memories, key=lambda memory: (memory.created or "", memory.path))
    return "\n".join(
        [
            "# Reflection Summary (auto-generated)",
            f"> {updated} | Last reflection: {last} | Total reflections: {total}",
            "\n## Themes\nTop tag co-occurrences revealing recurring themes:\n",
            *_themes(memories),
            "\n## Cross-Project Patterns\nTags that span multiple projects:\n",
            *_patterns(memories, told.projects),
            "\n## Most Accessed\nTop 10 memories by access count:\n",
            *_most_accessed(memories),
            "\n## Recent Insights\nInsight-type memories:\n",
            *_insights(memories, told.body),
            f"\n## Consolidation History\n\n- Total merges performed: {told.merges}\n",
        ]
    )


def _themes(memories: Sequence[Memory]) -> Iterator[str]:
    pairs: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for memory in memories:
        for pair in combinations(sorted(set(memory.tags)), _SHARED):
            pairs[pair].append(_title(memory))
    ranked = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    for pair, titles in ranked[:_THEMES]:
        examples = ", ".join(f'"{title}"' for title in titles[:_EXAMPLES])
        tags = " + ".join(map(plain, pair))
        yield f"- **{tags}**: {len(titles)} memories ({examples})"


def _patterns(memories: Sequence[Memory], projects: frozenset[str]) -> Iterator[str]:
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for memory in memories:
        tags = set(memory.tags)
        for tag in tags.difference(projects):
            seen[tag].update(tags.intersection(projects))
    for tag, counts in sorted(seen.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(counts) >= _SHARED:
            ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            places = ", ".join(f"{plain(one)} ({count})" for one, count in ranked)
            yield f"- **{plain(tag)}**: appears in {places}"


def _most_accessed(memories: Sequence[Memory]) -> Iterator[str]:
    ranked = sorted(memories, key=lambda memory: (-memory.access_count, memory.title))
    for rank, memory in enumerate(ranked[:_MOST_ACCESSED], 1):
        link = f"[{_title(memory)}]({link_to(memory.path)})"
        yield f"{rank}. {link} - {memory.access_count} accesses"


def _insights(
    memories: Sequence[Memory], body: Callable[[Memory], str]
) -> Iterator[str]:
    insights = [memory for memory in memories if memory.type == "insight"]
    insights.sort(key=lambda memory: (memory.created or "", memory.path), reverse=True)
    for memory in insights[:_RECENT]:
        preview = plain(" ".join(body(memory).split())[:_PREVIEW])
        yield f"- [{_title(memory)}]({link_to(memory.path)}) - {preview}..."


def _title(memory: Memory | Ranked) -> str:
    return plain(" ".join(memory.title.split()))


# Rebuild derived files in the store.

MERGES = frozenset({"merge", "merged"})
"""The tags of daily-log entries about a merge."""

MERGED_HERE = "merged here"
"""Where merges by this program are counted."""


def rebuild(job: Job, name: str) -> str:
    """Rebuild a derived file."""
    remake = _REMAKES.get(name)
    if remake is None:
        words = ", ".join(_REMAKES)
        raise NotPossibleError(f"Unknown index; choose from {words}.")
    remake(job)
    return f"rebuild {name}"


def _rebuild_index(job: Job) -> None:
    """Rebuild the index from the memories and the edge files as they are by now."""
    with CognitiveStore(job.files.root.path) as store:
        store.amend(job.files.amended)
        for rebuilt in store.rebuild("index"):
            after = rebuilt.after.encode(errors="surrogateescape")
            job.files.derive(INDEX, lambda _, after=after: after)
            for warning in rebuilt.warnings:
                job.warn(warning)


def _rebuild_core(job: Job) -> None:
    own = read_settings(Places.usual()).cognitive.sections
    memories = [
        Ranked(one.title, one.type, one.tags, one.path, one.strength)
        for one in job.known.memories()
    ]
    page, placed = core_of(memories, job.now, sections_with(own))
    _put(job, CORE, page)
    reasons = Counter(one.why for one in placed if one.why)
    for why, count in reasons.most_common():
        these = counted(count, "memory is", "memories are")
        job.warn(f"{these} not in {CORE}: {why}.")


def _rebuild_reflection(job: Job) -> None:
    blob = _blob(job, REFLECTION)
    told = Told(
        head=head_of(read_prose(blob)) if blob else {},
        projects=_projects(job, blob),
        merges=_merges(job),
        body=lambda memory: _body(job, memory),
    )
    page = reflection_page(list(job.known.memories()), told, job.now)
    _put(job, REFLECTION, page)


def _projects(job: Job, blob: Blob | None) -> frozenset[str]:
    """The tags that are projects: in the settings, on the page, or of conversations.

    Without any in the settings and conversations, those that the program knows.
    """
    own = read_settings(Places.usual()).cognitive.projects
    known = projects_of(read_prose(blob)) if blob else frozenset[str]()
    names = {name.casefold() for name in job.known.projects()}
    tags = (tag for memory in job.known.memories() for tag in memory.tags)
    worked = {tag for tag in tags if tag.casefold() in names} if names else set[str]()
    return known.union(worked.union(own) or PROJECTS)


def _put(job: Job, path: str, page: str) -> None:
    """Write a page; what stood there is shown before it is overwritten."""
    raw = page.encode(errors="replace")
    if job.files.has(path):
        job.files.write(path, raw)
        job.is_grave = True
    else:
        job.files.create(path, raw)


def _merges(job: Job) -> int:
    """The merges that daily logs report by tag or type, and those in headers."""
    paths = (memory.path for memory in job.known.memories())
    return sum(merges_of(job.files.root, paths).values())


def merges_of(root: Root, paths: Iterable[str]) -> Counter[str]:
    """The number of merges by where they are reported: a type of entry, or a header."""
    merges = Counter(
        entry.type or "untyped"
        for entry in _entries(root)
        if not MERGES.isdisjoint({*entry.tags, (entry.type or "").lower()})
    )
    for path in paths:
        with suppress(UnreadableError):
            blob = root.read(path)
            if MERGED_FROM.encode() in blob.raw:
                fields = read_page(blob.raw, whole=blob.whole).fields
                merges[MERGED_HERE] += len(texts_of(fields.get(MERGED_FROM)))
    return merges


def _entries(root: Root) -> Iterator[EpisodeFound]:
    days = entries_of(root, EPISODES)
    paths = [day.path for day in days if day.kind is Kind.FILE and is_page(day.name)]
    for path in paths:
        with suppress(UnreadableError):
            yield from read_episodes(path, root.read(path)).episodes


def _body(job: Job, memory: Memory) -> str:
    blob = _blob(job, memory.path)
    return read_page(blob.raw, whole=blob.whole).body if blob else ""


def _blob(job: Job, path: str) -> Blob | None:
    with suppress(UnreadableError):
        return job.files.root.read(path)
    return None


_REMAKES: Mapping[str, Callable[[Job], None]] = {
    "index": _rebuild_index,
    "state": rebuild_state,
    "core": _rebuild_core,
    "reflection": _rebuild_reflection,
    "embeddings": rebuild_embeddings,
}
"""What can be rebuilt, by the words of the command line."""
