"""A sitting as the lines of its transcript, and of its sub-agents' transcripts."""

from datetime import datetime, timedelta
from typing import Any

from store.demo.days import Days
from store.demo.identity import identify
from store.demo.model import Note, Project, Session
from store.demo.notes.pages import page
from store.demo.transcripts.lines import Lines
from store.demo.transcripts.talks import Turn

HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed"}


class Telling:
    """Tells one sitting."""

    def __init__(self, session: Session, project: Project, days: Days) -> None:
        self.identifier = identify("session", session.key)
        self._session = session
        self._project = project
        self._begin = days.ago(session.ago, session.at)
        self._days = days
        self.agents: dict[str, tuple[str, str]] = {}
        """The transcripts of sub-agents by name, each with what it was asked."""
        self.lines = self._lines(session.key)

    @property
    def end(self) -> datetime:
        """When the sitting ended."""
        return self._begin + timedelta(minutes=self._session.minutes)

    def tell(self, turns: list[Turn], notes: list[tuple[str, Note]]) -> None:
        """Everything: the turns, spread over the sitting, then the notes."""
        about = {"sessionId": self.identifier}
        self.lines.bare(
            {"type": "permission-mode", "permissionMode": "default", **about}
        )
        step = timedelta(minutes=self._session.minutes) / (len(turns) + 1)
        for number, turn in enumerate(turns):
            self.lines.now = self._begin + step * number
            self._turn(turn, turn.ask or self._session.prompt)
        self.lines.now = self._begin + step * len(turns)
        if notes:
            self._notes(notes)
        title = {"type": "ai-title", "aiTitle": self._session.summary, **about}
        self.lines.bare(title)

    def _lines(self, name: str) -> Lines:
        about = {
            "cwd": self._project.path,
            "sessionId": self.identifier,
            "gitBranch": self._session.branch,
        }
        return Lines(name, about, self._begin)

    def _turn(self, turn: Turn, ask: str) -> None:
        lines = self.lines
        if turn.compaction:
            self._compact()
        lines.user(ask, **HUMAN)
        thought = {
            "type": "thinking",
            "thinking": turn.thought,
            "signature": "RWtRa2Vy",
        }
        said: list[dict[str, Any]] = [thought] if turn.thought else []
        if turn.tool:
            call, block = lines.call(turn.tool, turn.input)
            lines.assistant(*said, block)
            value: Any = {"stdout": turn.output, "stderr": "", "interrupted": False}
            value = f"Error: {turn.output}" if turn.error else value
            lines.result(call, turn.output, value, error=turn.error)
            said = []
        if turn.agent:
            self._agent(turn, turn.agent)
        if turn.reply:
            lines.assistant(*said, {"type": "text", "text": turn.reply})
        if turn.interrupted:
            stopped = {"type": "text", "text": "[Request interrupted by user]"}
            lines.user([stopped])

    def _compact(self) -> None:
        """Divide the transcript as it is when the window is full."""
        self.lines.begin_anew()
        about = {"trigger": "auto", "preTokens": 154_318}
        self.lines.system(
            "compact_boundary", "Conversation compacted", compactMetadata=about
        )
        words = (
            "This session is being continued from a previous conversation that ran out"
            f" of context. So far: {self._session.summary}."
        )
        self.lines.user(words, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def _agent(self, turn: Turn, task: str) -> None:
        """Hand something to a sub-agent, which writes a transcript of its own."""
        name = f"a{identify('agent', self._session.key).replace('-', '')[:16]}"
        given = {
            "description": "Look around",
            "prompt": task,
            "subagent_type": "Explore",
        }
        call, block = self.lines.call("Agent", given)
        self.lines.assistant(block)
        theirs = self._lines(f"{self._session.key}/{name}")
        theirs.agent, theirs.now = name, self.lines.now
        theirs.user(task)
        inner, look = theirs.call(turn.agent_tool, turn.agent_input)
        theirs.assistant(look)
        theirs.result(inner, turn.agent_output, turn.agent_output)
        theirs.assistant({"type": "text", "text": turn.agent_reply})
        self.agents[name] = (theirs.text, task)
        self.lines.now = theirs.now
        value = {"status": "completed", "agentId": name, "totalToolUseCount": 1}
        self.lines.result(call, turn.agent_reply, value)

    def _notes(self, notes: list[tuple[str, Note]]) -> None:
        """Write down what is worth keeping."""
        self.lines.user("Write down what is worth keeping.", **HUMAN)
        for path, note in notes:
            content = page(note, self._days.ago(note.ago, note.at))
            call, block = self.lines.call(
                "Write", {"file_path": path, "content": content}
            )
            self.lines.assistant(block)
            value = {"type": "create", "filePath": path, "content": content}
            done = f"File created successfully at: {path}"
            self.lines.result(call, done, {**value, "memdirStamped": True})
        self.lines.assistant({"type": "text", "text": f"{self._session.summary}."})
