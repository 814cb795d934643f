"""What a message says, apart from the calls of tools that are told with it."""

from collections.abc import Sequence

_BETWEEN = "\n\n"


def apart(says: str, tools: Sequence[str]) -> tuple[str, list[str]]:
    """The text without its calls, and the calls, a line each.

    A call is a paragraph of one line that begins with the tool's name. Calls come
    behind what is said, so the last paragraphs that can be calls are.
    """
    if not tools:
        return says, []
    names = [" ".join(name.split()) or "tool_use" for name in tools]
    words: list[str] = []
    calls: list[str] = []
    for paragraph in reversed(says.split(_BETWEEN)):
        if names and _is_call(paragraph, names[-1]):
            names.pop()
            calls.append(paragraph)
        else:
            words.append(paragraph)
    return _BETWEEN.join(reversed(words)), calls[::-1]


def _is_call(paragraph: str, name: str) -> bool:
    """Whether a paragraph is the call of a tool."""
    return "\n" not in paragraph and (
        paragraph == name or paragraph.startswith(f"{name}: ")
    )
