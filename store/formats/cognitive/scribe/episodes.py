"""An entry more in a daily log, which is only ever added to."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError, UnknownKindError
from store.files.markdown.job import Job, memories_of
from store.files.markdown.saying import named
from store.files.moments import moment_of
from store.findings import Json
from store.formats.cognitive.layout import EPISODES, stem_of
from store.records.intents import Append
from store.records.memory import Memory

_KNOWN = frozenset({"title", "date", "time", "type", "tags", "memory", "summary"})
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_OWN_END = re.compile(r"-[0-9a-f]{6}$")


def append(job: Job, intent: Append, records: Sequence[Changeable]) -> str:
    """Add an entry at the end of a day, and make the day's file where it is the first.

    Day and time are those of UTC, as all instants of the format are, unless said.
    """
    if intent.kind != "episode":
        raise UnknownKindError("What is added to here is a daily log: an `episode`.")
    strange = sorted(set(intent.fields) - _KNOWN)
    if strange:
        raise NotPossibleError(f"An entry of a daily log has no {strange[0]!r}.")
    memory = _memory(job, intent, records)
    day, time = _when(job, intent.fields)
    title = _line(intent.fields, "title") or (memory.title if memory else "")
    if not title:
        raise NotPossibleError("An entry of a daily log needs a title.")
    entry = "\n".join([f"## {time} - {title}", *_lines(intent.fields, memory)])
    _add(job, f"{EPISODES}/{day}.md", day, entry)
    return f"append {named(title)} to {day}"


def _add(job: Job, path: str, day: str, entry: str) -> None:
    if not job.bench.has(path):
        job.bench.create(path, f"# {day}\n\n{entry}\n".encode())
        return
    raw = job.bench.read(path)
    if raw.endswith(b"\0"):
        raise NotPossibleError(f"{path} ends in NUL bytes, as a crash leaves them.")
    newline = "\r\n" if b"\r\n" in raw else "\n"
    ended = raw.replace(b"\r\n", b"\n")
    gap = "" if ended.endswith(b"\n\n") else "\n" if ended.endswith(b"\n") else "\n\n"
    text = f"{gap if ended else ''}{entry}\n".replace("\n", newline)
    job.bench.write(path, raw + text.encode())


def _lines(fields: Mapping[str, Json], memory: Memory | None) -> list[str]:
    tags = fields.get("tags")
    listed = tags if isinstance(tags, list) else str(tags or "").split(",")
    told = {
        "Type": _line(fields, "type") or (memory.type if memory else None),
        "Tags": ", ".join(" ".join(str(tag).split()) for tag in listed if tag)
        or (", ".join(memory.tags) if memory else None),
        "Memory": _link(memory) if memory else None,
        "Summary": _line(fields, "summary"),
    }
    return [f"- **{name}:** {text}" for name, text in told.items() if text]


def _link(memory: Memory) -> str:
    """A link from the folder of daily logs, called as the writer calls it."""
    path = memory.path.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return f"[{_OWN_END.sub('', stem_of(memory.path))}](../{path})"


def _memory(job: Job, intent: Append, records: Sequence[Changeable]) -> Memory | None:
    """The memory that the entry is about, as a record or by its ref."""
    ref = _line(intent.fields, "memory")
    if records:
        return memories_of(records)[0]
    if not ref:
        return None
    memory = job.known.memory(ref)
    if memory is None:
        raise NotPossibleError(f"No memory of this store goes by {ref!r}.")
    return memory


def _when(job: Job, fields: Mapping[str, Json]) -> tuple[str, str]:
    now = moment_of(job.now)
    day = _line(fields, "date") or f"{now:%Y-%m-%d}"
    time = _line(fields, "time") or f"{now:%H:%M}"
    try:
        datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise NotPossibleError(f"{day!r} is no day; write YYYY-MM-DD.") from error
    if not _TIME.fullmatch(time):
        raise NotPossibleError(f"{time!r} is no time of a day; write HH:MM.")
    return day, time


def _line(fields: Mapping[str, Json], name: str) -> str:
    """A field on one line: a break within would begin another field, or an entry."""
    value = fields.get(name)
    return " ".join(str(value).split()) if value is not None else ""
