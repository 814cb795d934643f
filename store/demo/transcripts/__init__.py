"""The story as transcripts: what was said in the sittings that the notes come from."""

import json

from store.demo.days import Days
from store.demo.model import Note, Session, Story
from store.demo.notes import slug_of
from store.demo.transcripts.talks import read_talks
from store.demo.transcripts.telling import Telling
from store.demo.tree import Tree

ROOT = "claude/projects"
HOME = "/home/zoe/.claude/projects"

GLUED = "tail-speed"
"""The sitting in whose transcript two lines stand on one."""
TORN = "kiln-pg17"
"""The sitting whose last line was not written to its end."""
BROKEN = "kiln-import"
"""The sitting in whose transcript a line lost its end."""

SETTINGS = '{\n  "cleanupPeriodDays": 209\n}\n'
"""What the agent goes by: the two oldest transcripts are removed within a week."""
_SET = 206
"""The day that it was told so, counted back from today."""


def put_transcripts(tree: Tree, story: Story, days: Days) -> str:
    """Put a transcript of each sitting beside its project's notes, return the root."""
    talks = read_talks(days)
    for session in story.sessions.values():
        project = story.projects[session.project]
        slug = slug_of(project.path)
        telling = Telling(session, project, days)
        telling.tell(talks.get(session.key, []), _notes(session, slug, story))
        _blemish(session.key, telling)
        place = f"{ROOT}/{slug}/{telling.identifier}"
        tree.put(
            f"{place}.jsonl",
            telling.lines.text.rstrip("\n") + _end(session),
            telling.end,
        )
        for name, (text, task) in telling.agents.items():
            about = {"agentType": "Explore", "description": task}
            file = f"{place}/subagents/agent-{name}"
            tree.put(f"{file}.jsonl", text, telling.end)
            tree.put(f"{file}.meta.json", json.dumps(about), telling.end)
    settings = f"{ROOT.rpartition('/')[0]}/settings.json"
    tree.put(settings, SETTINGS, days.ago(_SET, "19:00"))
    return ROOT


def _notes(session: Session, slug: str, story: Story) -> list[tuple[str, Note]]:
    """The notes that a sitting wrote, each with its place on the machine."""
    return [
        (f"{HOME}/{slug}/memory/{note.file}", note)
        for notebook in story.notebooks
        for note in notebook.notes
        if note.session == session.key and notebook.kind == "claude"
    ]


def _blemish(key: str, telling: Telling) -> None:
    """Damage a transcript as crashes and careless writers do."""
    session = {"sessionId": telling.identifier}
    if key == GLUED:
        telling.lines.bare({"type": "mode", "mode": "normal", **session})
        telling.lines.glue()
    if key in (TORN, BROKEN):
        prompt = {"type": "last-prompt", "lastPrompt": "next", **session}
        telling.lines.bare(prompt, ended=False)
    if key == BROKEN:
        telling.lines.bare({"type": "mode", "mode": "normal", **session})


def _end(session: Session) -> str:
    """What a transcript ends with: nothing where the last line was torn off."""
    return "" if session.key == TORN else "\n"
