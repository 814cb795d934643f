"""Turns the story's data files into the story."""

from typing import Any, cast

from store.demo.days import Days, evening
from store.demo.model import (
    Blemishes,
    Episode,
    Graph,
    Link,
    Memory,
    Note,
    Notebook,
    Project,
    Session,
    Story,
)
from store.demo.source import Source, Table


def read_story(days: Days) -> Story:
    """The whole story."""
    source = Source.story(days)
    projects = (source / "projects.toml").table()
    sessions = (source / "sessions.toml").table()
    return Story(
        projects={key: Project(name=key, **facts) for key, facts in projects.items()},
        sessions={key: Session(key=key, **facts) for key, facts in sessions.items()},
        graphs={part.name: _graph(part) for part in (source / "graphs").parts()},
        notebooks=tuple(_notebook(part) for part in (source / "notes").parts()),
    )


def _graph(folder: Source) -> Graph:
    memories = [
        _memory(project.name, page)
        for project in (folder / "memories").parts()
        for page in project.parts(".md")
    ]
    by_slug = {memory.slug: memory for memory in memories}
    diary = (folder / "episodes.toml").table()["entries"]
    blemishes = (folder / "blemishes.toml").table()
    return Graph(
        memories=tuple(memories),
        episodes=tuple(_episode(entry, by_slug) for entry in diary),
        blemishes=Blemishes(**{key: _fixed(value) for key, value in blemishes.items()}),
    )


def _memory(project: str, page: Source) -> Memory:
    """A memory; its folder is its project, and so its first tag, unless `common`."""
    header, body = page.page()
    own = () if project == "common" else (project,)
    ago: int = header["ago"]
    return Memory(
        slug=page.name,
        type=header["type"],
        title=header["title"],
        tags=own + tuple(header["tags"]),
        importance=header["importance"],
        confidence=header.get("confidence", 0.8),
        ago=ago,
        at=header.get("at", evening(page.name)),
        changed=header.get("changed", ago),
        uses=header.get("uses", 0),
        used=header.get("used"),
        pinned=header.get("pinned", False),
        links=tuple(_link(*link) for link in header.get("links", ())),
        steps=tuple(header.get("steps", ())),
        preconditions=tuple(header.get("preconditions", ())),
        postconditions=tuple(header.get("postconditions", ())),
        body=body,
    )


def _link(
    kind: str, to: str, strength: float, context: str, told: str | None = None
) -> Link:
    return Link(type=kind, to=to, strength=strength, context=context, told=told)


def _episode(entry: Table, memories: dict[str, Memory]) -> Episode:
    """An entry; what it does not say itself it takes from the memory it tells of."""
    facts: Table = {"memory": None}
    if "memory" in entry:
        memory = memories[entry["memory"]]
        facts["ago"], facts["at"] = memory.ago, memory.at
        facts["type"], facts["tags"] = memory.type, memory.tags
    facts |= entry
    return Episode(**{key: _fixed(value) for key, value in facts.items()})


def _notebook(folder: Source) -> Notebook:
    facts = (folder / "notebook.toml").table()
    notes = [_note(page, facts["form"]) for page in folder.parts(".md")]
    return Notebook(
        project=facts["project"],
        place=facts["place"],
        kind=facts["kind"],
        heading=facts.get("heading"),
        gone=tuple(facts.get("gone", ())),
        notes=tuple(sorted(notes, key=lambda note: (-note.ago, note.at, note.file))),
    )


def _note(page: Source, form: str) -> Note:
    header, body = page.page()
    return Note(
        file=f"{page.name}.md",
        form=header.get("form", form),
        name=header["name"],
        description=header.get("description", ""),
        type=header.get("type", "project"),
        hook=header.get("hook"),
        section=header.get("section"),
        ago=header["ago"],
        at=header.get("at", evening(page.name)),
        session=header.get("session"),
        body=body,
    )


def _fixed(value: object) -> Any:  # noqa: ANN401  TOML's values have any type
    """A value that a frozen record can hold."""
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value
