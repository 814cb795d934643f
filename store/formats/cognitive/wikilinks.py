"""`[[Wikilinks]]` in a body, as claims about edges."""

import re

from store.files.fences import fenced
from store.findings import Claim, Side, name_key

CODE_OR_LINK = re.compile(r"`[^`]++`|\[\[(?!\s)([^\[\]]++)\]\]")
"""Inline code, which holds no link, or a link with its name."""


def read_wikilinks(own: str, body: str, first_line: int) -> list[Claim]:
    """One claim for each name that is linked to, at the first line that does so."""
    if "[[" not in body:
        return []
    claims: dict[str, Claim] = {}
    lines = body.split("\n")
    code = fenced(lines)
    for number, line in enumerate(lines):
        if "[[" not in line or number in code:
            continue
        for found in CODE_OR_LINK.finditer(line):
            label = (found[1] or "").partition("|")[0].strip()
            end = name_key(label)
            if label and end not in claims:
                claims[end] = Claim(
                    start=own,
                    end=end,
                    type="link",
                    side=Side.WIKILINK,
                    end_title=label,
                    line=first_line + number,
                )
    return list(claims.values())
