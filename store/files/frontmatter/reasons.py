"""What a YAML parser complains of, in plain words."""

import yaml

from store.files.frontmatter.errors import InvalidHeaderError

_WORDS = {
    "mapping values are not allowed": "an unquoted value holds a colon and a space",
    "cannot start any token": "a value starts with a character that needs quotes",
    "could not find expected ':'": "a line has no colon after its key",
    "did not find expected key": "a line does not fit the ones before it",
    "expected <block end>": "a line does not fit the ones before it",
    "did not find expected ',' or": "a list in brackets is not closed",
    "did not find expected '-' indicator": "a list is broken by a line without dash",
    "unexpected end of stream": "a quote is never closed",
    "control characters are not allowed": "it holds a control character",
    "special characters are not allowed": "it holds a control character",
    "unknown escape character": "a quoted value holds a stray backslash",
    "invalid unicode character escape": "a quoted value escapes half a character",
    "expected <document start>": "something stands beside the fields",
    "directive": "it starts with a directive",
    "incompatible yaml document": "it starts with a directive",
}


def invalid(error: Exception, text: str) -> InvalidHeaderError:
    """The error of ours for an error of the parser's, with the line in the file."""
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", ""))
    low = problem.lower()
    known = (words for sign, words in _WORDS.items() if sign in low)
    why = next(known, problem or "a value cannot be read")
    line = _line(error, text)
    return InvalidHeaderError(
        f"The header is not valid YAML: {why} (line {line}).", line
    )


def _line(error: Exception, text: str) -> int:
    """Where to look: what is never closed is named by where it was opened."""
    if isinstance(error, yaml.MarkedYAMLError):
        opened = "end of stream" in (error.problem or "") and error.context_mark
        mark = opened or error.problem_mark or error.context_mark
        return mark.line + 2 if mark else 2
    position = getattr(error, "position", 0)
    return text.encode()[: max(position, 0)].count(b"\n") + 2
