"""Sessions in which an agent writes files, as transcripts."""

from pathlib import Path

from store.findings import Json
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    answers,
    assistant,
    calls,
    put,
    user,
)

HOME = "/home/mira/.claude/projects"
"""Where transcripts and memories lay when they were written."""

PLACE = f"{HOME}/{SLUG}/memory"
"""Where this project's memories did."""


class Sitting:
    """The lines of one transcript."""

    def __init__(self, name: str = SESSION) -> None:
        self.name = name
        self.session = name
        self._lines: list[Line | bytes] = []
        self._second = 0
        self.at: str | None = None
        """When what follows was said; None for some seconds later each."""
        self.agent: str | None = None
        """The sub-agent that speaks; None where it is the agent itself."""
        self._add(user(f"{name}/ask", "Remember the glazes.", 0))

    def write(self, path: str, content: str, **told: Json) -> None:
        """Write a file."""
        value: Line = {"type": "create", "filePath": path, "content": content, **told}
        self.call("Write", {"file_path": path, "content": content}, value)

    def edit(self, path: str, old: str, new: str, **told: Json) -> None:
        """Edit a file."""
        given: Line = {"file_path": path, "old_string": old, "new_string": new}
        value: Line = {"filePath": path, "oldString": old, "newString": new, **told}
        self.call("Edit", given, value)

    def run(self, command: str) -> None:
        """Run a command."""
        self.call("Bash", {"command": command}, {"stdout": "", "stderr": ""})

    def call(self, tool: str, given: Line, value: Json, *, fails: bool = False) -> None:
        """Call a tool, with its result."""
        self.ask(tool, given)
        call = f"{self.name}-{self._second}"
        failed: Line = {"is_error": True} if fails else {}
        result = answers(call, "no" if fails else "done", **failed)
        self._add(user(f"{call}/answer", [result], self._second, toolUseResult=value))

    def ask(self, tool: str, given: Line) -> None:
        """Call a tool without a result."""
        self._second += 10
        call = f"{self.name}-{self._second}"
        block = calls(call, tool, **given)
        self._add(assistant(f"{call}/call", block, second=self._second))

    def put(self, folder: Path) -> Path:
        """Put the transcript beside the memories of the same project."""
        return put(folder / SLUG / f"{self.name}.jsonl", *self._lines)

    def _add(self, line: Line) -> None:
        moment: Line = {"timestamp": self.at} if self.at else {}
        if self.agent:
            moment |= {"isSidechain": True, "agentId": self.agent}
        self._lines.append({**line, "sessionId": self.session, **moment})
