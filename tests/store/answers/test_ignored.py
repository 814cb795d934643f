"""Problems that the user ignores: this one, here, until it changes."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.formats.agent_memory.format import FORMAT as AGENT_MEMORY
from store.formats.notes.format import FORMAT as NOTES
from store.kinds.problems import Problem
from tests.examples import examples
from tests.store.formats.agent_memory_stores import lines, make_small_store, thing
from tests.store.formats.agent_memory_stores import write as write_lines
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_changes import kept
from tests.store.formats.notes_stores import note, write

LOST = "lost-link"
INDEX = "MEMORY.md"


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Changed]:
    """Notes whose index has three broken links."""
    with opened(tmp_path) as store:
        index(store, "- [A](a.md)\n", "- [B](b.md)\n", "- [C](c.md)\n")
        yield store


def opened(folder: Path) -> Changed:
    return Changed(kept(folder / ".claude" / "memory"), NOTES, folder / "own")


def index(store: Changed, *links: str) -> None:
    """Write an index that lists all notes, and these lines."""
    listed = "- [Zoe](zoe.md)\n- [Tabs](tabs.md)\n- [Plain](plain.md)\n"
    write(store.root / INDEX, listed + "".join(links))
    store.library.sync()


def shown(store: Changed, code: str = LOST) -> list[int | None]:
    """The lines of the problems that are not ignored."""
    return [one.line for one in store.problems(code) if not one.ignored]


def ignore(store: Changed, *problems: Problem, ignores: bool = True) -> None:
    store.library.index.ignore(problems, ignores=ignores)


def test_only_this_problem_is_ignored_now_and_later(notes: Changed) -> None:
    _, second, _ = notes.problems(LOST)

    ignore(notes, second)
    assert shown(notes) == [4, 6]

    index(notes, "- [A](a.md)\n", "- [B](b.md)\n", "- [C](c.md)\n", "- [D](d.md)\n")
    assert shown(notes) == [4, 6, 7]


def test_an_ignored_problem_can_be_shown_again(notes: Changed) -> None:
    ignore(notes, *notes.problems(LOST))
    assert shown(notes) == []
    first, *_ = notes.problems(LOST)

    ignore(notes, first, ignores=False)

    assert shown(notes) == [4]


def test_a_problem_stays_ignored_when_its_line_moves(notes: Changed) -> None:
    _, second, _ = notes.problems(LOST)
    ignore(notes, second)

    index(notes, "More.\n", "- [A](a.md)\n", "\n", "- [B](b.md)\n", "- [C](c.md)\n")

    assert shown(notes) == [5, 8]


def test_a_problem_is_shown_again_once_its_line_changes(notes: Changed) -> None:
    _, second, _ = notes.problems(LOST)
    ignore(notes, second)

    index(notes, "- [A](a.md)\n", "- [B](b.md) and more\n", "- [C](c.md)\n")

    assert shown(notes) == [4, 5, 6]


def test_other_lines_with_the_same_message_are_not_ignored(tmp_path: Path) -> None:
    root = tmp_path / "memories"
    root.mkdir(mode=0o700)
    make_small_store(root)
    raw = lines(thing(1), b'{"id": "x", "one', b'{"id": "y", "two', thing(2))
    write_lines(root, "core_memories.jsonl", raw)
    with Changed(root, AGENT_MEMORY, tmp_path / "own") as store:
        first, second = store.problems("damaged-line")
        assert first.message == second.message

        ignore(store, first)

        assert shown(store, "damaged-line") == [3]


def test_another_secret_in_the_same_note_is_shown(notes: Changed) -> None:
    key, other = "sk-ant-api03-" + "a1B2" * 23 + "AA", "sk-ant-api03-" + "b3C4" * 23
    write(notes.root / "tabs.md", note("name: Tabs\ntype: user\n", f"{key}\n"))
    notes.library.sync()
    (secret,) = notes.problems("secret")

    ignore(notes, secret)
    assert shown(notes, "secret") == []
    write(notes.root / "tabs.md", note("name: Tabs\ntype: user\n", f"{other}AA\n"))
    notes.library.sync()

    assert shown(notes, "secret") == [None]


def test_the_list_survives_the_index(notes: Changed, tmp_path: Path) -> None:
    _, second, _ = notes.problems(LOST)
    ignore(notes, second)
    notes.close()

    with Changed(notes.root, NOTES, tmp_path / "own", tmp_path / "other") as fresh:
        assert shown(fresh) == [4, 6]


def test_an_entry_that_names_no_single_problem_hides_nothing(
    notes: Changed, tmp_path: Path
) -> None:
    """In the old form of the list: a code and a file."""
    entry = [str(notes.root), LOST, INDEX]
    list_ = tmp_path / "own" / "state" / "ignored"
    list_.parent.mkdir(parents=True, exist_ok=True)
    list_.write_text(f"{json.dumps(entry)}\nnonsense\n")

    notes.library.sync()

    assert shown(notes) == [4, 5, 6]


@examples(25)
@given(
    chosen=st.sets(st.integers(0, 5)),
    edited=st.sets(st.integers(0, 5)),
    gone=st.sets(st.integers(0, 5)),
    order=st.permutations(range(6)),
)
def test_a_problem_stays_ignored_as_long_as_it_is_unchanged(
    chosen: set[int], edited: set[int], gone: set[int], order: list[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder)) as store:
        index(store, *(f"- [{one}]({one}.md)\n" for one in range(6)))
        ignore(store, *(store.problems(LOST)[one] for one in sorted(chosen)))

        left = [one for one in order if one not in gone]
        index(
            store,
            *(f"- [{n}]({n}.md){' more' if n in edited else ''}\n" for n in left),
        )

        assert {line - 4 for line in shown(store) if line} == {
            place for place, n in enumerate(left) if n not in chosen or n in edited
        }
