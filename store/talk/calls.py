"""A call whole: what a tool was given, what it answered, what it changed."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from store.derive.difference import difference
from store.findings import Json

Part = Mapping[str, Json]
"""A block of a message, as its source holds it."""

_NOTED = "toolUseResult"
"""What the program noted of a result beside what the tool answered."""

_PATHS = ("file_path", "notebook_path", "filePath", "path")
_LINES = ("offset", "line", "newStart")
_SPANS = ("oldStart", "oldLines", "newStart", "newLines")
_MOST = 2**31


class Call(Struct, frozen=True):
    """One call of a tool."""

    name: str
    given: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """What it was given."""
    answer: str = ""
    """What the tool answered, as the agent read it."""
    pictures: tuple[int, ...] = ()
    """The sizes of the pictures that it answered with, in bytes."""
    has_failed: bool = False
    noted: Json = None
    """What the program noted of it."""

    @property
    def command(self) -> str:
        """The command that it ran; empty where it ran none."""
        return _text(self.given, "command")

    @property
    def outputs(self) -> tuple[str, str]:
        """What it wrote, and what of that it complained; the fuller of two accounts."""
        told, complaint = _text(self._facts, "stdout"), _text(self._facts, "stderr")
        is_fuller = len(told) + len(complaint) >= len(self.answer)
        return (told, complaint) if is_fuller else (self.answer, "")

    @property
    def diff(self) -> str:
        """What it changed in a file, as a unified diff; empty where it changed none."""
        hunks = self._facts.get("structuredPatch")
        patch = "".join(map(_hunk, hunks)) if isinstance(hunks, list) else ""
        if patch:
            return patch
        edits = self.given.get("edits")
        single = [self.given] if "new_string" in self.given else []
        several = edits if isinstance(edits, list) else single
        told = "".join(_edit(one) for one in several if isinstance(one, dict))
        return told or self._written()

    @property
    def file(self) -> str | None:
        """The file that it is about."""
        places = (self.given, self._facts, _object(self._facts.get("file")))
        named = (_text(place, key) for place in places for key in _PATHS)
        return next(filter(None, named), None)

    @property
    def line(self) -> int | None:
        """The line of that file."""
        hunks = self._facts.get("structuredPatch")
        first = hunks[0] if isinstance(hunks, list) and hunks else None
        places = (self.given, _object(first))
        values = (place.get(key) for place in places for key in _LINES)
        return next((v for v in values if type(v) is int and 0 < v < _MOST), None)

    @property
    def agent(self) -> str | None:
        """The sub-agent that it started."""
        return _text(self._facts, "agentId") or None

    @property
    def text(self) -> str:
        """What is worth copying of it: a command, a text that was written."""
        told = (
            self.command,
            _text(self.given, "content"),
            _text(self.given, "new_string"),
        )
        return next(filter(None, told), "")

    @property
    def _facts(self) -> Mapping[str, Json]:
        return _object(self.noted)

    def _written(self) -> str:
        """A file that it wrote anew, line by line."""
        content = self.given.get("content")
        if not isinstance(content, str) or not self.given.get("file_path"):
            return ""
        return difference("", None, _ended(content))


def call_of(parts: Iterable[Part], name: str, answer: Iterable[Part] = ()) -> Call:
    """The call that goes by a name among the blocks of a message, and its answer."""
    answers = list(answer)
    nothing: Part = {}
    given = next((one for one in parts if one.get("id") == name), nothing)
    result = next((one for one in answers if one.get("tool_use_id") == name), nothing)
    noted = next((one for one in answers if one.get("type") == _NOTED), nothing)
    blocks = list(_blocks(result.get("content")))
    return Call(
        name=_text(given, "name"),
        given=_object(given.get("input")),
        answer="\n".join(filter(None, (_text(block, "text") for block in blocks))),
        pictures=tuple(_pictures(blocks)),
        has_failed=result.get("is_error") is True,
        noted=noted.get("value"),
    )


def _blocks(content: Json) -> Iterator[Part]:
    """The blocks of an answer, whichever form it comes in."""
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield {"type": "text", "text": block}
        elif isinstance(block, dict):
            yield block


def _pictures(blocks: Iterable[Part]) -> Iterator[int]:
    for block in blocks:
        size = block.get("bytes")
        if block.get("type") == "image" and isinstance(size, int):
            yield size


def _hunk(hunk: Json) -> str:
    """A stretch of a patch as diffs write it; nothing where it is none."""
    if not isinstance(hunk, dict):
        return ""
    lines, places = hunk.get("lines"), [hunk.get(key) for key in _SPANS]
    if not isinstance(lines, list) or not all(type(place) is int for place in places):
        return ""
    told = "".join(f"{line}\n" for line in lines if isinstance(line, str))
    return "@@ -{},{} +{},{} @@\n{}".format(*places, told)


def _edit(edit: Part) -> str:
    """What replaces what."""
    old, new = _text(edit, "old_string"), _text(edit, "new_string")
    return difference("", _ended(old), _ended(new))


def _ended(text: str) -> str:
    """A text whose last line is no matter of its own."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _object(value: Json) -> Part:
    return value if isinstance(value, dict) else {}


def _text(part: Part, name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""
