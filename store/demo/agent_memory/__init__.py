"""The story as a memory server keeps it: core memories, learnings and tasks."""

from store.demo.agent_memory.files import (
    archive,
    backup,
    document,
    learnings,
    lines,
    tasks,
)
from store.demo.agent_memory.index import index
from store.demo.agent_memory.things import read_things
from store.demo.days import Days
from store.demo.model import Story
from store.demo.tree import Tree

ROOT = "agents/memories"


def put_agent_memory(tree: Tree, _story: Story, days: Days) -> str:
    """Put the store of a memory server into the tree, and return its place."""
    things = read_things(days)
    files = {
        "core_memories.jsonl": lines(things["core"]),
        "learnings.jsonl": learnings(things["learnings"]),
        "tasks.jsonl": tasks(things["tasks"]),
        archive(things["archive"]): lines(things["archive"]),
        "scribe.json": document(things["scribe"]),
    }
    size = sum(len(text.encode()) for text, _ in files.values())
    files["index.json"] = index(things, size)
    files |= backup("core_memories.jsonl", things["core"][:-1], days)
    for path, (text, changed) in files.items():
        tree.put(f"{ROOT}/{path}", text, changed)
    return ROOT
