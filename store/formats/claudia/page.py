"""Pages about people, projects and insights; questions; what the librarian noted."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from store.files.frontmatter import Page
from store.findings import DocumentFound, Findings, Value
from store.formats.claudia.layout import LOG, TRANSCRIPT, conversation_key
from store.formats.claudia.prose import Line, field_of, heading_of, lines_of

_GENERIC = frozenset({"overview", "index"})
"""Names of files that say nothing of what is in them: their folder's name does."""

_FACTS = frozenset({"relationship", "path", "purpose", "status", "project", "mood"})
_HEADER_LINES = frozenset({"date", "time", "session", "project"})
"""What stands above a transcript that the librarian was handed."""


def read_other_page(path: str, page: Page) -> Findings:
    """A page, with the fields that it names and the questions that it asks."""
    lines = list(lines_of(page.body, page.body_line))
    facts: dict[str, Value] = dict(_facts(lines))
    questions = list(_questions(lines))
    if questions:
        facts["questions"] = [*questions]
    folder, slash, _ = path.partition("/")
    return _document(path, page, lines, folder if slash else None, facts)


def read_log(path: str, page: Page) -> Findings:
    """What the librarian thought before and after it wrote a conversation down."""
    lines = list(lines_of(page.body, page.body_line))
    return _document(path, page, lines, "libby-log", _of_conversation(LOG, path))


def read_transcript(path: str, page: Page) -> Findings:
    """The conversation as the librarian was handed it."""
    lines = list(lines_of(page.body, page.body_line))
    facts = _of_conversation(TRANSCRIPT, path)
    for line in lines[:10]:
        name, colon, value = line.text.partition(":")
        if colon and name.lower() in _HEADER_LINES:
            facts[name.lower()] = value.strip()
    return _document(path, page, lines, "libby-transcript", facts)


def _document(
    path: str,
    page: Page,
    lines: Iterable[Line],
    category: str | None,
    facts: dict[str, Value],
) -> Findings:
    if page.fields:
        facts["header"] = page.fields
    document = DocumentFound(
        title=_title(path, page, lines),
        role="document",
        text=page.body,
        category=category,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws)


def _title(path: str, page: Page, lines: Iterable[Line]) -> str:
    """The header's title, the first heading, or a name out of the path."""
    told = page.fields.get("title")
    if isinstance(told, str) and told:
        return told
    headings = (heading_of(line) for line in lines)
    first = next((head.text for head in headings if head), None)
    file = PurePosixPath(path)
    is_generic = file.stem.lower() in _GENERIC and bool(file.parent.name)
    return first or (file.parent.name if is_generic else file.stem)


def _facts(lines: Iterable[Line]) -> Iterator[tuple[str, str]]:
    seen = set[str]()
    for line in lines:
        found = field_of(line)
        name = found.name.lower() if found else ""
        if found and name in _FACTS and name not in seen:
            seen.add(name)
            yield name, found.value


def _questions(lines: Iterable[Line]) -> Iterator[Value]:
    """Each question with its context, and the day that it was asked on."""
    day, question = "", dict[str, Value]()
    for line in lines:
        head, found = heading_of(line), field_of(line)
        name = found.name.lower() if found else ""
        if head:
            day = head.text
        if found and name == "q":
            if question:
                yield question
            question = {"day": day, "question": found.value}
        elif found and name == "context" and question:
            question["context"] = found.value
    if question:
        yield question


def _of_conversation(shape: re.Pattern[str], path: str) -> dict[str, Value]:
    named = shape.fullmatch(path)
    return {"conversation": conversation_key(named[1])} if named else {}
