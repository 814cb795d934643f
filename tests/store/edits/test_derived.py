"""Derived files: kept up to date as far as others let them be; never a hindrance."""

from store.edits.draft import FileStep, Remake
from tests.store.edits.trial import FILES, Trial

INDEX = "_index.json"


def marked(raw: bytes | None) -> bytes:
    """Made anew from whatever it is."""
    return (raw or b"") + b"ours\n"


def refused(_raw: bytes | None) -> None:
    """Nothing can be made of it."""


def index_step(trial: Trial, remake: Remake) -> FileStep:
    return trial.step(INDEX, marked(trial.raw(INDEX)), remake)


def test_one_that_another_wrote_meanwhile_is_made_from_that(trial: Trial) -> None:
    step = index_step(trial, marked)
    (trial.root / INDEX).write_bytes(b"theirs\n")

    applied = trial.apply(trial.step("a.md", b"new\n"), step)

    assert trial.raw(INDEX) == b"theirs\nours\n"
    assert applied.stale == ()
    trial.engine.undo()
    assert trial.raw(INDEX) == b"theirs\n"


def test_one_of_which_nothing_can_be_made_is_told(trial: Trial) -> None:
    step = index_step(trial, refused)
    (trial.root / INDEX).write_bytes(b"theirs\n")

    applied = trial.apply(trial.step("a.md", b"new\n"), step)

    assert trial.raw(INDEX) == b"theirs\n"
    assert trial.raw("a.md") == b"new\n"
    assert applied.stale == ((trial.root, INDEX),)
    assert INDEX in applied.notes[0]
    trial.engine.undo()
    assert (trial.raw("a.md"), trial.raw(INDEX)) == (FILES["a.md"], b"theirs\n")


def test_one_that_another_writes_all_the_time_is_given_up(trial: Trial) -> None:
    step = index_step(trial, lambda raw: busy(trial, raw))

    (trial.root / INDEX).write_bytes(b"theirs\n")
    applied = trial.apply(trial.step("a.md", b"new\n"), step)

    assert applied.stale == ((trial.root, INDEX),)
    assert trial.raw(INDEX) == b"theirs\n" + b"more\n" * 5
    assert sorted(path.name for path in trial.root.iterdir()) == [
        INDEX,
        "a.md",
        "b.md",
        "notes",
    ]


def busy(trial: Trial, raw: bytes | None) -> bytes:
    """While it is made anew, the other writes again."""
    with (trial.root / INDEX).open("ab") as file:
        file.write(b"more\n")
    return marked(raw)


def test_undoing_makes_it_anew_where_it_was_written_since(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"), index_step(trial, marked))
    trial.apply(trial.step("b.md", b"new\n"), index_step(trial, marked))
    first = trial.engine.past()[1].change

    undone = trial.engine.undo(first, lambda _root, _path: lambda _raw: b"rebuilt\n")

    assert undone.stale == ()
    assert trial.raw(INDEX) == b"rebuilt\n"


def test_undoing_tells_it_where_it_was_written_since(trial: Trial) -> None:
    trial.apply(trial.step("a.md", b"new\n"), index_step(trial, marked))
    trial.apply(trial.step("b.md", b"new\n"), index_step(trial, marked))
    first = trial.engine.past()[1].change

    undone = trial.engine.undo(first)

    assert undone.stale == ((trial.root, INDEX),)
    assert trial.raw("a.md") == FILES["a.md"]


def test_one_that_is_not_there_yet_is_made_and_goes_again(trial: Trial) -> None:
    step = trial.step("derived/new.json", b"{}\n", marked)
    before = trial.tree()

    trial.apply(trial.step("a.md", b"new\n"), step)
    assert trial.raw("derived/new.json") == b"{}\n"

    trial.engine.undo()
    assert trial.tree() == before
