"""MEMORY.md: the index of a notebook, kept by hand or built anew."""

from itertools import groupby

from store.demo.model import Note, Notebook


def kept_index(notebook: Notebook) -> str:
    """The index as an agent keeps it: a line for each note, under headings if any."""
    blocks = [f"# {notebook.heading.strip()}\n"] if notebook.heading else []
    listed = [note for note in notebook.notes if note.hook]
    sections = list(dict.fromkeys(note.section for note in listed))
    listed.sort(key=lambda note: sections.index(note.section))
    for section, notes in groupby(listed, key=lambda note: note.section):
        heading = f"## {section}\n\n" if section else ""
        blocks.append(heading + "".join(map(_kept_line, notes)))
    if notebook.gone:
        blocks[-1] += "".join(f"{line}\n" for line in notebook.gone)
    return "\n".join(blocks)


def rebuilt_index(notebook: Notebook) -> str:
    """The index as a program builds it: every file by name, with its description."""
    notes = sorted(notebook.notes, key=lambda note: note.file)
    lines = (f"- [{note.name}]({note.file}) — {note.description}\n" for note in notes)
    return "".join(lines)


def _kept_line(note: Note) -> str:
    return f"- [{note.name}]({note.file}) — {note.hook}\n"
