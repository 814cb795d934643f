"""The story as markdown notes: what an agent keeps about a project in its folder."""

import re

from store.demo.days import Days
from store.demo.model import Notebook, Story
from store.demo.notes.indexes import kept_index, rebuilt_index
from store.demo.notes.pages import page
from store.demo.notes.sessions import sessions_index
from store.demo.tree import Tree


def put_notebook(tree: Tree, notebook: Notebook, story: Story, days: Days) -> str:
    """Put a notebook where its keeper looks for it, and return the place."""
    root = notebook.place.format(slug=slug_of(story.projects[notebook.project].path))
    for note in notebook.notes:
        changed = days.ago(note.ago, note.at)
        tree.put(f"{root}/{note.file}", page(note, changed), changed)
    write_index = rebuilt_index if notebook.kind == "s09" else kept_index
    last = days.ago(notebook.notes[-1].ago, notebook.notes[-1].at)
    tree.put(f"{root}/MEMORY.md", write_index(notebook), last)
    return root


def put_sessions(tree: Tree, story: Story, days: Days) -> None:
    """Put beside each of Claude Code's notebooks what tells its project's true path."""
    for notebook in story.notebooks:
        if notebook.kind == "claude":
            project = story.projects[notebook.project]
            slug = slug_of(project.path)
            text, changed = sessions_index(project, slug, story, days)
            place = notebook.place.format(slug=slug).removesuffix("memory")
            tree.put(f"{place}sessions-index.json", text, changed)


def slug_of(path: str) -> str:
    """A project's path in Claude Code's spelling."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)
