"""Texts edited, settings changed, daily logs continued, memories merged and moved."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable, Form
from store.errors import (
    NotPossibleError,
    RecollectError,
    UnknownKindError,
)
from store.files.beneath import Blob, Root, Stamp
from store.files.frontmatter import HeaderError
from store.files.frontmatter_edit import Header, locate, with_scalar
from store.files.frontmatter_lists import without_key
from store.files.json_edit import Edit, Within, with_members
from store.files.json_read import DamagedJsonError, load_map
from store.findings import Findings, Flaw, Json, Severity, Value
from store.formats.cognitive.derived import HIDDEN, PROVIDERS, is_secret
from store.formats.cognitive.edit_edges import (
    Relation,
    drop_file,
    ends_of,
    file_of,
    follow_edge,
    relations_of,
    telling,
    with_relation,
    without_places,
    without_relations,
)
from store.formats.cognitive.edit_index import keep_index_beside, take_use, unite_use
from store.formats.cognitive.edit_memories import (
    follow_names,
    home_of,
    let_go,
    move,
    neighbours,
    put_field,
    retagged,
    retitled,
    tags_of,
    title_of,
)
from store.formats.cognitive.edit_parts import (
    EDGE_ORDER,
    ENDS,
    Found,
    Names,
    base_of,
    header_text,
    joined,
    merged_from,
    put_body,
    text_of,
    warn_about_old_paths,
    with_text,
    with_texts,
    without_links,
)
from store.formats.cognitive.format import (
    CONFIG,
    EPISODES,
    FOLDERS,
    Role,
    id_key,
    is_pinned,
    role_of,
    sniff,
    stem_of,
)
from store.formats.cognitive.memories import KEY, MERGED_FROM, read_edge, read_memory
from store.formats.markdown import Job, counted, memories_of, named, open_other, said
from store.formats.markdown_read import plain
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.records.intents import Append, Merge, Move, Rewrite, Set
from store.times import moment_of

# Replace a file by its edited text, and apply the consequences.

_STAMP = Stamp(0, 0, 0)
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
    Role.EMBEDDINGS: "_embeddings.json contains vectors, which can't be edited.",
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
    return f"edit {named(_title(record))}"


def _refuse_worse(path: str, before: bytes, after: bytes) -> None:
    """Raise if the new text is unreadable but the old one was not."""
    reader = _READERS.get(role_of(path) or Role.PAGE)
    if reader is None:
        return
    known = {flaw.code for flaw in _errors(reader(path, _blob(before)))}
    for flaw in _errors(reader(path, _blob(after))):
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


def _blob(raw: bytes) -> Blob:
    return Blob(raw, _STAMP, whole=True)


def _title(record: Changeable) -> str:
    if isinstance(record, Memory | Document):
        return record.title
    return f"{record.from_title} {record.type}" if isinstance(record, Edge) else ""


# _config.json changed without its key ever being seen.

_KNOWN = ("embedding_provider", "openai_api_key", "ollama_model", "openai_model")


def set_setting(job: Job, intent: Set) -> str:
    """Give some of the store's own settings other values."""
    edits = {name: _value(name, value) for name, value in intent.values.items()}
    before = job.files.read(CONFIG)
    data = _settings(before)
    for name in edits:
        if name not in data and name not in _KNOWN:
            raise NotPossibleError(f"Unknown setting {name!r} in {CONFIG}.")
    job.files.write(CONFIG, with_members(before, edits))
    job.files.mask(CONFIG, masked)
    for name, value in edits.items():
        _warn(job, name, data.get(name), value)
    return f"set {CONFIG}: {intent.names}"


def _warn(job: Job, name: str, old: Json, new: str | None) -> None:
    """Warn about the effects of a setting's new value."""
    if is_secret(name, new or old):
        job.warn(f"`{name}` changes; its value isn't shown.")
    if name == "embedding_provider" and (old or PROVIDERS[0]) != new:
        job.warn(
            "The providers' vectors differ in length; rebuild all vectors before "
            "searching by meaning."
        )


def masked(raw: bytes) -> bytes:
    """The settings as they may be seen; nothing of them where they are damaged."""
    try:
        data = load_map(raw)
        return with_members(raw, dict(_hidden(data)))
    except RecollectError:
        return b"(damaged, and not shown)\n"


def unmasked(before: bytes, edited: bytes) -> bytes:
    """What an editor gave back, with what it was not shown."""
    old, new = _settings(before), _settings(edited)
    return with_members(edited, dict(_restored(old, new)))


def _hidden(data: Mapping[str, Json]) -> Sequence[tuple[str, Edit]]:
    edits: list[tuple[str, Edit]] = []
    for key, value in data.items():
        if is_secret(key, value):
            edits.append((key, HIDDEN))
        elif isinstance(value, dict):
            edits.append((key, Within(dict(_hidden(value)))))
    return edits


def _restored(
    old: Mapping[str, Json], new: Mapping[str, Json]
) -> Sequence[tuple[str, Edit]]:
    edits: list[tuple[str, Edit]] = []
    for key, value in new.items():
        known = old.get(key)
        if value == HIDDEN and is_secret(key, known):
            edits.append((key, known))
        elif isinstance(value, dict) and isinstance(known, dict):
            edits.append((key, Within(dict(_restored(known, value)))))
    return edits


def _settings(raw: bytes) -> dict[str, Json]:
    try:
        return load_map(raw)
    except DamagedJsonError as error:
        sentence = f"{CONFIG} is damaged and can't be changed. {error}"
        raise NotPossibleError(sentence) from error


def _value(name: str, value: Value | None) -> str | None:
    if value is not None and not isinstance(value, str):
        raise NotPossibleError(f"`{name}` must be a single text.")
    if name == "embedding_provider" and value not in PROVIDERS:
        raise NotPossibleError(f"`{name}` must be {' or '.join(PROVIDERS)}.")
    return value


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
        raise NotPossibleError(f"Unknown field {strange[0]!r} for a daily-log entry.")
    memory = _memory(job, intent, records)
    day, time = _when(job, intent.fields)
    title = _line_episodes(intent.fields, "title") or (memory.title if memory else "")
    if not title:
        raise NotPossibleError("A daily-log entry needs a title.")
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


# Merge memories: the first one stays, and links to the others are redirected.

_TWO = 2


def merge(job: Job, intent: Merge, records: Sequence[Changeable]) -> str:
    """Merge several memories into the first."""
    kept, *others = memories_of(records, _TWO)
    if kept in others:
        raise NotPossibleError("A memory can't be merged with itself.")
    _Merging(job, kept, others, intent).carry_out()
    count = counted(len(others), "other memory", "other memories")
    return f"merge {count} into {named(kept.title)}"


class _Merging:
    """The memories of one merge."""

    def __init__(
        self, job: Job, kept: Memory, others: Sequence[Memory], intent: Merge
    ) -> None:
        self._job = job
        self._kept = kept
        self._others = others
        self._intent = intent
        title = intent.fields.get("title")
        self._title = title_of(title) if isinstance(title, str) else kept.title
        self._dropped: set[str | None] = set()
        self._id = header_text(job.header(kept.path), "id")
        if self._id is None:
            raise NotPossibleError(f"{kept.path} has no id, so it can't be linked.")
        self._refs = {memory.ref for memory in (kept, *others)}
        own = id_key(self._id)
        self._merged = {own, *(id_key(memory.id) for memory in others if memory.id)}
        self._going = self._merged - {own}
        self._leading: dict[tuple[str | None, str | None, str], Edge] = {
            (edge.from_, edge.to, edge.type): edge
            for edge in job.known.edges_of(kept.ref)
            if not {edge.from_, edge.to} & {other.ref for other in others}
        }

    def carry_out(self) -> None:
        """Unite their contents, redirect links, and delete the others."""
        job = self._job
        job.is_grave = True
        for other in self._others:
            edges = job.known.edges_of(other.ref)
            for edge in edges:
                self._redirect(edge)
            for third in neighbours(job, other, edges):
                if third.ref not in self._refs:
                    what = f"The links of {named(third.title)} to it"
                    job.edit_beside(third.path, self._retargeted, what)
        self._unite()
        new = _names(self._kept)._replace(title=self._title)
        for other in self._others:
            follow_names(job, other, _names(other), new)
            warn_about_old_paths(job, other, Found.BY_ID)
            job.warn_about_pin(self._kept, other)
        for other in self._others:
            job.files.remove(other.path)
        unite_use(job, self._kept, self._others)

    def _redirect(self, edge: Edge) -> None:
        """Redirect an edge to the remaining memory, unless there is one already.

        An edge with a file has more information than one without, so it replaces it.
        """
        path = file_of(edge)
        start, end = (
            self._kept.ref if ref in self._refs else ref
            for ref in (edge.from_, edge.to)
        )
        known = self._leading.get((start, end, edge.type))
        if start != end and known and path and not file_of(known):
            self._forget(known)
        elif start == end or known:
            drop_file(self._job, edge)
            self._dropped.add(edge.id)
            return
        if end is not None and start is not None:
            self._leading[start, end, edge.type] = edge
        if path is not None:
            self._job.revise(path, self._with_end)

    def _forget(self, edge: Edge) -> None:
        """Remove the relations of an edge from headers."""
        for end in ends_of(self._job, edge):
            taken = partial(without_relations, wanted=telling(edge, end))
            what = f"The links of {named(end.memory.title)} to it"
            self._job.edit_beside(end.memory.path, taken, what)

    def _with_end(self, header: Header) -> Header:
        """An edge's header with merged ends replaced by the remaining memory."""
        for key, title in ENDS:
            identifier = header_text(header, key)
            if identifier is not None and id_key(identifier) in self._going:
                header = with_text(header, key, self._id or "", EDGE_ORDER)
                header = with_text(header, title, self._title, EDGE_ORDER)
        return header

    def _retargeted(self, header: Header) -> Header:
        """A third memory's header with relations redirected to the remaining one."""
        own = id_key(self._id or "")
        there = {known.about for known in relations_of(header) if known.target == own}
        for relation in reversed(relations_of(header)):
            if relation.target not in self._going:
                continue
            about = (own, relation.type, relation.side)
            if about in there:
                header = without_places(header, {relation.place})
            else:
                path = (KEY, relation.place, "target")
                header = with_scalar(header, path, self._id or "")
                if relation.edge_id in self._dropped and relation.edge_id:
                    header = without_key(header, (*path[:2], "edge_id"))
                there.add(about)
        return header

    def _unite(self) -> None:
        """Unite tags, relations, text and the chosen values."""
        job, path = self._job, self._kept.path
        headers = [job.header(other.path) for other in self._others]
        tags = [tag for header in headers for tag in tags_of(header)]
        relations = [known for header in headers for known in relations_of(header)]
        changes: list[Callable[[Header], Header]] = [
            partial(without_relations, wanted=lambda k: k.target in self._merged),
            partial(self._with_relations, relations=relations),
        ]
        if "tags" not in self._intent.fields:
            changes.append(partial(retagged, add=tags))
        for change in changes:
            job.revise(path, change)
        job.edit(path, self._with_merged)
        put_body(job, path, self._text())
        for name, value in self._intent.fields.items():
            put_field(job, self._kept, name, value)

    def _text(self) -> str:
        """The chosen text, or else all texts, without links to the memory itself."""
        others = [_names(other) for other in self._others]
        own = self._intent.body
        own = text_of(self._job, self._kept.path) if own is None else own
        texts = [without_links(own.replace("\r\n", "\n"), others)]
        if self._intent.body is None:
            names = [_names(self._kept), *others]
            texts += [
                without_links(text_of(self._job, other.path), names)
                for other in self._others
            ]
        return joined(texts)

    def _with_merged(self, header: Header) -> Header:
        """The header with the ids of the memories merged into this one."""
        earlier = merged_from(header)
        gone = [other.id for other in self._others if other.id]
        for other in self._others:
            gone += merged_from(self._job.header(other.path))
        own = id_key(self._id or "")
        merged = list(dict.fromkeys(each for each in gone if id_key(each) != own))
        if set(merged) <= set(earlier):
            return header
        return with_texts(header, MERGED_FROM, list(dict.fromkeys(earlier + merged)))

    def _with_relations(self, header: Header, relations: Sequence[Relation]) -> Header:
        """The header with the relations of the others, without duplicates."""
        there = {known.about for known in relations_of(header)}
        for known in relations:
            if known.target not in self._merged and known.about not in there:
                target = known.text("target") or known.target
                facts = {key: known.text(key) for key in ("strength", "context")}
                if known.edge_id not in self._dropped:
                    facts["edge_id"] = known.edge_id
                header = with_relation(header, target, known.type, known.side, facts)
                there.add(known.about)
        return header


def _names(memory: Memory) -> Names:
    return Names(memory.title, stem_of(memory.path))


# Move or copy memories to another graph, with the edges among them.


def take(job: Job, intent: Move, records: Sequence[Changeable]) -> str:
    """Move memories to another graph; links to the remaining ones are lost."""
    memories = memories_of(records)
    target = Path(intent.to)
    with open_other(target, sniff, "a cognitive") as root:
        if root.path == job.files.root.path:
            raise NotPossibleError("The memories are already in that store.")
        files = job.beside(root, root.path)
        edges = list(_among(job, memories))
        for memory in memories:
            files.create(memory.path, _cut(job, memory, memories))
        for edge in edges:
            path = file_of(edge)
            if path is not None:
                files.create(path, job.files.read(path))
        keep_index_beside(job, files)
        take_use(job, files, memories)
    word = "copy" if intent.keeps else "move"
    if not intent.keeps:
        let_go(job, memories)
        job.is_grave |= any(_leaves(job, memory, memories) for memory in memories)
    titles = [memory.title for memory in memories]
    return f"{said(word, titles)} to {target.name or target}"


def _among(job: Job, memories: Sequence[Memory]) -> Iterator[Edge]:
    """The edges with both ends among the memories, each once."""
    refs = {memory.ref for memory in memories}
    seen: set[str] = set()
    for memory in memories:
        for edge in job.known.edges_of(memory.ref):
            if {edge.from_, edge.to} <= refs and edge.ref not in seen:
                seen.add(edge.ref)
                yield edge


def _leaves(job: Job, memory: Memory, memories: Sequence[Memory]) -> bool:
    """Whether a memory has an edge to one that stays behind."""
    refs = {each.ref for each in memories}
    edges = job.known.edges_of(memory.ref)
    return any(not {edge.from_, edge.to} <= refs for edge in edges)


def _cut(job: Job, memory: Memory, memories: Sequence[Memory]) -> bytes:
    """A memory's file without its relations to memories that stay behind."""
    along = {id_key(each.id) for each in memories if each.id}
    raw = job.files.read(memory.path)
    header = job.header(memory.path)
    lost = [known for known in relations_of(header) if known.target not in along]
    if not lost:
        return raw
    number = counted(len(lost), "relation", "relations")
    job.warn(f"Dropped: {number} of {base_of(memory.path)} to memories that stay.")
    return without_places(header, {known.place for known in lost}).raw
