"""A note's header changed; one that is no valid YAML is mended first, none is made."""

from collections.abc import Callable

from store.edits.refusals import NotPossibleError
from store.files.frontmatter import read_page
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.header import Header, locate
from store.files.frontmatter.mending import with_quotes
from store.files.frontmatter.split import opens
from store.files.markdown.job import Job
from store.findings import Value
from store.formats.notes.scribe.forms import header_lines, manner_of

_BOM = b"\xef\xbb\xbf"


def has_header(job: Job, path: str) -> bool:
    """Whether a note has a header at all."""
    return read_page(job.bench.read(path)).has_header


def edit(job: Job, path: str, change: Callable[[Header], Header]) -> None:
    """Change the header of a note, which then says so where it says such a thing."""
    raw = job.bench.read(path)
    try:
        locate(raw)
    except HeaderError as broken:
        if read_page(raw).has_header:
            _mend(job, path, raw, broken)
    job.revise(path, change)


def begin(job: Job, path: str, fields: dict[str, Value]) -> None:
    """Give a note without a header one that says so much."""
    raw = job.bench.read(path)
    try:
        text = raw.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise NotPossibleError(f"{path} is not UTF-8.") from error
    if opens(text):
        raise NotPossibleError(f"{path} begins a header and never ends it.")
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = header_lines(manner_of(job), fields, job.now)
    blank = "" if text.startswith(("\n", "\r\n")) or not text else newline
    header = newline.join(["---", *lines, "---", ""])
    mark = _BOM if raw.startswith(_BOM) else b""
    job.bench.write(path, mark + f"{header}{blank}{text}".encode())


def _mend(job: Job, path: str, raw: bytes, broken: HeaderError) -> None:
    """Put the values in quotes that YAML stumbles over."""
    try:
        job.bench.write(path, with_quotes(raw))
    except HeaderError as error:
        raise NotPossibleError(f"{path} cannot be changed. {broken}") from error
    job.warn(f"{path} was no valid YAML; what lacked its quotes gets them.")
