"""Every screen of the browser, and the keys that lead from one to the next."""

from collections.abc import Iterator, Sequence

Step = Sequence[str]

VIEWS = "1234567890"

ANYWHERE: dict[str, Step] = {
    "links": ["escape", "escape", "1", "l"],
    "linked": ["j", "space"],
    "facets": ["h", "1", "F"],
    "facet": ["j", "j", "enter"],
    "no facet": ["enter", "F"],
    "zoomed list": ["1", "z"],
    "keys that follow y": ["z", "j", "y"],
    "keys that follow g": ["escape", "g"],
    "stores": ["s"],
    "stores, found": ["text:pwn"],
    "orders": ["escape", "s"],
    "themes": ["escape", "T"],
    "saved queries": ["escape", "'"],
    "alike": ["escape", "*"],
    "the way between": ["escape", "space", "space", "g", "p"],
    "palette": ["escape", "escape", ":"],
    "palette, memories": ["text:pwned"],
    "palette, stores": ["ctrl+u", "text:cognitive"],
    "keys": ["escape", "?"],
    "keys, nothing": ["text:zzzz"],
    "query": ["escape", "/"],
    "offers of tags": ["text:tags:"],
    "offers of types": ["ctrl+u", "text:type:"],
    "offers of stores": ["ctrl+u", "text:store:"],
    "offer taken": ["tab"],
    "earlier queries": ["ctrl+u", "ctrl+r"],
    "earlier query taken": ["tab", "enter"],
    "no query": ["escape"],
    "pasted": ["/", "paste:a\x1b]2;PWNED\x07\u202e[/]\x9b777m"],
    "nothing found": ["ctrl+u", "text:zqzqzq zqzq"],
    "not understood": ["ctrl+u", "text:(PWNED colour:x"],
    "hits": ["ctrl+u", "text:pwned", "enter"],
    "hit": ["enter", "n"],
    "end": ["G"],
    "in git": ["q", "/", "ctrl+u", "text:path:vault", "enter", "enter"],
    "read in git": ["enter"],
    **{f"further {page}": ["pagedown"] for page in range(8)},
    **{f"tab {tab} in git": ["]"] for tab in range(6)},
    "episodes": ["escape", "escape", "escape", "3", "tab"],
    "link": ["l"],
    "where it leads": ["l"],
    "back": ["H"],
}
"""What opens over the lists, and what one comes to from them."""


def in_a_view(view: str) -> dict[str, Step]:
    """What there is in every view."""
    steps: dict[str, Step] = {
        "list": ["escape", "escape", view, "j"],
        "reader": ["enter"],
        "tab": ["]"],
    }
    return {f"{view} {name}": step for name, step in steps.items()}


def screens() -> Iterator[tuple[str, Step]]:
    """All of them, in an order that leads through all."""
    yield "start", []
    for view in VIEWS:
        yield from in_a_view(view).items()
    yield from ANYWHERE.items()
