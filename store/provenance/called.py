"""A call of a tool that writes files, as its block and its answer tell it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from store.findings import Json
from store.provenance.replay import Call, Edit

Block = Mapping[str, Json]
"""A part of a message."""


class Answer(NamedTuple):
    """What a tool answered."""

    failed: bool
    """Whether it says that nothing was done."""
    told: Block
    """What it tells beside its words."""


def answers_in(parts: Iterable[Block]) -> Iterator[tuple[str, Answer]]:
    """The answers in a message, by the calls that they answer.

    What an answer tells beside its words stands behind it.
    """
    results: list[Block] = []
    for part in parts:
        if part.get("type") == "tool_result":
            results.append(part)
        elif part.get("type") == "toolUseResult":
            yield from _answered(results, part.get("value"))
            results = []
    yield from _answered(results, None)


def _answered(results: Sequence[Block], value: Json) -> Iterator[tuple[str, Answer]]:
    """Answers, with what is told of them; where there are several, it tells of none."""
    told = value if isinstance(value, dict) and len(results) == 1 else {}
    refused = isinstance(value, str) and value.startswith("Error")
    for result in results:
        call = result.get("tool_use_id")
        if isinstance(call, str):
            yield call, Answer(result.get("is_error") is True or refused, told)


def called(tool: str, given: Block, told: Block) -> Call:
    """What a tool was asked to write; what the answer tells of it counts more.

    The user may have changed what the agent asked for before letting it happen.
    """
    before = _text(told, "originalFile", "originalFileContents", "original_file")
    if told.get("type") == "create":
        before = ""
    after = _text(told, "updated_file")
    if after is not None:
        return Call(tool, after, before=before)
    content = _text(told, "content") or _text(given, "content")
    if content is not None:
        return Call(tool, content, before=before)
    return Call(tool, edits=tuple(_edits(given, told)), before=before)


def _edits(given: Block, told: Block) -> Iterator[Edit]:
    """The edits that a call makes: several, or one."""
    several = given.get("edits")
    if isinstance(several, list):
        for one in several:
            if _is_block(one):
                yield from _edits(one, {})
        return
    old = _text(told, "oldString") or _text(given, "old_string")
    new = _text(told, "newString")
    new = _text(given, "new_string") if new is None else new
    if old is not None and new is not None:
        everywhere = told.get("replaceAll", given.get("replace_all"))
        yield Edit(old, new, everywhere is True)


def _text(block: Block, *names: str) -> str | None:
    """The first text that goes by one of some names."""
    values = (block.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)


def _is_block(value: Json) -> TypeGuard[dict[str, Json]]:
    return isinstance(value, dict)
