"""What else lies in a store: notes, logs, reports and lists, each as a document."""

from pathlib import PurePosixPath

from store.files.beneath import Blob
from store.files.frontmatter import read_page
from store.findings import DocumentFound, Findings, Flaw, Severity, Value
from store.formats.kei.backlog import read_backlog
from store.formats.kei.layout import original

_INDEX = "MEMORY.md"
_PRIVATE = "[PRIVATE]"
_MARKDOWN = ".md"


def read_page_of(path: str, blob: Blob) -> Findings:
    """A file as a document; of markdown, what its header says is a fact of it."""
    inside = PurePosixPath(original(path))
    page = read_page(blob.raw, whole=blob.whole) if _is_markdown(inside) else None
    text = page.body if page else blob.raw.decode("utf-8", errors="replace")
    facts: dict[str, Value] = {"lines": str(len(text.splitlines()))}
    if page and page.fields:
        facts["header"] = page.fields
    if _PRIVATE in text:
        facts["private"] = "yes"
    title = (_heading(text) or inside.stem) if page else inside.name
    document = DocumentFound(
        title=title,
        role="memory-index" if inside.name == _INDEX else "document",
        text=text,
        category=inside.parent.name or None,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws if page else _cut(blob))


def read_backlog_of(path: str, blob: Blob) -> Findings:
    """A list of what is to be done, its entries as facts."""
    text = blob.raw.decode("utf-8", errors="replace")
    backlog = read_backlog(text)
    facts: dict[str, Value] = {"entries": [item.as_fact() for item in backlog.items]}
    if backlog.sessions is not None:
        facts["sessions"] = str(backlog.sessions)
    name = PurePosixPath(original(path)).stem
    document = DocumentFound(
        title=_heading(text) or name,
        role="document",
        text=text,
        category="backlog",
        facts=facts,
    )
    return Findings(documents=(document,), flaws=_cut(blob))


def _is_markdown(path: PurePosixPath) -> bool:
    return path.suffix == _MARKDOWN


def _heading(text: str) -> str:
    """The first heading of a page; empty where it has none."""
    lines = (line for line in text.splitlines() if line.startswith("#"))
    return next((words for line in lines if (words := line.strip("# \t"))), "")


def _cut(blob: Blob) -> tuple[Flaw, ...]:
    flaws: list[Flaw] = []
    if not blob.whole:
        message = "The file is too large: only its beginning is shown."
        flaws.append(Flaw(code="cut-short", message=message))
    try:
        blob.raw.decode()
    except UnicodeDecodeError:
        if blob.whole:
            message = "The file is not valid UTF-8; what is not is shown as �."
            flaws.append(
                Flaw(code="not-utf-8", message=message, severity=Severity.WARNING)
            )
    return tuple(flaws)
