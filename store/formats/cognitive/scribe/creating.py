"""A new memory: its identifier, its file's name, its header as the writer puts it."""

from store.edits.refusals import NotPossibleError
from store.files.markdown.job import Job
from store.files.markdown.saying import named
from store.files.moments import moment_like
from store.findings import Value
from store.formats.cognitive.scribe.calling import title_of
from store.formats.cognitive.scribe.fields import ORDER
from store.formats.cognitive.scribe.naming import name_of, new_id, place_of
from store.formats.cognitive.scribe.setting import checked
from store.formats.cognitive.scribe.writing import Entry, page
from store.formats.cognitive.vocabulary import DEFAULT_CONFIDENCE
from store.records.intents import Create

USUAL_TYPE = "general"
USUAL_IMPORTANCE = "0.5"
"""What a memory gets of which nothing is said; the format names no default."""


def create(job: Job, intent: Create) -> str:
    """Make a memory in the folder of its type."""
    title = title_of(intent.title)
    identifier = new_id()
    fields = _fields(job, intent, title)
    kind = fields["type"]
    if not isinstance(kind, str):
        raise NotPossibleError("`type` is one piece of text.")
    path = place_of(kind, name_of(title, identifier))
    entries = [*_in_order({"id": identifier, **fields})]
    job.bench.create(path, page(entries, intent.body.replace("\r\n", "\n")))
    _tell_of_namesakes(job, title)
    return f"new {kind} {named(title)}"


def _fields(job: Job, intent: Create, title: str) -> dict[str, Value]:
    told = {
        name: checked(name, value)
        for name, value in intent.fields.items()
        if name != "title"
    }
    moment = moment_like(None, job.now)
    usual: dict[str, Value] = {
        "type": USUAL_TYPE,
        "tags": [],
        "importance": USUAL_IMPORTANCE,
        "confidence": str(DEFAULT_CONFIDENCE),
        "created": moment,
        "updated": moment,
    }
    return {**usual, **told, "title": title}


def _in_order(fields: dict[str, Value]) -> list[Entry]:
    """The fields in the writer's order, its own first."""
    names = [*(name for name in ORDER if name in fields)]
    names += [name for name in fields if name not in ORDER]
    return [(name, _entry(fields[name])) for name in names]


def _entry(value: Value) -> str | list[str]:
    if isinstance(value, str):
        return value
    return [item for item in value if isinstance(item, str)]


def _tell_of_namesakes(job: Job, title: str) -> None:
    """Warn where a memory is called the same already."""
    for memory in job.known.namesakes(title):
        job.warn(f"{memory.path} is called {named(memory.title)} already.")
