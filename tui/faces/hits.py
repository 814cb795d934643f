"""What a search found: records of every kind, each with the stretch that shows why."""

import sys
from collections.abc import Iterable, Iterator

from store.clean import clean
from store.records.agent import Agent
from store.records.conversation import Conversation
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.hit import Found, Hit, Snippet
from store.records.memory import Memory
from tui.faces.instants import to_the_minute
from tui.faces.json_lines import as_object, encoded

_OWN_KIND = "own_kind"
"""Where a record's own `kind` stands, since a hit's `kind` says which record it is."""

_NAMING = ("kind", "name", "tool", "code")
"""What stands in for a title where a record has none, and when it was, behind it."""

_INDENT = "    "


def write_json(hits: Iterable[Hit], *, explained: bool) -> None:
    """Print each hit as one line of JSON: the record's fields, then its rank."""
    out = sys.stdout.buffer
    for hit in hits:
        out.write(encoded(_object(hit, explained=explained)) + b"\n")
    out.flush()


def _object(hit: Hit, *, explained: bool) -> dict[str, object]:
    record = as_object(hit.record)
    if "kind" in record:
        record[_OWN_KIND] = record.pop("kind")
    record["kind"] = hit.kind
    record["score"] = hit.score
    record["similar"] = hit.similar
    record["snippet"] = hit.snippet.text if hit.snippet else None
    record["spans"] = hit.snippet.spans if hit.snippet else ()
    if explained:
        record["reasons"] = hit.reasons
    return record


def write_plain(hits: Iterable[Hit], *, explained: bool) -> None:
    """Print each hit as one line, cells apart by tabs."""
    for hit in hits:
        cells = [
            hit.record.ref or "",
            hit.kind,
            f"{hit.score:.3f}",
            clean(title(hit.record)),
            clean(hit.snippet.text) if hit.snippet else "",
            clean(hit.record.store),
        ]
        if explained:
            cells.append(clean("; ".join(hit.reasons)))
        sys.stdout.buffer.write(("\t".join(cells) + "\n").encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def write_lines(hits: Iterable[Hit], *, explained: bool) -> None:
    """Print each hit for a person: what it is, the stretch, and why if asked."""
    from rich.console import Console  # noqa: PLC0415  # slow, for people only
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console(highlight=False)
    for hit in hits:
        head = Text(f"{hit.record.ref}  ", style="dim")
        head.append(clean(title(hit.record)) or hit.kind, style="bold not dim")
        console.print(head, no_wrap=True, overflow="ellipsis")
        if hit.snippet and hit.snippet.text.strip():
            line = Text(_INDENT)
            for text, is_match in pieces(hit.snippet):
                line.append(clean(text), style="bold underline" if is_match else "")
            console.print(line, no_wrap=True, overflow="ellipsis")
        if explained:
            why = f"{_INDENT}{hit.score:.2f}: {'; '.join(hit.reasons)}"
            console.print(Text(clean(why), style="dim"))


def pieces(snippet: Snippet) -> Iterator[tuple[str, bool]]:
    """The snippet in pieces, and whether each is what was looked for."""
    end = 0
    for begin, stop in snippet.spans:
        yield snippet.text[end:begin], False
        yield snippet.text[begin:stop], True
        end = stop
    yield snippet.text[end:], False


def title(record: Found) -> str:
    """What a record is called, in a line."""
    match record:
        case Memory() | Episode() | Conversation() | Document():
            return record.title
        case Edge():
            return f"{record.from_title} —{record.type}→ {record.to_title}"
        case Agent():
            return str(record.columns.get("summary") or record.ref)
        case _:
            named = [getattr(record, name, None) for name in _NAMING]
            when = to_the_minute(getattr(record, "at", None) or "")
            return " ".join(str(name) for name in (*named, when) if name)
