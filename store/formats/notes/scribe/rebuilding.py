"""MEMORY.md made anew, by the rule of the program that makes such indexes."""

from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.markdown.saying import counted
from store.formats.notes.scribe.indexes import USUAL, index_in
from store.formats.notes.scribe.lines import lines_of
from store.formats.notes.scribe.listing import whole
from store.formats.notes.scribe.ruled import is_by_rule
from store.formats.notes.scribe.work import Work

WORD = "notes-index"
"""What the command line calls it."""


def rebuild(work: Work, name: str) -> str:
    """Make the index anew: a line for each note, in the order of their files."""
    if name != WORD:
        raise NotPossibleError(f"What is derived here is: {WORD}.")
    root = work.bench.root
    path = index_in(root, "") or USUAL
    work.indexes.edit(path, lambda _: whole(root))
    _tell_what_goes(work, path)
    return f"rebuild {name}"


def _tell_what_goes(work: Work, path: str) -> None:
    """Warn of what somebody wrote by hand."""
    try:
        raw = work.bench.derived(path) or b""
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    text = raw.decode(errors="replace")
    if is_by_rule(text):
        return
    listing = {line.number for line in lines_of("", text) if line.leads}
    lines = text.split("\n")
    others = sum(bool(s.strip()) and n not in listing for n, s in enumerate(lines))
    work.is_grave = True
    told = "its order and its words go"
    if others:
        told = f"{counted(others, 'line', 'lines')} of it that list no note go"
    work.warn(f"{path} was written by hand: {told}.")
