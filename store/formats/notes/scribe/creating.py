"""New notes: one that the user makes, or many that another program extracted."""

from collections.abc import Iterator, Mapping

from store.edits.refusals import NotPossibleError, UnknownKindError
from store.files.markdown.saying import counted, named
from store.findings import Json, Value, name_key
from store.formats.notes.memory import DEFAULT_TYPE
from store.formats.notes.scribe.doubles import tell_of_doubles
from store.formats.notes.scribe.forms import header_lines, manner_of
from store.formats.notes.scribe.naming import free_path, stem_of
from store.formats.notes.scribe.note import on_one_line
from store.formats.notes.scribe.setting import checked, tell_of_type
from store.formats.notes.scribe.work import Work
from store.records.intents import Append, Create

IMPORT = "import"
"""What adding all notes of a list is called."""

_LONGEST_HOOK = 80
_MICROS = 1_000_000


def create(work: Work, intent: Create) -> str:
    """Make a note in the form of its store, and list it."""
    name = on_one_line(intent.title)
    if not name:
        raise NotPossibleError("A name is one line that says something.")
    path = _make(work, name, intent.fields, intent.body)
    return f"new {named(name)} in {path}"


def take_in(work: Work, intent: Append) -> str:
    """Make a note of every record `{name, type, description, body}` of a list.

    A record without description or body is none; one without a name is called after
    the time, as the program calls it that extracts such records.
    """
    if intent.kind != IMPORT:
        raise UnknownKindError("What is added to notes is a list of records: `import`.")
    records = list(_records(intent.fields))
    passed = taken = 0
    names = _known_names(work)
    for number, record in enumerate(records):
        body, fields = _text(record, "body"), _fields(record)
        if not body or "description" not in fields:
            passed += 1
            continue
        later = f"_{number}" if number else ""
        name = _text(record, "name") or f"memory_{work.now // _MICROS}{later}"
        if name_key(name) in names:
            work.warn(f"{named(name)} is there already and is passed over.")
            continue
        names.add(name_key(name))
        _make(work, on_one_line(name), fields, body)
        taken += 1
    if passed:
        told = counted(passed, "record has", "records have")
        work.warn(f"{told} no description or no body and cannot be taken in.")
    if not records:
        raise NotPossibleError("There is no record in it.")
    work.count = taken
    return f"import {counted(taken, 'record', 'records')}"


def _make(work: Work, name: str, fields: Mapping[str, Value], body: str) -> str:
    told = {key: checked(key, value) for key, value in fields.items() if key != "name"}
    text = body.replace("\r\n", "\n").strip("\n")
    hook = next((line.strip() for line in text.split("\n") if line.strip()), "")
    told = {
        "name": name,
        "description": hook[:_LONGEST_HOOK] or name,
        "type": DEFAULT_TYPE,
    } | told
    stem = stem_of(name)
    path = free_path(work.bench, "", stem)
    if path != f"{stem}.md":
        work.warn(f"There is a {stem}.md already, so this becomes {path}.")
    tell_of_type(work, told["type"])
    tell_of_doubles(work, told["name"], told["description"])
    lines = header_lines(manner_of(work), told, work.now)
    page = "\n".join(["---", *lines, "---", "", f"{text}\n" if text else ""])
    work.bench.create(path, page.encode())
    work.indexes.add(work.listed(path))
    return path


def _known_names(work: Work) -> set[str]:
    return {name_key(memory.title) for memory in work.known.memories()}


def _records(fields: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """The records: what was given is one, or holds a list of them."""
    if "body" in fields:
        yield fields
        return
    for items in fields.values():
        for item in items if isinstance(items, list) else [items]:
            if not isinstance(item, dict):
                raise NotPossibleError("What is taken in is a list of records.")
            yield item


def _fields(record: Mapping[str, Json]) -> dict[str, Value]:
    told: dict[str, Value] = {}
    for key in ("description", "type"):
        text = _text(record, key)
        if text:
            told[key] = text
    return told


def _text(record: Mapping[str, Json], key: str) -> str:
    value = record.get(key)
    return value.strip() if isinstance(value, str) else ""
