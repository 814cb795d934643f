"""Pages as one HTML file: no network, no scripts, and no text that becomes markup.

Whatever a store holds is escaped here, or drawn from Markdown by a parser for which
HTML is text; a policy in the head forbids the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from store.export.items import Called, Divider, Item, Note, Thought, Words
from store.export.markdown import shown
from store.export.page import Page
from store.export.style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
"""
_FOOT = "</main>\n</body>\n</html>\n"

_OUTCOMES = {
    True: '<span class="bad">✗</span>',
    False: '<span class="good">✓</span>',
    None: "·",
}
_DEEPEST = 20
"""Blocks within blocks that are told apart; deeper ones are shown as they stand."""


def html(pages: Iterable[Page], title: str) -> Iterator[str]:
    """All pages in one document."""
    yield _HEAD.format(policy=_POLICY, title=_text(title), style=STYLE)
    for page in pages:
        yield from _page(page)
    yield _FOOT


def _page(page: Page) -> Iterator[str]:
    yield f"<article>\n<h1>{_text(page.title)}</h1>\n"
    if page.facts:
        yield "<dl>\n"
        for name, value in page.facts:
            yield f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>\n"
        yield "</dl>\n"
    if page.text.strip():
        yield _pre(page.text) if page.is_plain else rendered(page.text)
    for name, lines in page.lists:
        items = "".join(f"<li>{_text(line)}</li>" for line in lines)
        yield f"<h2>{_text(name)}</h2>\n<ol>{items}</ol>\n"
    for item in page.items:
        yield _item(item)
    yield "</article>\n"


def _item(item: Item) -> str:
    """A part of a conversation."""
    match item:
        case Divider():
            tag = "h2" if item.is_day else "p"
            kind = "" if item.is_day else ' class="between"'
            return f"<{tag}{kind}>{_text(item.text)}</{tag}>\n"
        case Words():
            return _words(item)
        case Thought():
            return _folded("thinking", rendered(item.text))
        case Note():
            return _folded(_text(item.kind), _pre(item.text))
        case Called():
            return _called(item)


def _words(item: Words) -> str:
    is_typed = item.speaker == "you"
    told = _text(item.text.strip("\n")) if is_typed else rendered(item.text)
    who = f"{_text(item.speaker)}<time>{_text(item.at)}</time>"
    kind = "you" if is_typed else "agent"
    return (
        f'<section class="words {kind}">\n<p class="who">{who}</p>\n'
        f'<div class="said">{told}</div>\n</section>\n'
    )


def _called(item: Called) -> str:
    """A call, and folded beneath it what is told of it."""
    about = f" <code>{_text(item.about)}</code>" if item.about else ""
    head = f"{_OUTCOMES[item.has_failed]} {_text(item.name)}{about}"
    return _folded(head, "".join(_beneath(item)))


def _beneath(item: Called) -> Iterator[str]:
    call = item.call
    if call is None:
        yield _pre(item.answer) if item.answer else "<p>No answer is told.</p>\n"
        if item.is_cut:
            yield "<p>This is only the beginning.</p>\n"
        return
    if call.diff:
        yield f"<pre>{''.join(map(_changed, shown(call.diff).split(chr(10))))}</pre>\n"
    elif call.text:
        yield _pre(call.text)
    answer = "\n".join(filter(None, call.outputs))
    if answer and not (call.diff and not item.has_failed):
        yield _pre(answer)
    for size in call.pictures:
        yield f"<p>picture, {size} bytes</p>\n"


def _changed(line: str) -> str:
    """A line of a diff."""
    tag = {"+": "ins", "-": "del"}.get(line[:1])
    told = _text(line)
    return f"<{tag}>{told}</{tag}>\n" if tag else f"{told}\n"


def _folded(head: str, body: str) -> str:
    return f"<details><summary>{head}</summary>\n{body}</details>\n"


def _pre(text: str) -> str:
    return f"<pre>{_text(text.strip(chr(10)))}</pre>\n"


def _text(text: str) -> str:
    """A text in which nothing is markup."""
    return escape(shown(text))


def rendered(text: str) -> str:
    """Markdown of others: HTML in it is text, pictures are told by name."""
    told = shown(text)
    parser = _parser()
    tokens = parser.parse(told)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        return _pre(text)
    return str(parser.renderer.render(tokens, parser.options, {}))


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    made.enable(["table", "strikethrough"])
    made.add_render_rule("image", _image)
    made.add_render_rule("link_open", _link)
    return made


def _image(
    _self: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: Any,  # noqa: ANN401  # as rules are called
    _environment: Any,  # noqa: ANN401  # the same
) -> str:
    """A picture that lies elsewhere is not loaded."""
    return f"[image: {escape(tokens[index].content)}]"


def _link(
    _self: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: Any,  # noqa: ANN401  # the same
    _environment: Any,  # noqa: ANN401  # the same
) -> str:
    """A link leads out only when it is followed, and tells nobody from where."""
    target = escape(str(tokens[index].attrGet("href") or ""))
    return f'<a href="{target}" rel="noopener noreferrer">'
