"""A call as it is unfolded: what a tool was given, and what came of it."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from store.findings import Json
from store.talk.calls import Call
from tui.faces.quantities import sized
from tui.faces.whole.nested import lines_of_value
from widgets.reader.bodies import Body, Joined, Plain
from widgets.transcript.entry import Part
from widgets.transcript.outputs import GUIDE, Code, Diff, Indented, Output

_SHELLS = {"Bash": "bash", "PowerShell": "powershell"}

_TOLD = frozenset(
    {"command", "file_path", "old_string", "new_string", "edits", "content"}
)
"""What stands in a command or a diff already."""


_PATHS = frozenset({"file_path"})
"""What stands in the line that is always there."""


def unfolded(part: Part, call: Call) -> Part:
    """The part of a call with all that there is to tell of it."""
    body = Indented(Joined(*_bodies(call)), GUIDE)
    return replace(part, body=body, is_whole=True, text=text_of(call))


def failed(part: Part, why: str) -> Part:
    """The part of a call of which no more can be told, and why."""
    body = part.body or Plain("")
    told = Joined(body, Indented(Output(why, "error_type"), GUIDE))
    return replace(part, body=told, is_whole=True)


def text_of(call: Call) -> str:
    """What is copied of a call: what it was given, and what it answered."""
    given = call.command or "\n".join(_given(call.given, frozenset()))
    told, complaint = call.outputs
    return "\n".join(filter(None, (given, told, complaint)))


def _bodies(call: Call) -> Iterator[Body]:
    diff = call.diff
    if call.command:
        yield Code(call.command, _SHELLS.get(call.name, "bash"))
    without = _TOLD if call.command or diff else _PATHS
    given = list(_given(call.given, without))
    if given:
        yield Plain("\n".join(given))
    if diff:
        yield Diff(diff)
    if not diff or call.has_failed:
        yield from _answer(call)


def _answer(call: Call) -> Iterator[Body]:
    """What the tool answered; what went wrong stands out."""
    told, complaint = call.outputs
    if told:
        yield Output(told, "error_type" if call.has_failed else "")
    if complaint:
        yield Output(complaint, "error_type")
    for size in call.pictures:
        yield Plain(f"picture, {sized(size)}")


def _given(given: Mapping[str, Json], without: frozenset[str]) -> Iterator[str]:
    """What a tool was given, a line for each or as many as it takes."""
    for name, value in given.items():
        if name not in without:
            yield from (line.text for line in lines_of_value(name, value))
