"""The text below a header: put in the place of another, or joined from several."""

from collections.abc import Sequence

from store.edits.refusals import NotPossibleError
from store.files.frontmatter import read_page
from store.files.markdown.job import Job


def put_body(job: Job, path: str, text: str) -> None:
    """Give a file another text; the lines end as those of its header do."""
    header = job.header(path)
    old = header.raw[header.body :].decode()
    if old.replace("\r\n", "\n").strip("\n") == text.strip("\n"):
        return
    told = old.lstrip("\r\n")
    before = old[: len(old) - len(told)] or header.newline
    new = text.strip("\n").replace("\n", header.newline) + header.newline
    job.bench.write(path, header.raw[: header.body] + f"{before}{new}".encode())
    job.stamp(path)


def joined(job: Job, path: str, others: Sequence[str], chosen: str | None) -> str:
    """The text that was chosen, else all texts, each once, one after the other."""
    if chosen is not None:
        return chosen.replace("\r\n", "\n")
    texts = [_text(job, each) for each in (path, *others)]
    return "\n\n".join(dict.fromkeys(text for text in texts if text.strip()))


def _text(job: Job, path: str) -> str:
    raw = job.bench.read(path)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise NotPossibleError(f"{path} is not UTF-8.") from error
    return read_page(raw).body.replace("\r\n", "\n").strip("\n")
