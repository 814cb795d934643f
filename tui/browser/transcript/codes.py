"""The pieces of code in a text."""

from collections.abc import Sequence

from widgets.reader.parser import parser


def codes_in(text: str) -> Sequence[str]:
    """What stands in fences, or indented as code."""
    tokens = parser().parse(text)
    return [
        token.content.removesuffix("\n")
        for token in tokens
        if token.type in {"fence", "code_block"} and token.content.strip()
    ]
