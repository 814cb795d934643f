"""Commands that change records: new, edit, set, tag, delete, link, merge and others."""

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence

from store.answers.review import in_order
from store.edits.recovery import beside
from store.errors import (
    AmbiguousError,
    NothingFoundError,
    RecollectError,
    WrongUseError,
)
from store.findings import Json, Value
from store.kinds.edges import Edge
from store.kinds.memories import Memory, MemoryInFull
from store.library import Library
from store.queues import MERGE
from store.records.answers import Double
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Merge,
    Relate,
    Rename,
    Retag,
    Set,
    Touch,
    Transit,
)
from store.text import fold, guess
from tui.cli.apply import (
    STDIN,
    assigned,
    carry_out,
    carry_out_each,
    changing,
    chosen,
    given,
    json_of,
    parted,
    retagging,
    take,
    value_of,
)
from tui.cli.editor import EXISTS, Editing, discard, editor_of
from tui.cli.session import Session, answer_list
from tui.terminal.programs import EditorError
from tui.terminal.streams import complain

# `recollect append KIND FIELD=VALUE…`: append an episode, task or claim.

_IMPORT = "import"


def run_append(arguments: argparse.Namespace, session: Session) -> None:
    """Append an episode, a task or a claim, or all records of a document."""
    fields = {} if arguments.file is None else _document(arguments)
    fields |= {name: json_of(text) for name, text in assigned(arguments.fields)}
    intent = Append(kind=arguments.kind, fields=fields)
    with changing(session, arguments) as library:
        carry_out(library, session, arguments, library.plans.plan(intent))


def _document(arguments: argparse.Namespace) -> dict[str, Json]:
    """The JSON object in a file; for imports it may be a plain list of records."""
    file: str = arguments.file
    found = json_of(given(file).decode("utf-8", "replace"))
    if isinstance(found, list) and arguments.kind == _IMPORT:
        return {"records": found}
    if isinstance(found, dict):
        return found
    raise WrongUseError(f"No JSON object in {file}.")


# `recollect archive REF…`: archive records.


def run_archive(arguments: argparse.Namespace, session: Session) -> None:
    """Archive records, or with `--due` all that are due in a store."""
    if arguments.due and (arguments.refs or arguments.query is not None):
        raise WrongUseError("--due can't be combined with REF or --query.")
    with changing(session, arguments) as library:
        if arguments.due:
            carry_out(library, session, arguments, library.plans.plan(Archive()))
            return
        records = chosen(library, session, arguments.refs, arguments, Archive.word)
        carry_out_each(library, session, arguments, Archive(), records)


# `recollect restore REF…`: unarchive records.


def run_restore(arguments: argparse.Namespace, session: Session) -> None:
    """Unarchive records."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Archive.word)
        carry_out_each(library, session, arguments, Archive(archives=False), records)


# `recollect copy REF… --to STORE`: copy records to another store.


def run_copy(arguments: argparse.Namespace, session: Session) -> None:
    """Copy records."""
    take(arguments, session, keeps=True)


# `recollect move REF… --to STORE`: move records to another store.


def run_move(arguments: argparse.Namespace, session: Session) -> None:
    """Move records."""
    take(arguments, session, keeps=False)


# `recollect delete REF…`: delete records; undo restores them from the journal.


def run_delete(arguments: argparse.Namespace, session: Session) -> None:
    """Delete records."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Delete.word)
        carry_out_each(library, session, arguments, Delete(), records)


# `recollect edit REF`: edit the text of a record's file in the user's editor.


def run_edit(arguments: argparse.Namespace, session: Session) -> None:
    """Edit a record and save the result."""
    with changing(session, arguments) as library:
        (record,) = library.plans.changeable([arguments.ref])
        form = library.plans.form(record)
        Editing(library, session, arguments, record, form).run()


# `recollect link REF REF --type TYPE`: link two memories.


def run_link(arguments: argparse.Namespace, session: Session) -> None:
    """Link two memories."""
    strength: float | None = arguments.strength
    if strength is not None and not 0 <= strength <= 1:
        raise WrongUseError(f"--strength must be 0 to 1, not {strength:g}.")
    intent = Relate(type=arguments.type, strength=strength, context=arguments.context)
    with changing(session, arguments) as library:
        planned = library.plans.plan(intent, [arguments.start, arguments.end])
        carry_out(library, session, arguments, planned)


# `recollect unlink EDGE`, `recollect unlink REF REF`: remove a link.

_ENDS = 2


def run_unlink(arguments: argparse.Namespace, session: Session) -> None:
    """Unlink two memories."""
    refs: Sequence[str] = arguments.refs
    if len(refs) > _ENDS:
        raise WrongUseError("Give one edge, or both its ends.")
    with changing(session, arguments) as library:
        edge = _edge(library, refs, arguments.type)
        carry_out(library, session, arguments, library.plans.plan(Delete(), [edge]))


def _edge(library: Library, refs: Sequence[str], kind: str | None) -> Edge:
    """The edge given by its ref or by both its ends."""
    found = library.plans.changeable(refs)
    if len(refs) == 1:
        (edge,) = found
        if not isinstance(edge, Edge):
            raise WrongUseError(
                f"{refs[0]!r} isn't an edge; give an edge, or both its ends."
            )
        return edge
    start, end = (record.ref for record in [*found, *found][:_ENDS])
    edges = _between(library, str(start), str(end), kind)
    if len(edges) == 1:
        return edges[0]
    if edges:
        choices = [f"  {edge.ref}  {edge.type}" for edge in edges]
        raise AmbiguousError(
            "\n".join(["Several edges match; give one of them:", *choices])
        )
    wanted = f"{kind} edge" if kind else "edge"
    other_way = ""
    if _between(library, str(end), str(start), kind):
        other_way = (
            " There is one the other way:"
            f" recollect unlink {shlex.quote(refs[1])} {shlex.quote(refs[0])}"
        )
    raise NothingFoundError(f"No {wanted} from the first to the second.{other_way}")


def _between(library: Library, start: str, end: str, kind: str | None) -> list[Edge]:
    """The edges from one memory to another, optionally of one type."""
    edges = {
        link.edge: record
        for link in library.records.links(start)
        if link.edge and link.direction == "out" and link.ref == end
        for record in library.plans.changeable([link.edge])
    }
    found = [edge for edge in edges.values() if isinstance(edge, Edge)]
    return [edge for edge in found if kind is None or edge.type == kind]


# `recollect merge REF REF…`: merge memories into the first one.

_REF = "memory:"


def run_merge(arguments: argparse.Namespace, session: Session) -> None:
    """Merge memories."""
    pairs = assigned(arguments.field)
    with changing(session, arguments) as library:
        found = library.plans.changeable(arguments.refs)
        merged = [one for one in found if isinstance(one, Memory)]
        if len(merged) < len(found) or len(merged) <= 1:
            raise WrongUseError("Merging needs two or more different memories.")
        fields = {name: _value(library, merged, name, text) for name, text in pairs}
        body = None
        if arguments.body is not None:
            body = _in_full(library, _one_of(merged, arguments.body)).body
        intent = Merge(fields=fields, body=body)
        carry_out(library, session, arguments, library.plans.plan(intent, merged))


def _value(library: Library, merged: Sequence[Memory], name: str, text: str) -> Value:
    """The typed value, or the field of the memory whose ref was typed."""
    names = {memory.id for memory in merged} | {memory.ref for memory in merged}
    if text not in names and not text.startswith(_REF):
        return value_of(text)
    memory = _one_of(merged, text)
    fields = _fields(_in_full(library, memory))
    if name not in fields:
        raise WrongUseError(f"{memory.ref} has no field {name!r}.")
    return fields[name]


def _one_of(merged: Sequence[Memory], name: str) -> Memory:
    """The merged memory with this ref or id, or with one that starts like this."""
    for memory in merged:
        names = (memory.ref, memory.ref.removeprefix(_REF), memory.id or "")
        if name and any(one.startswith(name) for one in names):
            return memory
    raise WrongUseError(f"{name!r} isn't one of the merged memories.")


def _in_full(library: Library, memory: Memory) -> MemoryInFull:
    shown = library.records.show(memory.ref)
    if isinstance(shown, MemoryInFull):
        return shown
    raise NothingFoundError(f"{memory.ref} no longer exists.")


def _fields(shown: MemoryInFull) -> Mapping[str, Value]:
    """The fields of a memory as header values."""
    memory = shown.memory
    values: dict[str, Value | float | None] = {
        "title": memory.title,
        "type": memory.type,
        "description": memory.description,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "created": memory.created,
        "updated": memory.updated,
    }
    known = {name: _text(value) for name, value in values.items() if value is not None}
    return {**known, "tags": list(memory.tags), **shown.fields}


def _text(value: Value | float) -> Value:
    return f"{value:g}" if isinstance(value, int | float) else value


# `recollect dedupe`: list duplicates; with `--way`, merge them.


def run_dedupe(arguments: argparse.Namespace, session: Session) -> None:
    """List duplicates, or merge the duplicates of one memory."""
    if not arguments.way:
        with session.library() as library:
            found = _found(library, arguments.ref)
            nothing = "No duplicates."
            answer_list("doubles", found, json=session.json, nothing=nothing)
        return
    if arguments.ref is None:
        raise WrongUseError("--way needs the REF of a duplicate.")
    with changing(session, arguments) as library:
        found = [double.memory for double in _found(library, arguments.ref)]
        if not found:
            raise NothingFoundError(
                f"{arguments.ref} has no duplicates. `recollect merge` merges any "
                "memories."
            )
        merged = in_order(found, arguments.way)
        body = None if arguments.way == MERGE else _body(library, merged[0])
        carry_out(
            library, session, arguments, library.plans.plan(Merge(body=body), merged)
        )


def _found(library: Library, name: str | None) -> Sequence[Double]:
    """All duplicates, or those of the named memory."""
    doubles = library.search.duplicates()
    if name is None:
        return doubles
    (record,) = library.plans.changeable([name])
    groups = {double.of for double in doubles if double.memory.ref == record.ref}
    return [double for double in doubles if double.of in groups]


def _body(library: Library, memory: Memory) -> str | None:
    """The text of the memory that stays, so that the merge does not join all texts."""
    shown = library.records.show(memory.ref)
    return shown.body if isinstance(shown, MemoryInFull) else None


# `recollect new`: create a memory from options, stdin or the user's editor.

_FILE = "memory.md"
"""The file name shown in the editor, and the name of the draft."""

_AGAIN = "recollect new --draft"


def run_new(arguments: argparse.Namespace, session: Session) -> None:
    """Create a memory in the only open store that supports it."""
    fields = _fields_new(arguments)
    if arguments.title is None and arguments.body is not None:
        raise WrongUseError("--body needs --title TITLE.")
    title = None if arguments.title is None else _line(arguments.title)
    with changing(session, arguments) as library:
        if arguments.discard:
            discard(library, session, arguments, _FILE)
        elif title is None:
            _write(library, session, arguments, fields)
        else:
            body = _body_new(arguments.body)
            intent = Create(title=title, body=body, fields=fields, adds=arguments.add)
            carry_out(library, session, arguments, library.plans.plan(intent))


def _fields_new(arguments: argparse.Namespace) -> dict[str, Value]:
    """The fields given by options."""
    fields = {name: value_of(text) for name, text in assigned(arguments.field)}
    if arguments.type is not None:
        fields["type"] = arguments.type
    if arguments.tag:
        fields["tags"] = list(arguments.tag)
    return fields


def _line(title: str) -> str:
    if not title.strip() or "\n" in title:
        raise WrongUseError("The title must be a single, non-empty line.")
    return title.strip()


def _body_new(text: str | None) -> str:
    return sys.stdin.read() if text == STDIN else text or ""


def _write(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    fields: dict[str, Value],
) -> None:
    """Create a memory in the user's editor; saves a draft if that fails."""
    drafts = [one for one in library.journal.drafts() if one.is_of(_FILE)]
    kept = drafts[0] if drafts and arguments.draft else None
    name = kept.name if kept else beside(_FILE, drafts)
    if drafts and not kept:
        complain(EXISTS.format(_AGAIN))
    text = kept.raw if kept else b""
    editor = editor_of(session, "--title TITLE and --body TEXT")

    def keep(written: bytes) -> None:
        library.journal.keep_draft(name, written)

    try:
        text = editor.edit(text, _FILE, keep)
        title, body = _told(text)
        intent = Create(title=title, body=body, fields=fields, adds=arguments.add)
        carry_out(library, session, arguments, library.plans.plan(intent))
    except RecollectError as error:
        made = error.made if isinstance(error, EditorError) else text
        if made:
            keep(made)
            complain(f"Saved as a draft; to continue: {_AGAIN}")
        raise
    library.journal.drop_draft(name)


def _told(raw: bytes) -> tuple[str, str]:
    """Split typed text into the title (first line) and the body."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise WrongUseError("The text isn't valid UTF-8.") from error
    first, _, rest = text.replace("\r\n", "\n").partition("\n")
    return _line(first.removeprefix("# ")), rest.strip("\n")


# `recollect rename REF TITLE`: rename a memory and update references.


def run_rename(arguments: argparse.Namespace, session: Session) -> None:
    """Rename a memory."""
    with changing(session, arguments) as library:
        planned = library.plans.plan(Rename(title=arguments.title), [arguments.ref])
        carry_out(library, session, arguments, planned)


# `recollect set REF… FIELD=VALUE…`: change fields.


def run_set(arguments: argparse.Namespace, session: Session) -> None:
    """Set fields; a field without a value is removed."""
    names, pairs = parted(arguments.words)
    if not pairs:
        raise WrongUseError("Give at least one FIELD=VALUE.")
    values = {name: value_of(text) if text else None for name, text in pairs}
    (name, value), *others = values.items()
    also, adds = dict(others), arguments.add
    intent = Set(name=name, value=value, also=also, adds=adds)
    with changing(session, arguments) as library:
        records = chosen(library, session, names, arguments, Set.word)
        carry_out_each(library, session, arguments, intent, records)


# `recollect tag REF… +TAG -TAG`: add and remove tags.

_SIGNS = ("+", "-")


def run_tag(arguments: argparse.Namespace, session: Session) -> None:
    """Add and remove tags."""
    words: Sequence[str] = arguments.words
    names = [word for word in words if not word.startswith(_SIGNS)]
    tags = [word for word in words if word.startswith(_SIGNS)]
    intent = retagging(tags or names[arguments.query is None :])
    with changing(session, arguments) as library:
        records = chosen(library, session, names, arguments, Retag.word)
        own = {tag for one in records for tag in getattr(one, "tags", ())}
        for tag in intent.remove if records else ():
            if fold(tag) not in map(fold, own):
                complain(f"No tag {tag!r} to remove{guess(tag, own, '.')}")
        carry_out_each(library, session, arguments, intent, records)


# `recollect touch REF…`: mark memories as recalled.


def run_touch(arguments: argparse.Namespace, session: Session) -> None:
    """Mark records as recalled now (+1), as the store's own program does."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Touch.word)
        carry_out_each(library, session, arguments, Touch(), records)


# `recollect transit [REF] STATUS`: set the status of a conversation.


def run_transit(arguments: argparse.Namespace, session: Session) -> None:
    """Set the status of a conversation, or of all that are ready in one store."""
    intent = Transit(status=arguments.status, summary=arguments.summary)
    with changing(session, arguments) as library:
        names = [] if arguments.ref is None else [arguments.ref]
        carry_out(library, session, arguments, library.plans.plan(intent, names))
