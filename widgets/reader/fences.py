"""Code in its colours, where somebody takes the time to read it."""

from collections.abc import Iterator

from pygments.lexers import find_lexer_class_by_name
from pygments.token import Comment, Keyword, Name, Number, String
from pygments.util import ClassNotFound

from widgets.reader.runs import Run

_LONGEST = 16_000
"""Characters of code that are coloured; longer code stays plain."""

_TONES = (
    (Comment, "code_comment"),
    (Keyword, "code_keyword"),
    (String, "code_string"),
    (Number, "code_number"),
    (Name.Function, "code_name"),
    (Name.Class, "code_name"),
    (Name.Tag, "code_name"),
)


def coloured(code: str, language: str) -> Iterator[Run]:
    """Code as runs, each in the tone of what it is."""
    if len(code) > _LONGEST or not language:
        yield Run(code, "code")
        return
    try:
        lexer = find_lexer_class_by_name(language)(stripnl=False, ensurenl=False)
    except ClassNotFound:
        yield Run(code, "code")
        return
    for kind, text in lexer.get_tokens(code):
        tone = next((tone for parent, tone in _TONES if kind in parent), "code")
        yield Run(text, tone)
