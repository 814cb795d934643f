"""What each intent writes into a store, and the fixes for its problems."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from store.edits.draft import Changeable, Draft, Form, Known
from store.errors import NotPossibleError, UnreadableError
from store.files.beneath import Rooted
from store.files.frontmatter_edit import Header
from store.files.frontmatter_lists import without_key
from store.formats.cognitive import edit_parts as parts
from store.formats.cognitive.edit_edges import (
    merge,
    relate,
    set_of_edge,
    set_strength,
    take,
    unlink,
)
from store.formats.cognitive.edit_index import keep_index, masked, set_setting, touch
from store.formats.cognitive.edit_memories import (
    archive,
    create,
    delete,
    follow_title,
    home_of,
    move,
    pin,
    rename,
    retag,
    set_field,
)
from store.formats.cognitive.edit_pages import (
    append,
    edited_path,
    form_of,
    rebuild,
    rewrite,
)
from store.formats.cognitive.format import (
    EPISODES,
    FOLDERS,
    IGNORE,
    Role,
    id_key,
    role_of,
)
from store.formats.cognitive.memories import KEY
from store.formats.cognitive.pages import not_ignored
from store.formats.markdown import Job, counted
from store.formats.markdown_edit import quote_values
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.records import intents

# What the fixes of one change share: its files, and records found by name.


class Fixer:
    """Looks up what problems are about."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def edge(self, problem: Problem) -> Edge:
        """The edge that a problem is about."""
        found = self._edges.get(problem.ref or "")
        if found is None:
            raise NotPossibleError(
                f"The edge {problem.ref!r} no longer exists. Reload and try again."
            )
        return found

    def memory(self, problem: Problem) -> Memory | None:
        """The memory that a problem is about."""
        return self.job.known.memory(problem.ref) if problem.ref else None

    def identified(self, key: str) -> Memory | None:
        """The memory that has an identifier."""
        return self._memories.get(key)

    def has_edge_file(self, edge_id: str) -> bool:
        """Whether an edge file has an identifier."""
        return edge_id in self._filed

    @cached_property
    def _edges(self) -> dict[str, Edge]:
        return {edge.ref: edge for edge in self.job.known.edges()}

    @cached_property
    def _filed(self) -> set[str | None]:
        return {edge.id for edge in self._edges.values() if parts.file_of(edge)}

    @cached_property
    def _memories(self) -> dict[str, Memory]:
        memories = [memory for memory in self.job.known.memories() if memory.id]
        return {id_key(memory.id or ""): memory for memory in reversed(memories)}


FixProblem = Callable[[Fixer, Problem], None]
"""Fixes one problem."""


# One-way, misnamed and broken edges.

_TYPE_IN_NAME = re.compile(r"--[A-Z][A-Z_]*--")


def complete(fixer: Fixer, problem: Problem) -> None:
    """Write a link at the end where it is missing."""
    edge = fixer.edge(problem)
    start, end = ends = list(parts.ends_of(fixer.job, edge))
    facts = _facts(fixer, edge, ends)
    for here, there in ((start, end), (end, start)):
        if there.memory.id is None:
            sentence = f"{there.memory.path} has no id, so it can't be linked."
            raise NotPossibleError(sentence)
        if not _relations_for(fixer, edge, here):
            fixer.job.edit(
                here.memory.path,
                partial(
                    parts.with_relation,
                    target=there.memory.id,
                    kind=edge.type,
                    side=here.side,
                    facts=facts,
                ),
            )


def make_edge_file(fixer: Fixer, problem: Problem) -> None:
    """Create the edge files that relations name; remove the names of other edges."""
    memory = fixer.memory(problem)
    if memory is None:
        raise NotPossibleError(
            f"The memory {problem.ref!r} no longer exists. Reload and try again."
        )
    for relation in parts.relations_of(fixer.job.header(memory.path)):
        edge_id = relation.edge_id
        if edge_id is None or fixer.has_edge_file(edge_id):
            continue
        other = fixer.identified(relation.target)
        if other is None:
            path = (KEY, relation.place, "edge_id")
            fixer.job.edit(memory.path, partial(without_key, path=path))
            continue
        ends = [parts.NewEnd(one.id or "", one.title) for one in (memory, other)]
        start, end = ends if relation.side is parts.OUT else reversed(ends)
        new = parts.NewEdge(
            edge_id, relation.type, start, end, relation.text("strength")
        )
        if not fixer.job.files.has(new.path):
            parts.create_edge(fixer.job, new, relation.text("context") or "")


def copy_titles(fixer: Fixer, problem: Problem) -> None:
    """Update the titles of both ends in an edge file."""
    for end in parts.ends_of(fixer.job, fixer.edge(problem)):
        header = fixer.job.header(end.memory.path)
        title = parts.header_text(header, "title") or end.memory.title
        follow_title(fixer.job, end.memory, title)


def drop_doubles(fixer: Fixer, problem: Problem) -> None:
    """Keep the first of several relations for the same edge."""

    def without_doubles(header: Header) -> Header:
        seen: set[tuple[str, str, str]] = set()
        doubles: set[int] = set()
        for relation in parts.relations_of(header):
            if relation.about in seen:
                doubles.add(relation.place)
            seen.add(relation.about)
        return parts.without_places(header, doubles)

    fixer.job.edit(problem.path, without_doubles)


def drop_second(fixer: Fixer, problem: Problem) -> None:
    """Remove an edge whose two memories another file links already."""
    unlink(fixer.job, [fixer.edge(problem)])


def copy_strength(fixer: Fixer, problem: Problem) -> None:
    """Write the strength in the file of an edge into its relations."""
    edge = fixer.edge(problem)
    set_strength(fixer.job, edge, str(edge.strength))


def name_after_type(fixer: Fixer, problem: Problem) -> None:
    """Let the name of an edge's file say its type."""
    kind = parts.header_text(fixer.job.header(problem.path), "type")
    named = _TYPE_IN_NAME.findall(problem.path)
    if kind is None or len(named) != 1 or not _TYPE_IN_NAME.fullmatch(f"--{kind}--"):
        raise NotPossibleError(f"Can't rename {problem.path}: its type is unknown.")
    fixer.job.files.move(problem.path, problem.path.replace(named[0], f"--{kind}--"))


def _relations_for(fixer: Fixer, edge: Edge, end: parts.End) -> list[parts.Relation]:
    """The relations for an edge in the memory at one end."""
    relations = parts.relations_of(fixer.job.header(end.memory.path))
    return [relation for relation in relations if parts.telling(edge, end)(relation)]


def _facts(fixer: Fixer, edge: Edge, ends: list[parts.End]) -> dict[str, str | None]:
    """The facts of a link from its existing side, or else from the edge file."""
    facts: dict[str, str | None] = {
        "strength": None if edge.strength is None else parts.share_of(edge.strength),
        "context": None,
        "edge_id": edge.id if parts.file_of(edge) else None,
    }
    said = next((r for end in ends for r in _relations_for(fixer, edge, end)), None)
    found = {key: said.text(key) for key in facts} if said else {}
    return facts | {key: text for key, text in found.items() if text}


# Files that lack required fields, or are in the wrong place.

_TYPES = {folder: kind for kind, folder in FOLDERS.items()}


def give_new_id(fixer: Fixer, problem: Problem) -> None:
    """Give a memory with a duplicate id a new one."""
    job, identifier = fixer.job, parts.new_id()
    target = job.files.root.target(problem.path)
    if target not in {None, problem.path}:
        raise NotPossibleError(
            f"{parts.base_of(problem.path)} is a symbolic link to {target}, so both "
            "are one memory. Delete the link."
        )
    _give(job, problem.path, identifier)
    own = parts.OWN_END.search(problem.path)
    memory = fixer.memory(problem)
    if own and memory:
        name = f"{problem.path[: own.start()]}-{identifier[: parts.OWN]}.md"
        job.files.move(problem.path, name)
        parts.warn_about_old_paths(job, memory, parts.Found.NOT)
    job.warn(
        f"Links to the old id of {parts.base_of(problem.path)} now point to the other "
        "memory with that id."
    )


def give_id(fixer: Fixer, problem: Problem) -> None:
    """Give a memory an id; it starts like the one in its file name, if any."""
    own = parts.OWN_END.search(problem.path)
    identifier = parts.new_id()
    if own:
        identifier = own[1].lower() + identifier[parts.OWN :]
    _give(fixer.job, problem.path, identifier)


def give_type(fixer: Fixer, problem: Problem) -> None:
    """Give a memory the type of its folder."""
    folders = problem.path.split("/")[1:]
    kind = next((_TYPES[name] for name in folders if name in _TYPES), None)
    if kind is None:
        raise NotPossibleError(f"The folder of {problem.path} doesn't imply a type.")
    fixer.job.revise(problem.path, partial(parts.with_text, key="type", text=kind))


def put_home(fixer: Fixer, problem: Problem) -> None:
    """Put a memory into the folder of its type."""
    memory = fixer.memory(problem)
    if memory is None:
        kind = parts.header_text(fixer.job.header(problem.path), "type")
        place = parts.place_of(kind or "general", parts.base_of(problem.path))
        fixer.job.files.move(problem.path, place)
        return
    move(fixer.job, memory, home_of(fixer.job, memory))


def _quote(fixer: Fixer, problem: Problem) -> None:
    quote_values(fixer.job, problem.path)


def cut_tail(fixer: Fixer, problem: Problem) -> None:
    """Cut off the NUL bytes that a crash left."""
    files = fixer.job.files
    files.write(problem.path, files.read(problem.path).rstrip(b"\0"))
    if problem.path.startswith(f"{EPISODES}/"):
        fixer.job.warn("Daily logs are append-only; this fix only cuts off the end.")


def ignore(fixer: Fixer, problem: Problem) -> None:
    """Add secret and derived files to .gitignore."""
    files = fixer.job.files
    try:
        raw = files.read(problem.path) if files.has(IGNORE) else None
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    names = not_ignored(raw or b"")
    lines = "".join(f"{name}\n" for name in names)
    if raw is None:
        files.create(IGNORE, lines.encode())
    elif names:
        gap = b"" if raw.endswith(b"\n") or not raw else b"\n"
        files.write(IGNORE, raw + gap + lines.encode())


def _give(job: Job, path: str, identifier: str) -> None:
    job.revise(path, partial(parts.with_text, key="id", text=identifier))


# Fix problems, each in its own way.

_NONE = "Can't be fixed automatically; edit the file."

_TOLD = 10
"""How many removed links are named."""

_BROKEN = "dangling-link"
"""Problems that are fixed together: a file may have thousands."""

_BY_CODE: Mapping[str, FixProblem] = {
    "one-sided-link": complete,
    "missing-edge-file": make_edge_file,
    "stale-title": copy_titles,
    "duplicate-relation": drop_doubles,
    "duplicate-edge": drop_second,
    "edge-drift": copy_strength,
    "edge-name": name_after_type,
    "duplicate-id": give_new_id,
    "missing-id": give_id,
    "missing-type": give_type,
    "type-folder": put_home,
    "invalid-yaml": _quote,
    "hash-in-value": _quote,
    "nul-tail": cut_tail,
    "secret-not-ignored": ignore,
    "derived-not-ignored": ignore,
}

_OUTDATED = frozenset({"lost-link", "link-leads-out", "stale-path"})
_OF_STATE = frozenset({"state-without-memory", "bad-score", "stale-score"})
_OF_VECTORS = frozenset(
    {"missing-vector", "stale-vector", "orphan-vector", "vector-length", "vector-model"}
)
_REBUILDS: Mapping[Role, tuple[str, frozenset[str]]] = {
    Role.INDEX: ("index", frozenset()),
    Role.STATE: ("state", _OF_STATE),
    Role.CORE: ("core", _OUTDATED | {"core-outdated", "core-over-budget"}),
    Role.REFLECTION: ("reflection", _OUTDATED),
    Role.EMBEDDINGS: ("embeddings", _OF_VECTORS),
}
"""The derived files: the word to rebuild each, and the problems that this fixes; all if
none are listed."""

_OF_INDEX = frozenset({"index-drift", "index-count", "damaged-json"})


def _unlink(job: Job, broken: Sequence[Edge]) -> None:
    """Remove broken links, and name the reasons that are lost with them."""
    for edge in [edge for edge in broken if edge.context][:_TOLD]:
        job.warn(f"Removes a link with its reason, “{edge.context}”.")
    unlink(job, broken)


def fix(job: Job, records: Sequence[Changeable]) -> str:
    """Fix problems; each derived file is rebuilt at most once."""
    problems = [record for record in records if isinstance(record, Problem)]
    if not problems or len(problems) < len(records):
        raise NotPossibleError("Choose a problem to fix.")
    fixer = Fixer(job)
    words: dict[str, None] = {}
    _unlink(job, [fixer.edge(one) for one in problems if one.code == _BROKEN])
    for problem in problems:
        if problem.code == _BROKEN:
            continue
        word, fix_one = _rebuilding(problem), _BY_CODE.get(problem.code)
        if word:
            words[word] = None
        elif fix_one:
            fix_one(fixer, problem)
        else:
            raise NotPossibleError(f"{problem.message} {_NONE}")
    for word in words:
        rebuild(job, word)
    if len(problems) == 1:
        return f"fix {problems[0].code} in {problems[0].path}"
    return f"fix {counted(len(problems), 'problem', 'problems')}"


def why_not(problem: Problem) -> str:
    """Why a problem can't be fixed; empty if it can."""
    by_code = problem.code == _BROKEN or problem.code in _BY_CODE
    return "" if by_code or _rebuilding(problem) else _NONE


def _rebuilding(problem: Problem) -> str | None:
    """The word to rebuild the derived file that has the problem; None for others."""
    role = role_of(problem.path)
    word, codes = _REBUILDS.get(role, ("", frozenset[str]())) if role else ("", ())
    return word if word and (not codes or problem.code in codes) else None


# What can be done with a record, judged without opening a file.

_UNREADABLE = frozenset(
    {"invalid-yaml", "unsafe-yaml", "unclosed-header", "not-utf8", "lone-cr",
     "no-header", "header-too-large", "too-large", "not-text", "empty-file"}
)  # fmt: skip
"""Problems of a file whose header no field can be set in."""

_NO_HEADER = "The front matter is damaged; edit it as text first."
_NO_ID = "The memory has no id, so it can't be linked."
_FADED = "Pinned memories can't be archived. Unpin it first."


def possible(record: Changeable | None) -> Mapping[str, str]:  # noqa: PLR0911 - one flat dispatch
    """The words of intents, each with the reason why it is not possible now."""
    match record:
        case None:
            return {"new": "", "append": "", "rebuild": ""}
        case Memory():
            return _of_memory(record)
        case Edge():
            told = dict.fromkeys(
                ("delete", "set"), _why_not(partial(parts.refuse_prose, record))
            )
            edit = {"edit": _why_not(partial(edited_path, record))}
            return told | (edit if parts.is_written(record) else {})
        case Document() if role_of(record.path) is Role.CONFIG:
            return {"set": "", "edit": ""}
        case Document():
            return {"edit": _why_not(partial(edited_path, record))}
        case Problem():
            return {"fix": why_not(record)}
        case _:
            return {}


def _of_memory(memory: Memory) -> Mapping[str, str]:
    header = "" if _UNREADABLE.isdisjoint(memory.problems) else _NO_HEADER
    named = header or ("" if memory.id else _NO_ID)
    return {
        "pin": header if memory.pinned else "",
        "archive": header or (_FADED if memory.pinned else ""),
        "delete": "",
        "set": header,
        "tag": header,
        "edit": "",
        "rename": named,
        "link": named,
        "merge": named,
        "move": header,
        "touch": "" if memory.id else _NO_ID,
    }


def _why_not(check: Callable[[], object]) -> str:
    """The reason with which a check refuses; empty if it doesn't."""
    try:
        check()
    except NotPossibleError as error:
        return str(error)
    return ""


# The scribe of a graph: an intent in, every byte that it takes out.

Records = Sequence[Changeable]


class CognitiveScribe(Rooted):
    """Reads the files of one graph and says what would become of them."""

    fixes = _OF_INDEX.union(
        _BY_CODE, {_BROKEN}, *(codes for _, codes in _REBUILDS.values())
    )
    """The codes of the problems that can be fixed."""
    masked = staticmethod(masked)
    """How the settings are shown, without the key in them."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store."""
        return possible(record)

    def form(self, record: Changeable) -> Form:
        """The file of a record."""
        return form_of(self._root, record)

    def draft(
        self, intent: intents.Intent, records: Records, known: Known, now: int
    ) -> Draft:
        """What the change would do to the files; the index goes along."""
        job = Job(self._root, known, now, parts.stamped)
        action = _act(job, intent, records)
        keep_index(job)
        return Draft(
            action=action,
            steps=job.steps,
            warnings=job.warnings,
            is_grave=job.is_grave,
            moves=job.files.moves,
        )


def _act(job: Job, intent: intents.Intent, records: Records) -> str:  # noqa: C901, PLR0911, PLR0912 - one flat dispatch
    """Make a change in memory; returns it in words."""
    match intent:
        case intents.Create():
            return create(job, intent)
        case intents.Append():
            return append(job, intent, records)
        case intents.Rebuild():
            return rebuild(job, intent.name)
        case intents.Fix():
            return fix(job, records)
        case _ if not records:
            raise NotPossibleError(f"Choose a record to {intent.word}.")
        case intents.Set():
            return _set(job, intent, records)
        case intents.Delete():
            edges = [record for record in records if isinstance(record, Edge)]
            all_edges = len(edges) == len(records)
            return unlink(job, edges) if all_edges else delete(job, records)
        case intents.Retag():
            return retag(job, intent, records)
        case intents.Rewrite():
            return rewrite(job, intent, records)
        case intents.Touch():
            return touch(job, records)
        case intents.Pin():
            return pin(job, intent, records)
        case intents.Archive():
            return archive(job, intent, records)
        case intents.Rename():
            return rename(job, intent, records)
        case intents.Relate():
            return relate(job, intent, records)
        case intents.Merge():
            return merge(job, intent, records)
        case intents.Move():
            return take(job, intent, records)
        case _:
            raise NotPossibleError(f"`{intent.word}` isn't available for this format.")


def _set(job: Job, intent: intents.Set, records: Records) -> str:
    edges = [record for record in records if isinstance(record, Edge)]
    if len(edges) == len(records):
        return set_of_edge(job, intent, edges)
    pages = [record for record in records if isinstance(record, Document)]
    if len(pages) == len(records) == 1 and role_of(pages[0].path) is Role.CONFIG:
        return set_setting(job, intent)
    return set_field(job, intent, records)
