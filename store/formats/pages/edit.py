"""What each change writes into a folder of pages."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath

from store.edits.draft import Changeable, Draft, Form, Known
from store.errors import NotPossibleError
from store.files.beneath import Rooted
from store.files.frontmatter import read_page
from store.findings import name_key
from store.formats import markdown_edit
from store.formats.markdown import memories_of, named
from store.formats.markdown_changes import (
    IN_A_TEXT,
    PageJob,
    change,
    form_of,
    move,
    possible_for,
    refuse_unknown,
    rename_heading,
    warn_about_duplicates,
    write_field,
)
from store.formats.markdown_read import TITLES, heading, without_code
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.kinds.problems import Problem
from store.records.intents import Create, Fix, Intent, Rename

Records = Sequence[Changeable]

# Names of files, in the style of those that are there.

_GAPS = re.compile(r"[\s_-]+")

_LOOKED_AT = 300
"""The most pages whose names show the style of a folder."""


def file_name(title: str, like: Iterable[str]) -> str:
    """A name without suffix for a file, in the style of others.

    They decide between spaces, `-` and `_`, and whether it is in lower case.
    """
    stems = list(like)
    counts = Counter({sign: sum(sign in stem for stem in stems) for sign in "-_ "})
    ((sign, _),) = counts.most_common(1)
    stem = markdown_edit.safe_stem(title)
    words = stem.split() if sign == " " else filter(None, _GAPS.split(stem))
    is_lower = 2 * sum(stem == stem.lower() for stem in stems) >= len(stems)
    name = sign.join(words)
    return (name.lower() if is_lower else name) or "page"


def _stems(work: PageJob) -> Iterator[str]:
    memories = islice(work.known.memories(), _LOOKED_AT)
    return (PurePosixPath(memory.path).stem for memory in memories)


def _title(text: str) -> str:
    title = markdown_edit.on_one_line(text)
    if not title:
        raise NotPossibleError("A title can't be empty.")
    return title


# New pages, and new titles.


def create(work: PageJob, intent: Create) -> str:
    """Create a page at the top of the folder."""
    title = _title(intent.title)
    if not intent.adds:
        refuse_unknown(work, intent.fields, ())
    fields = {
        key: markdown_edit.checked(key, value)
        for key, value in intent.fields.items()
        if key not in TITLES
    }
    warn_about_duplicates(work, title)
    stem = file_name(title, _stems(work))
    path = markdown_edit.free_path(work.files, "", stem)
    text = intent.body.replace("\r\n", "\n").strip("\n")
    if title not in {stem, heading(without_code(text))}:
        text = f"# {title}\n\n{text}".rstrip("\n")
    header = ["---", *work.new_header(fields), "---", ""] if fields else []
    work.files.create(path, "\n".join([*header, f"{text}\n" if text else ""]).encode())
    return f"new {named(title)} in {path}"


def rename(work: PageJob, intent: Rename, records: Records) -> str:
    """Change the title of a page, and its file if that is named after the title."""
    memory, *others = memories_of(records)
    if others:
        raise NotPossibleError("Only one page can be renamed at a time.")
    title, old = _title(intent.title), work.names(memory)
    warn_about_duplicates(work, title, own=memory)
    stem = old.stem
    if stem == memory.title:
        stem = markdown_edit.safe_stem(title) or "page"
    elif name_key(stem) == name_key(memory.title):
        stem = file_name(title, [stem] if set(stem) & set("-_ ") else _stems(work))
    place = markdown_edit.free_path(work.files, old.folder, stem, own=memory.path)
    if _is_titled(work, memory) or not (
        rename_heading(work, memory.path, title) or title == stem
    ):
        write_field(work, memory.path, "title", title)
    move(work, memory, place, old)
    return f"rename {named(memory.title)} to {named(title)}"


def _is_titled(work: PageJob, memory: Memory) -> bool:
    """Whether the title of a page is in its header."""
    fields = read_page(work.files.read(memory.path)).fields
    return any(fields.get(key) for key in TITLES)


# Problems with a fix: values in a header that lack their quotes.

_FIXED = frozenset({"invalid-yaml", "hash-in-value"})
_NO_FIX = "Can't be fixed automatically; edit the file."


def fix(work: PageJob, records: Records) -> str:
    """Quote the values because of which a header is invalid."""
    for record in records:
        if not isinstance(record, Problem) or record.code not in _FIXED:
            raise NotPossibleError(_NO_FIX)
        markdown_edit.quote_values(work, record.path)
    return "fix missing quotes"


# The scribe: an intent in, the bytes of every file out.


class PagesScribe(Rooted):
    """Reads the pages of one store and works out changes to them."""

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """The possible actions on a record, or on the store."""
        match record:
            case None:
                return {"new": ""}
            case Memory():
                return possible_for(record)
            case Edge():
                return {"delete": IN_A_TEXT, "set": IN_A_TEXT}
            case Problem():
                return {"fix": "" if record.code in _FIXED else _NO_FIX}
            case _:
                return {}

    def form(self, record: Changeable) -> Form:
        """The file of a record."""
        return form_of(self._root, record)

    def draft(self, intent: Intent, records: Records, known: Known, now: int) -> Draft:
        """The changes to the pages."""
        work = PageJob(self._root, known, now)
        action = _act(work, intent, records)
        return Draft(
            action=action,
            steps=work.steps,
            warnings=work.warnings,
            is_grave=work.is_grave,
            marks=tuple(work.marks),
            moves=work.files.moves,
        )


def _act(work: PageJob, intent: Intent, records: Records) -> str:
    match intent:
        case Create():
            return create(work, intent)
        case Rename():
            return rename(work, intent, records)
        case Fix():
            return fix(work, records)
        case _:
            action = change(work, intent, records)
    if action is None:
        raise NotPossibleError(IN_A_TEXT)
    return action
