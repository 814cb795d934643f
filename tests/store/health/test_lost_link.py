"""A link of an episode or a document without a memory of the store."""

from tests.store.catalogue.stores import Shelf, cognitive, notes, write

DAY = "episodes/2026-03-01.md"


def day(link: str) -> str:
    return (
        "# 2026-03-01\n\n## 10:30 - Done\n- **Type:** fix\n"
        f"- **Memory:** [one]({link})\n- **Summary:** Done\n"
    )


def test_an_episode_whose_memory_is_gone_has_a_problem(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, DAY, day("../graph/fixes/gone.md"))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("lost-link", "warning")
    assert (problem.path, problem.line) == (DAY, 3)
    assert problem.ref == shelf.episodes()[0].ref
    assert problem.message == (
        "Broken link “../graph/fixes/gone.md”: no such memory in this store."
    )


def test_a_memory_that_moved_is_found_by_the_name_of_its_file(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, DAY, day("../graph/fixes/memory-1.md"))
    (store / "vault").mkdir()
    (store / "graph/fixes/memory-1.md").rename(store / "vault/memory-1.md")
    shelf.sync()

    assert shelf.codes() == []
    assert shelf.episodes()[0].memory == shelf.memory("Memory 1").ref


def test_a_line_of_an_index_whose_memory_is_gone_has_a_problem(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs", "spaces")
    (store / "spaces.md").unlink()
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.path, problem.line) == ("lost-link", "MEMORY.md", 2)
    assert problem.ref == shelf.documents()[0].ref


def test_a_link_to_the_web_is_not_broken(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    lines = "- [tabs](tabs.md) — See [the web](https://example.org/a.md)\n"
    write(store, "MEMORY.md", lines)
    shelf.sync()

    assert shelf.codes() == []
