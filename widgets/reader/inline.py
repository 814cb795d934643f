"""What stands within a paragraph of Markdown: emphasis, code, links, [[wikilinks]]."""

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from widgets.reader.runs import BREAK, Run, Target

_LONGEST = 8000
"""Characters of a paragraph that are looked through; a longer one is shown as it is."""

_WIKI = re.compile(r"\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]+))?\]\]")

_TONES = {"em": "italic", "strong": "strong", "s": "struck"}


def wikilink(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  # as rules are called
    """A rule of the parser: `[[name]]` and `[[name|what to call it]]`."""
    found = _WIKI.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("wikilink", "", 0)
        token.content = found[2] or found[1]
        token.meta = {"to": found[1].strip()}
    state.pos = found.end()
    return True


def runs_of(parser: MarkdownIt, text: str, tone: str = "") -> Iterator[Run]:
    """The runs of a paragraph."""
    if len(text) > _LONGEST:
        return iter([Run(text, tone)])
    tokens: list[Token] = []
    parser.inline.parse(text, parser, {}, tokens)
    return _runs(tokens, tone)


def _runs(tokens: Iterable[Token], tone: str) -> Iterator[Run]:
    """Tokens as runs; what encloses them adds its tone."""
    tones = [tone]
    target: Target | None = None
    for token in tokens:
        kind = token.type.removesuffix("_open").removesuffix("_close")
        if kind == "link":
            target = _leads(token)
        elif kind in _TONES:
            tones = [*tones, _TONES[kind]] if token.nesting > 0 else tones[:-1]
        else:
            within = " ".join(tones if target is None else [*tones, "link"])
            yield _run(token, within.strip(), target)


def _leads(token: Token) -> Target | None:
    """Where a link leads that begins here; nowhere where it ends."""
    return Target("link", str(token.attrGet("href"))) if token.nesting > 0 else None


def _run(token: Token, tone: str, target: Target | None) -> Run:
    """A token that holds text, or stands for some."""
    match token.type:
        case "softbreak":
            return Run(" ", tone, target)
        case "hardbreak":
            return Run(BREAK)
        case "code_inline":
            return Run(token.content, f"{tone} code".strip(), target)
        case "wikilink":
            return Run(token.content, f"{tone} link".strip(), _wiki(token))
        case "image":
            return Run(
                f"[image: {token.content}]", f"{tone} link".strip(), _image(token)
            )
        case _:
            return Run(token.content, tone, target)


def _wiki(token: Token) -> Target:
    return Target("wiki", str(token.meta["to"]))


def _image(token: Token) -> Target:
    return Target("image", str(token.attrGet("src")))
