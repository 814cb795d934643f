"""What a store of transcripts can be asked, beside being listed."""

from collections.abc import Iterator, Mapping, Sequence

from store.errors import NothingFoundError, WrongUseError
from store.files.jsonl import parse, split_lines
from store.findings import Json
from store.formats.port import Question, Source
from store.formats.transcripts.bases import Bases
from store.formats.transcripts.branches import branches
from store.formats.transcripts.comparing import compare
from store.formats.transcripts.dividing import divide
from store.formats.transcripts.roles import GROWING
from store.formats.transcripts.scan import scan
from store.transcript import text

QUESTIONS = (
    Question("lines", "the lines of a transcript as they stand", "SOURCE [FROM [TO]]"),
    Question("branches", "where a conversation was taken up anew", "SOURCE"),
    Question(
        "divisions",
        "where later versions would divide: by the gap, 200 entries, 80 K characters",
        "SOURCE",
    ),
    Question("import-check", "what is live, in the backup, or in both", ""),
)

_LONGEST = 1_000


def answer(
    bases: Bases, question: str, words: Sequence[str]
) -> Iterator[Mapping[str, Json]]:
    """Answer a question, row by row; raises WrongUseError where words are missing."""
    if question == "import-check":
        if words:
            raise WrongUseError("`import-check` is asked without further words.")
        return compare(bases)
    if not words:
        raise WrongUseError(f"`{question}` needs the path of a transcript.")
    path = _source(bases, words[0])
    if question == "branches":
        return branches(bases, path)
    if question == "divisions":
        return divide(bases, path)
    first, last = _bounds(words[1:])
    return _lines(bases, path, first, last)


def _source(bases: Bases, word: str) -> str:
    """The transcript that a word names: its path, or a part that only it has."""
    found = [
        source.path
        for source in scan(bases)
        if isinstance(source, Source) and source.role in GROWING and word in source.path
    ]
    if word in found:
        return word
    if len(found) != 1:
        how_many = f"{len(found)} transcripts are" if found else "No transcript is"
        raise NothingFoundError(f"{how_many} called {word!r} in this store.")
    return found[0]


def _bounds(words: Sequence[str]) -> tuple[int, int | None]:
    if not all(word.isascii() and word.isdigit() for word in words):
        raise WrongUseError("Lines are told by their numbers.")
    match [int(word[:18]) for word in words]:
        case []:
            return 1, None
        case [first]:
            return first, None
        case [first, last]:
            return first, last
        case _:
            raise WrongUseError("`lines` takes a transcript and two numbers at most.")


def _lines(
    bases: Bases, path: str, first: int, last: int | None
) -> Iterator[Mapping[str, Json]]:
    """The lines between two numbers, each as it stands, long ones cut."""
    with bases.opened(path) as file:
        for line in split_lines(file):
            if last is not None and line.number > last:
                return
            if line.number < first:
                continue
            raw = line.raw or b""
            value = next(iter(parse(raw).values), None)
            record = value if isinstance(value, dict) else {}
            yield {
                "line": line.number,
                "type": text(record, "type") or None,
                "at": record.get("timestamp"),
                "bytes": line.size,
                "text": raw[: _LONGEST * 4].decode(errors="replace")[:_LONGEST],
            }
