"""`sessions-index.json`: Claude Code's own list of the sessions of a project."""

import json
from datetime import datetime, timedelta

from store.demo.days import Days, iso_z, micros
from store.demo.identity import identify
from store.demo.model import Project, Session, Story

HOME = "/home/zoe"


def sessions_index(
    project: Project, slug: str, story: Story, days: Days
) -> tuple[str, datetime]:
    """The list, and the end of the last session in it."""
    held = [one for one in story.sessions.values() if one.project == project.name]
    held.sort(key=lambda session: -session.ago)
    entries = [_entry(session, project, slug, days) for session in held]
    whole = {"version": 1, "entries": entries, "originalPath": project.path}
    return json.dumps(whole, indent=2, ensure_ascii=False), _end(held[-1], days)


def _entry(
    session: Session, project: Project, slug: str, days: Days
) -> dict[str, object]:
    identifier = identify("session", session.key)
    end = _end(session, days)
    return {
        "sessionId": identifier,
        "fullPath": f"{HOME}/.claude/projects/{slug}/{identifier}.jsonl",
        "fileMtime": micros(end) // 1000,
        "firstPrompt": session.prompt,
        "summary": session.summary,
        "messageCount": session.messages,
        "created": iso_z(days.ago(session.ago, session.at)),
        "modified": iso_z(end),
        "gitBranch": session.branch,
        "projectPath": project.path,
        "isSidechain": False,
    }


def _end(session: Session, days: Days) -> datetime:
    start = days.ago(session.ago, session.at)
    return start + timedelta(minutes=session.minutes)
