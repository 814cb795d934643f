"""What is told of a conversation beneath its title, as many lines as its block has."""

from collections.abc import Iterable, Sequence

from store.records.conversation import Conversation
from store.records.spans import Closeup
from widgets.columns.cells import told
from widgets.columns.numbers import brief
from widgets.lines.pieces import Piece

_TOOLS = 6
"""So many tools are named at most."""

_BETWEEN: Piece = (" · ", "faint")


def fact_lines(
    conversation: Conversation,
    closeup: Closeup,
    price: str,
    lines: int,
    *,
    with_tokens: bool = True,
) -> Sequence[Sequence[Piece]]:
    """The facts in so many lines, what tells most first."""
    place = [_plain(conversation.project), _plain(conversation.branch)]
    tools, spent = _tools(conversation, closeup), _spent(conversation, price)
    if not with_tokens:
        del spent[0]
    if lines > 2:  # noqa: PLR2004  # a line for each
        told_ones = [place, tools, spent]
    elif lines == 2:  # noqa: PLR2004  # what was done is worth one
        told_ones = [[*place, *spent[:1]], tools]
    else:
        told_ones = [[*place, _count(conversation.tools, "tool"), *spent]]
    return [_joined(each) for each in told_ones]


def tokens_of(conversation: Conversation) -> int:
    """All tokens of a conversation."""
    spent = conversation.tokens
    return spent.input + spent.output + spent.cache_read + spent.cache_creation


def _tools(conversation: Conversation, closeup: Closeup) -> list[Piece]:
    """The tools by name; how many calls, as long as those are not known."""
    named = [
        (f"{told(name)} ×{count}" if count > 1 else told(name), "muted")
        for name, count in closeup.tools[:_TOOLS]
    ]
    more = len(closeup.tools) - _TOOLS
    if more > 0:
        named.append((f"{more} more", "faint"))
    failed = conversation.tool_errors
    return [
        *(named or [_count(conversation.tools, "tool")]),
        (f"✗ {failed} failed" if failed else "", "warning"),
    ]


def _spent(conversation: Conversation, price: str) -> list[Piece]:
    tokens = tokens_of(conversation)
    return [
        (f"{brief(tokens)} tokens" if tokens else "", "muted"),
        (price, "muted"),
        *((told(model), "faint") for model in conversation.models),
    ]


def _plain(text: str | None) -> Piece:
    return told(text), "muted"


def _count(number: int, name: str) -> Piece:
    return (f"{number} {name}{'s' * (number != 1)}" if number else ""), "muted"


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces with a dot between two of them; what says nothing is left out."""
    joined: list[Piece] = []
    for piece in pieces:
        if piece[0]:
            joined += [_BETWEEN, piece] if joined else [piece]
    return joined
