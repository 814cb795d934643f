"""What each intent writes into a folder of notes, and the fixes for its problems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from store import errors
from store.edits.draft import Changeable, Draft, ForeignLock, Form, Known
from store.files.beneath import Root, Rooted
from store.findings import Json, Value, name_key
from store.formats import markdown_edit
from store.formats.markdown import counted, memories_of, named, open_other, said
from store.formats.markdown_changes import (
    IN_A_TEXT,
    change,
    form_of,
    move,
    possible_for,
    put_field,
    refuse_unknown,
    remove,
    rename_heading,
    warn_about_duplicates,
    write_field,
)
from store.formats.markdown_read import Link, inside
from store.formats.notes import edit_sections
from store.formats.notes.edit_index import (
    Indexes,
    Work,
    changed_lines,
    is_by_rule,
    is_listed,
    lines_of,
    whole,
)
from store.formats.notes.edit_index import listed as as_listed
from store.formats.notes.edit_sections import add_section
from store.formats.notes.format import INDEX, LOCK, Role, role_of, sniff
from store.formats.notes.notes import DEFAULT_TYPE
from store.formats.notes.projects import found_in_project, is_known
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.kinds.pages import Document
from store.kinds.problems import Problem
from store.records import intents

# Claude Code's mark that it is consolidating memories; while it is fresh, we wait.

HELD = 3600.0
"""Seconds after which the mark expires."""

_NANOS_A_MICRO = 1000


def is_fresh(root: Root, now: int) -> bool:
    """Whether there is a mark that has not expired."""
    try:
        with root.opened(LOCK) as mark:
            age = now - mark.stamp.mtime_ns // _NANOS_A_MICRO
    except errors.UnreadableError:
        return False
    return age < HELD * 1_000_000


# Names of new files: by the rule of the format, made safe.


def stem_of(name: str) -> str:
    """The file name for a title: lower case, with dashes for spaces and slashes.

    The format's writer changes nothing else; here, characters that are not allowed on
    some system become dashes too.
    """
    stem = markdown_edit.safe_stem(name.strip().lower().replace(" ", "-"))
    return f"{stem}-note" if f"{stem}.md" == INDEX else stem or "note"


# New notes: one made by the user, or many extracted by another program.

IMPORT = "import"
"""The kind of intent that adds all notes of a list."""

_LONGEST_HOOK = 80
_MICROS = 1_000_000


def create(work: Work, intent: intents.Create) -> str:
    """Create a note in the style of its store, and list it."""
    name = markdown_edit.on_one_line(intent.title)
    if not name:
        raise errors.InvalidError("A name must be one line of text.")
    if not intent.adds:
        refuse_unknown(work, intent.fields, ())
    path = _make(work, name, intent.fields, intent.body)
    return f"new {named(name)} in {path}"


def take_in(work: Work, intent: intents.Append) -> str:
    """Create a note for every record `{name, type, description, body}` of a list.

    A record without description or body is skipped; one without a name is named after
    the time, as the program that extracts such records does.
    """
    if intent.kind != IMPORT:
        raise errors.UnknownKindError(
            "Only `import`, a list of records, can be appended."
        )
    records = list(_records(intent.fields))
    passed = taken = 0
    names: set[str] = set()
    for number, record in enumerate(records):
        body, fields = _text(record, "body"), _fields(record)
        if not body or "description" not in fields:
            passed += 1
            continue
        later = f"_{number}" if number else ""
        name = _text(record, "name") or f"memory_{work.now // _MICROS}{later}"
        if name_key(name) in names or work.known.namesakes(name):
            work.warn(f"{named(name)} already exists and is skipped.")
            continue
        names.add(name_key(name))
        _make(work, markdown_edit.on_one_line(name), fields, body)
        taken += 1
    if passed:
        skipped = counted(passed, "record without", "records without")
        work.warn(f"Skipped {skipped} description or body.")
    if not records:
        raise errors.NotPossibleError("No records to import.")
    work.count = taken
    return f"import {counted(taken, 'record', 'records')}"


def _make(work: Work, name: str, fields: Mapping[str, Value], body: str) -> str:
    header = {
        key: markdown_edit.checked(key, value)
        for key, value in fields.items()
        if key != "name"
    }
    section = add_section(work, name, tuple(header), body)
    if section:
        return section
    text = body.replace("\r\n", "\n").strip("\n")
    hook = next((line.strip() for line in text.split("\n") if line.strip()), "")
    header = {
        "name": name,
        "description": hook[:_LONGEST_HOOK] or name,
        "type": DEFAULT_TYPE,
    } | header
    stem = stem_of(name)
    path = markdown_edit.free_path(work.files, "", stem)
    if path != f"{stem}.md":
        work.warn(f"{stem}.md already exists, so the file is named {path}.")
    work.has_set("type", header["type"])
    warn_about_duplicates(work, header["name"], header["description"])
    lines = work.new_header(header)
    page = "\n".join(["---", *lines, "---", "", f"{text}\n" if text else ""])
    work.files.create(path, page.encode())
    work.indexes.add(work.listed(path))
    return path


def _records(fields: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """The records: the given object, or those in its lists."""
    if "body" in fields:
        yield fields
        return
    for items in fields.values():
        for item in items if isinstance(items, list) else [items]:
            if not isinstance(item, dict):
                raise errors.NotPossibleError("Expected a list of records.")
            yield item


def _fields(record: Mapping[str, Json]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for key in ("description", "type"):
        text = _text(record, key)
        if text:
            found[key] = text
    return found


def _text(record: Mapping[str, Json], key: str) -> str:
    value = record.get(key)
    return value.strip() if isinstance(value, str) else ""


# Rename notes.


def rename(work: Work, intent: intents.Rename, records: Sequence[Changeable]) -> str:
    """Rename a note, and its file to match."""
    memory, *others = memories_of(records)
    if others:
        raise errors.NotPossibleError("Only one note can be renamed at a time.")
    name = markdown_edit.on_one_line(intent.title)
    if not name:
        raise errors.InvalidError("A name must be one line of text.")
    path = memory.path
    old, listed = work.names(memory), work.listed(path)
    warn_about_duplicates(work, name, own=memory)
    if markdown_edit.has_header(work, path):
        write_field(work, path, "name", name)
    else:
        rename_heading(work, path, name)
        titled = listed._replace(name=markdown_edit.on_one_line(memory.title))
        if titled != listed:
            work.indexes.change(titled, titled._replace(name=name))
    place = path
    if not markdown_edit.Names(path, name, memory.id).is_named_by_id:
        place = markdown_edit.free_path(work.files, old.folder, stem_of(name), own=path)
    move(work, memory, place, old)
    return f"rename {named(memory.title)} to {named(name)}"


# Move notes to another store.


def take(work: Work, intent: intents.Move, records: Sequence[Changeable]) -> str:
    """Put notes into another store, and their lines into its index."""
    memories = memories_of(records)
    target = Path(intent.to)
    with open_other(target, _is_store, "a notes") as root:
        if root.path == work.files.root.path:
            raise errors.NotPossibleError("The notes are already in that store.")
        if is_fresh(root, work.now):
            sentence = (
                f"{target}/{LOCK} shows that notes are being consolidated there. Try "
                "again later."
            )
            raise errors.LockedError(sentence)
        files = work.beside(root, root.path)
        indexes = Indexes(work, files)
        for memory in memories:
            stem = PurePosixPath(memory.path).stem
            path = markdown_edit.free_path(files, "", stem)
            if path != f"{stem}.md":
                work.warn(f"{stem}.md already exists, so the file is named {path}.")
            files.create(path, work.files.read(memory.path))
            indexes.add(as_listed(path, files.read(path)))
            if memory.pinned:
                work.mark(memory, path, is_set=True, root=root.path)
            _warn_about_links(work, memory)
        indexes.keep()
    if not intent.keeps:
        remove(work, memories)
    word = "copy" if intent.keeps else "move"
    titles = [memory.title for memory in memories]
    return f"{said(word, titles)} to {target}"


def _warn_about_links(work: Work, memory: Memory) -> None:
    """Warn about links to notes that stay behind."""
    edges = work.known.edges_of(memory.ref)
    named_there = [edge for edge in edges if edge.from_ == memory.ref]
    if named_there:
        links = counted(len(named_there), "link", "links")
        work.warn(
            f"{links} of {named(memory.title)} will break, as the linked notes stay"
            " here."
        )


def _is_store(root: Root) -> bool:
    return sniff(root) or is_known(root.path)


# Fix problems, each in its own way.

_NONE = "Can't be fixed automatically; edit the file."

_QUOTED = 79
"""How much of a link its problem quotes."""


def fix(work: Work, records: Sequence[Changeable]) -> str:
    """Fix problems, each in its own way."""
    problems = [record for record in records if isinstance(record, Problem)]
    if not problems or len(problems) < len(records):
        raise errors.NotPossibleError("Choose a problem to fix.")
    for problem in problems:
        if why_not(problem):
            raise errors.NotPossibleError(f"{problem.message} {_NONE}")
        _BY_CODE[problem.code](work, problem)
    if len(problems) == 1:
        return f"fix {problems[0].code} in {problems[0].path}"
    return f"fix {counted(len(problems), 'problem', 'problems')}"


def why_not(problem: Problem) -> str:
    """Why a problem can't be fixed; empty if it can."""
    is_index = role_of("", problem.path) is Role.INDEX
    if problem.code == "lost-link" and not is_index:
        return _NONE
    return "" if problem.code in _BY_CODE else _NONE


def _index(work: Work, _problem: Problem) -> None:
    """Create the index that the store lacks."""
    rebuild(work, WORD)


def _list(work: Work, problem: Problem) -> None:
    """Add a note to the index."""
    if not is_listed(work.files.root.path.name, problem.path):
        raise errors.NotPossibleError(
            f"{problem.path} is archived, so no index lists it."
        )
    work.indexes.add(work.listed(problem.path))


def _unlink(work: Work, problem: Problem) -> None:
    """Turn a broken link into text; every word of its line stays."""
    index, folder = problem.path, problem.path.rpartition("/")[0]
    text = (work.files.derived(index) or b"").decode(errors="surrogateescape")
    number = (problem.line or 0) - 1
    quoted = problem.message.partition("“")[2]
    lost = [
        link.target
        for link in markdown_edit.links_on(text, number)
        if quoted.startswith(link.target[:_QUOTED]) and not _leads(work, folder, link)
    ]
    if not lost:
        raise errors.NotPossibleError(f"{problem.message} {_NONE}")
    for target in dict.fromkeys(lost):
        place = found_in_project(work.files.root.path, target)
        if place:
            sentence = f"{target} of {index} is a file of the project: {place}."
            raise errors.NotPossibleError(f"{sentence} Fix the link by hand.")
        work.indexes.edit(index, markdown_edit.as_text(number, target))
    work.is_grave = True


def _leads(work: Work, folder: str, link: Link) -> bool:
    """Whether a link points to a note now."""
    target = inside(folder, link.target) if link.names_a_note else None
    return work.files.has(target) if target else bool(work.known.namesakes(link.target))


def _retarget(work: Work, problem: Problem) -> None:
    """Update the links of a line to the current paths of their notes."""
    index, folder = problem.path, problem.path.rpartition("/")[0]
    paths = sorted((one.path for one in work.known.memories()), reverse=True)
    by_name = {PurePosixPath(path).name: path for path in paths}
    for line in lines_of(folder, work.indexes.text(index) or ""):
        place = by_name.get(PurePosixPath(line.target).name)
        is_meant = line.number + 1 == problem.line and not work.files.has(line.target)
        if is_meant and place:
            note = work.listed(place)
            old = note._replace(path=line.target)
            work.indexes.edit(index, changed_lines(folder, old, note))


def _describe(work: Work, problem: Problem) -> None:
    """Copy the description of a note into its items of the indexes."""
    note = work.listed(problem.path)
    for hook in work.indexes.hooks(problem.path):
        work.indexes.change(note._replace(description=hook), note)


def _quote(work: Work, problem: Problem) -> None:
    markdown_edit.quote_values(work, problem.path)


def _give_type(work: Work, problem: Problem) -> None:
    """Give a note the default type, which readers assume."""
    memory = work.known.memory(problem.ref) if problem.ref else None
    if memory is None:
        raise errors.NotPossibleError(
            f"{problem.path} is no longer a note. Reload and try again."
        )
    put_field(work, memory, "type", DEFAULT_TYPE)


_BY_CODE: Mapping[str, Callable[[Work, Problem], None]] = {
    "unlisted-memory": _list,
    "lost-link": _unlink,
    "stale-path": _retarget,
    "stale-description": _describe,
    "invalid-yaml": _quote,
    "hash-in-value": _quote,
    "no-type": _give_type,
    "no-index": _index,
}


# Rebuild MEMORY.md by the rule of the program that generates such indexes.

WORD = "notes-index"
"""Its name on the command line."""


def rebuild(work: Work, name: str) -> str:
    """Rebuild the index: one line per note, sorted by file."""
    if name != WORD:
        raise errors.NotPossibleError(f"Unknown index; choose from {WORD}.")
    root = work.files.root
    path = work.indexes.top
    work.indexes.edit(path, lambda _: whole(root))
    _warn_about_losses(work, path)
    return f"rebuild {name}"


def _warn_about_losses(work: Work, path: str) -> None:
    """Warn about text written by hand that would be lost."""
    try:
        raw = work.files.derived(path) or b""
    except errors.UnreadableError as error:
        raise errors.NotPossibleError(str(error)) from error
    text = raw.decode(errors="replace")
    if is_by_rule(text):
        return
    listing = {line.number for line in lines_of("", text) if line.leads}
    lines = text.split("\n")
    others = sum(bool(s.strip()) and n not in listing for n, s in enumerate(lines))
    work.is_grave = True
    loss = "its order and text will be lost"
    if others:
        loss = f"{counted(others, 'line', 'lines')} that list no note will be lost"
    work.warn(f"{path} was written by hand: {loss}.")


# What can be done with a record, judged without opening a file.


def possible(record: Changeable | None) -> Mapping[str, str]:
    """The words that make sense, each with why it cannot be done now."""
    match record:
        case None:
            return {"new": "", "append": "", "rebuild": ""}
        case Memory():
            return {**possible_for(record), "move": ""}
        case Edge():
            return {"delete": IN_A_TEXT, "set": IN_A_TEXT}
        case Document():
            return {"edit": ""}
        case Problem():
            return {"fix": why_not(record)}
        case _:
            return {}


# Drafts changes to a folder of notes.

Records = Sequence[Changeable]

_NOT_COUNTED = "This format doesn't count recalls."


class NotesScribe(Rooted):
    """Reads the files of one store and drafts changes to them."""

    fixes = frozenset(_BY_CODE)
    """The codes of the problems that can be fixed."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """What can be done with a record, or with the store."""
        return edit_sections.possible(record) or possible(record)

    def form(self, record: Changeable) -> Form:
        """The file of a record."""
        whole = form_of(self._root, record)
        return edit_sections.form(record, whole) or whole

    def draft(
        self, intent: intents.Intent, records: Records, known: Known, now: int
    ) -> Draft:
        """What the change would do to the files; the lines of the index go along."""
        work = Work(self._root, known, now)
        action = (
            _of_the_store(work, intent, records)
            or edit_sections.draft(work, intent, records)
            or _of_records(work, intent, records)
        )
        work.indexes.keep()
        return Draft(
            action=action,
            steps=work.steps,
            warnings=work.warnings,
            is_grave=work.is_grave,
            foreign_locks=(ForeignLock(path=LOCK, age=HELD),),
            marks=tuple(work.marks),
            count=work.count,
            moves=work.files.moves,
        )


def _of_the_store(work: Work, intent: intents.Intent, records: Records) -> str | None:
    """Changes that need no record."""
    match intent:
        case intents.Create():
            return create(work, intent)
        case intents.Append():
            return take_in(work, intent)
        case intents.Rebuild():
            edit_sections.refuse_rebuild(work)
            return rebuild(work, intent.name)
        case intents.Fix():
            return fix(work, records)
        case _:
            return None


def _of_records(work: Work, intent: intents.Intent, records: Records) -> str:
    if not records:
        raise errors.NotPossibleError(f"Choose a note to {intent.word}.")
    if any(isinstance(record, Edge) for record in records):
        raise errors.NotPossibleError(IN_A_TEXT)
    match intent:
        case intents.Rename():
            return rename(work, intent, records)
        case intents.Move():
            return take(work, intent, records)
        case intents.Relate():
            raise errors.NotPossibleError(IN_A_TEXT)
        case intents.Touch():
            raise errors.NotPossibleError(_NOT_COUNTED)
        case _:
            action = change(work, intent, records)
    if action is None:
        sentence = f"`{intent.word}` isn't available for this format."
        raise errors.NotPossibleError(sentence)
    return action
