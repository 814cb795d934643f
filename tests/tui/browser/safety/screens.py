"""Every screen of the browser, and the keys from one to the next."""

from collections.abc import Iterator, Mapping, Sequence

Step = Sequence[str]

VIEWS = "1234567890"

SIDES = 6
"""Beside the first: as many as a memory has, and as there are journals."""

ANYWHERE: dict[str, Step] = {
    "links": ["escape", "escape", "1", "l"],
    "linked": ["j", "space"],
    "facets": ["h", "1", "F"],
    "facet": ["j", "j", "space"],
    "no facet": ["space", "enter", "F"],
    "zoomed list": ["1", "z"],
    "keys that follow y": ["z", "j", "y"],
    "keys that follow g": ["escape", "g"],
    "reports": ["R"],
    "statistics": ["enter", "q", "g", "R", "enter"],
    "rows of statistics": ["/", "text:pwn", "escape"],
    "over a report": ["j", "k", "pagedown", "pageup", "G", "g", "s", "S"],
    "parameters of a report": ["e"],
    "a report again": ["enter"],
    "a report, exported": ["w"],
    "a row of a report": ["escape", "enter"],
    "forecast": ["escape", "escape", "escape", ":", "text:forecast", "enter"],
    "of a project": ["escape", "escape", "escape", "/", "text:store:kilnbook", "enter"],
    "recall": ["g", "g", "g", "q"],
    "recalled by a prompt": ["paste:pwned \x1b]2;PWNED\x07\u202e[/]\nb", "enter"],
    "by meaning": ["escape", "escape", "escape", "escape", "g", "f"],
    "stores": ["escape", "g", "s"],
    "stores, found": ["text:pwn"],
    "orders": ["escape", "s", "j", "k"],
    "themes": ["escape", "T"],
    "saved queries": ["escape", "'"],
    "alike": ["escape", "*"],
    "path between": ["escape", "space", "space", "g", "p"],
    "palette": ["escape", "escape", ":"],
    "palette, memories": ["text:pwned"],
    "palette, stores": ["ctrl+u", "text:cognitive"],
    "keys": ["escape", "?"],
    "keys, nothing": ["text:zzzz"],
    "signs": ["escape", "escape", "g", "?"],
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
    "read in git": ["enter", "g", "g"],
    **{f"further {page}": ["pagedown"] for page in range(8)},
    **{f"tab {tab} in git": ["]"] for tab in range(SIDES)},
    "episodes": ["escape", "escape", "escape", "3", "tab"],
    "link": ["l"],
    "where it leads": ["l"],
    "back": ["H"],
}
"""What opens over the lists, and what one comes to from them."""

IN_THEIR_VIEW: dict[str, Step] = {
    "calendar": ["escape", "escape", "escape", "3", "h"],
    "days of memories": ["c"],
    "a day": ["enter"],
    "a date": ["3", "g", "d"],
    "a date, found": ["text:jan"],
    "time range": ["escape", "Z"],
    "a day of the timeline": ["escape", "escape", "escape", "4", "g", "d"],
    "window of the timeline": ["escape", "Z"],
    "said at length": ["escape", "8", "enter", "a"],
    "prompts": ["g", "o"],
    "a time": ["escape", "g", "t"],
    "kinds of parts": ["escape", "f"],
    "code": ["escape", "y", "c"],
    "memories of it": ["escape", "g", "m"],
    "questions": ["escape", "escape", "5", "'"],
    "questions, found": ["text:pwn"],
    "a journal": ["escape", "]"],
    **{f"journal {number}": ["]"] for number in range(SIDES - 2)},
    "all problems": ["6", "."],
}
"""What only some views have."""

MOVING: dict[str, Step] = {
    "over a list": [
        *("escape", "escape", "escape", "1", "ctrl+d", "ctrl+u", "j", "k"),
        *("pagedown", "pageup", "J", "K", "shift+tab"),
    ],
    "marked": ["escape", "escape", "1", "v", "j", "V", "a", "~"],
    "archived": ["escape", "escape", ".", "S", "+", "_", "ctrl+l"],
    "an end of an edge": [".", "S", "2", "l"],
    "a start of an edge": ["H", "h"],
    "there again": ["H", "L"],
    "entry to memory": ["escape", "escape", "3", "l"],
    "over a calendar": [
        *("escape", "escape", "escape", "3", "h", "j", "k", "l", "h"),
        *("}", "{", ")", "(", "g", "t"),
    ],
    "memories of a day": ["escape", "escape", "3", "g", "w"],
    "over a timeline": [
        *("escape", "escape", "escape", "4", "}", "{", "g", "t"),
        *("g", "x", ".", "=", "l", "h", "."),
    ],
    "welcome": ["escape", "escape", ":", "text:welcome page", "enter"],
    "stores that were found": ["s"],
    "no welcome": ["escape", ":", "text:welcome page", "enter", "escape"],
    "problems of one kind": [
        *("escape", "escape", "6", "/", "text:_index", "enter", "l", "h", "escape"),
    ],
    "over a journal": ["escape", "5", "Z", "="],
    "a proof": ["l"],
    "over a text": [
        *("escape", "escape", "1", "enter", *["]", ")", "("] * SIDES),
        *("}", "{", "[", "h"),
    ],
    "over a transcript": ["escape", "escape", "4", "enter", "}", "{", "space"],
    "what a part leads to": ["l"],
    "another transcript": ["escape", "escape", "4", "enter", "J", "K", "h"],
    "walked along a link": ["escape", "escape", "1", "l", "k", "l", "space", "h"],
    "between two": ["escape", "escape", "escape", "1", "space", "space", "g", "p"],
    "facet left out": ["escape", "escape", "1", "F", "j", "-"],
    "over facets": ["-", "F", "escape"],
    "over choices": [":", "down", "up", "pagedown", "pageup"],
    "pinned": ["escape", "escape", "escape", "1", "g", "v"],
    "what is wrong with it": ["escape", "escape", "escape", "1", "g", "h"],
    "over a list while typing": ["escape", "/", "down", "up", "ctrl+c"],
    "hit before": ["escape", "/", "text:pwned", "enter", "n", "N"],
    "not read again": ["escape", "escape", "R", ":", "text:live", "enter"],
}
"""Ways through what the views show, and what is told of them."""

COPIED: dict[str, Step] = {
    "copied ref": ["escape", "escape", "1", "y", "i"],
    "copied title": ["y", "t"],
    "copied path": ["y", "p"],
    "copied text": ["y", "b"],
    "copied Markdown": ["y", "m"],
    "copied link": ["y", "l"],
    "copied query": ["/", "text:pwned", "enter", "y", "q"],
    "copied selection": ["y", "y"],
    "copied line": ["escape", "5", "y", "j"],
    "copied command": ["4", "enter", "y", "r"],
}
"""What goes to a clipboard, and what is told of that."""

ASKED: dict[str, Step] = {
    "export": ["escape", "escape", "1", "w"],
    "export, pasted": ["paste:a\x1b]2;PWNED\x07\u202e\nb"],
    "a name for a query": [
        *("escape", "/", "text:pwned", "enter"),
        *(":", "text:save query", "enter"),
    ],
    "a query saved": ["paste:a\x1b]2;PWNED\x07", "enter"],
    "news": ["escape", "escape", "g", "n"],
    "what agents read": ["escape", "escape", "g", "a"],
    "of another project": ["ctrl+o"],
    "as of": ["escape", "escape", "@"],
    "as of a day": ["text:2026-02-01", "enter"],
    "looked back": ["enter", "j"],
    "since then": [":", "text:other since then", "enter"],
    "as it is now": ["escape", ":", "text:back to now", "enter"],
    "who wrote it": ["escape", "/", "ctrl+u", "text:path:project", "enter", "g", "c"],
    "who tells of it": ["escape", "1", "g", "e"],
}
"""What is asked where nothing is changed."""

CHANGING: dict[str, Step] = {
    "read-only": ["escape", "escape", "escape", "1", "t"],
    "changes allowed": ["!", "/", "ctrl+u", "text:path:graph", "enter", "g", "g"],
    "tags": ["t"],
    "tags, pasted": ["paste:a\x1b]2;PWNED\x07\u202e[/]\nb"],
    "tagged": ["escape", "t", "text:+new", "enter"],
    "fields": ["E"],
    "a field": ["enter"],
    "title": ["escape", "escape", "f2"],
    "title, pasted": ["paste:\x1b]2;PWNED\x07\u202e[/]\nb"],
    "retitled": ["enter"],
    "relate": ["escape", "escape", "r"],
    "relate, found": ["text:pwn"],
    "type of the link": ["enter"],
    "link made": ["enter"],
    "to a store": ["escape", "escape", "M"],
    "merge": ["escape", "m", "text:pwn"],
    "which stays": ["enter"],
    "merge, by field": ["enter"],
    "plan": ["enter"],
    "difference": ["v"],
    "over a difference": ["j", "k", "pagedown", "pageup"],
    "delete": ["escape", "escape", "D"],
    "as it was before": ["escape", "B"],
    "versions compared": ["enter"],
    "save?": ["escape", "escape", "e"],
    "a part of it": ["r"],
    "a draft is kept": ["escape", "escape", "e"],
    "changed meanwhile": ["enter"],
    "merged by three ways": ["3"],
    "drafts": ["escape", "escape", "O"],
    "a draft again": ["escape", "escape", "e"],
    "begun anew": ["x"],
    "mine kept": ["1"],
    "edited again": ["e"],
    "theirs kept": ["2"],
    "another saved?": ["escape", "escape", "g", "g", "j", "e"],
    "changes": ["escape", "escape", "U"],
    "undo": ["enter"],
    "undone": ["enter"],
    "archived one": ["escape", "escape", "d"],
    "pinned one": ["j", "p"],
    "taken back": ["u"],
    "redone": ["ctrl+r"],
    "undo in all stores": ["g", "u", "g", "u"],
    "to another store": ["C"],
    "passed on": ["escape", "escape", "4", "P"],
    "recalled": [
        *("escape", "escape", "1", "/", "text:path:graph", "enter", "g", "g"),
        *(":", "text:count as recalled", "enter"),
    ],
    "more than once": ["escape", "escape", "1", "&"],
    "made anew": ["escape", "escape", ":", "text:rebuild", "enter"],
    "review": ["escape", "g", "r"],
    "in review": ["enter"],
    "kept": ["space"],
    "back in review": [".", "b"],
    "left off": ["escape"],
    "where": ["escape", "A"],
    "mend": ["escape", "escape", "6", "/", "text:_index", "enter", "x"],
    "mend all": ["escape", "escape", "escape", "X"],
    "ignored": ["escape", "i"],
    "checked again": ["escape", ":", "text:check again", "enter"],
    "all checked": ["escape", ":", "text:check everything", "enter"],
    "kept for good": ["4", "X"],
}
"""What is asked and told where something is changed."""

HANDED_OVER = {
    "save?",
    "changed meanwhile",
    "merged by three ways",
    "begun anew",
    "edited again",
    "another saved?",
}
"""Where an editor has had the terminal."""

SHOWING: Mapping[str, str] = {
    "over a report": "▲",
    "parameters of a report": "most",
    "a report, exported": "statistics.csv",
    "forecast": "forecast days=30",
    "recall": "what would a prompt recall?",
    "recalled by a prompt": "recalled by",
    "by meaning": "Search by meaning is off",
    "a date": "go to date",
    "time range": "time range",
    "prompts": "prompts",
    "a time": "go to time",
    "export": "export",
    "a name for a query": "name",
    "news": "what's new",
    "what agents read": ": what agents read first",
    "as of": "as of",
    "as of a day": "new",
    "looked back": "read-only",
    "since then": "since",
    "tags": "+new -old",
    "tagged": "tagged",
    "fields": "importance",
    "title": "title",
    "type of the link": "link type",
    "link made": "linked",
    "merge, by field": "continue",
    "plan": "show diff",
    "difference": "@@",
    "delete": "↵ delete",
    "as it was before": "restore a backup",
    "save?": "save changes?",
    "a part of it": "revert a part",
    "a draft is kept": "unsaved draft",
    "changed meanwhile": "changed by another program",
    "drafts": "unsaved drafts",
    "begun anew": "changed by another program",
    "mine kept": "save changes?",
    "edited again": "changed by another program",
    "theirs kept": "Kept theirs.",
    "copied title": "Copied",
    "to another store": "type to search",
    "recalled": "marked as recalled",
    "made anew": "rebuild",
    "changes": "changes",
    "undo": "↵ undo",
    "review": "review",
}
"""What shows that a walk has come to a screen."""


NOT_TAKEN = {
    "transit": "only what a setting allows passes a conversation on",
    "end-review": "the key that steps back does",
    "show-file": "another program has the terminal then; it has stories of its own",
    "done-writing": "only a terminal that cannot be handed over has a text on it",
    "resolve": "only what another program came between can be; it has its own stories",
    "answer-allow": "edits are allowed here; it has a story of its own",
    "answer-dismiss": "only in the dialog of such a change",
    "suspend": "a shell has the terminal then",
    "settings": "a message shows a path; it has a story of its own",
    "fix-in-review": "the same dialog as that of a problem",
    "quit": "the walk leaves by itself",
}
"""Commands that are not carried out on the way, and why."""


def in_a_view(view: str) -> dict[str, Step]:
    """The screens of every view."""
    steps: dict[str, Step] = {
        "list": ["escape", "escape", view, "j"],
        "reader": ["enter"],
        "reader, long lines cut": ["W", "W"],
        "tab": ["]"],
    }
    return {f"{view} {name}": step for name, step in steps.items()}


def screens() -> Iterator[tuple[str, Step]]:
    """All screens, in an order that visits all."""
    yield "start", []
    for view in VIEWS:
        yield from in_a_view(view).items()
    for several in (ANYWHERE, IN_THEIR_VIEW, MOVING, COPIED, ASKED, CHANGING):
        yield from several.items()
