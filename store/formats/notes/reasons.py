"""The two marks that give a feedback memory its reason and its use."""

import re
from itertools import zip_longest

_MARK = re.compile(
    r"\*\*(?P<mark>Why|How[ \t]+to[ \t]+apply)(?::\*\*|\*\*[ \t]*:|\*\*)",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*(?:\n|$)")


def reasons(body: str, prose: str) -> dict[str, str]:
    """The texts after `**Why:**` and `**How to apply:**`, each up to a blank line.

    `prose` is the body without its code, as long as the body itself: a mark is sought
    there, its text is cut from the body.
    """
    marks = list(_MARK.finditer(prose))
    found: dict[str, list[str]] = {}
    for mark, following in zip_longest(marks, marks[1:]):
        end = following.start() if following else len(body)
        blank = _BLANK_LINE.search(body, mark.end(), end)
        text = body[mark.end() : blank.start() if blank else end].strip()
        key = "why" if mark["mark"].casefold() == "why" else "how_to_apply"
        if text:
            found.setdefault(key, []).append(text)
    return {key: "\n\n".join(texts) for key, texts in found.items()}
