from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from store.derive.events import (
    FINISHED,
    RUNNING,
    START,
    STOP,
    TASK,
    UNFINISHED,
    UNSTARTED,
    Note,
    put_together,
)


def lines_and_states(*notes: Note) -> list[tuple[list[int], str]]:
    return [([n.line for n in task.notes], task.state) for task in put_together(notes)]


def test_a_stop_ends_the_last_start_of_its_name() -> None:
    assert lines_and_states(
        Note(1, START, "build"),
        Note(2, START, "test"),
        Note(3, STOP, "build", duration=9),
    ) == [([1, 3], FINISHED), ([2], RUNNING)]


def test_a_restarted_task_never_ended() -> None:
    assert lines_and_states(
        Note(1, START, "build"), Note(2, START, "build"), Note(3, STOP, "build")
    ) == [([1], UNFINISHED), ([2, 3], FINISHED)]


def test_a_stop_may_be_alone_or_repeated() -> None:
    assert lines_and_states(
        Note(1, STOP, "build"),
        Note(2, START, "build"),
        Note(3, STOP, "build"),
        Note(4, STOP, "build"),
    ) == [([1], UNSTARTED), ([2, 3], FINISHED), ([2, 4], FINISHED)]


def test_a_background_agent_is_reported_twice() -> None:
    sent = Note(1, TASK, id="toolu_1", duration=0)
    other = Note(2, TASK, id="toolu_2", duration=5)
    done = Note(3, TASK, id="toolu_1", duration=585, notified=True)

    first, second = put_together([sent, other, done])

    assert (first.notes, first.best) == ([sent, done], done)
    assert second.notes == [other]


def test_the_longer_time_is_the_real_one() -> None:
    first, second = Note(1, TASK, id="t", duration=7), Note(2, TASK, id="t", duration=1)

    (task,) = put_together([first, second])

    assert task.best == first


NOTES = st.builds(
    Note,
    line=st.just(0),
    kind=st.sampled_from([START, STOP, TASK]),
    name=st.sampled_from(["a", "b", None]),
    id=st.sampled_from(["1", "2", None]),
)


@given(st.lists(NOTES, max_size=30))
def test_no_line_is_lost_and_each_name_runs_at_most_once(notes: list[Note]) -> None:
    numbered = [replace(note, line=line) for line, note in enumerate(notes, 1)]

    tasks = put_together(numbered)

    assert {n.line for task in tasks for n in task.notes} == {n.line for n in numbered}
    running = [task.notes[0].name for task in tasks if task.state == RUNNING]
    assert len(running) == len(set(running))
