"""The user's keys hold where they fit; where they do not, the line is told."""

from hypothesis import given
from hypothesis import strategies as st

from tests.tui.keys.test_chords import KEYMAP
from tui.keys.names import NAMED
from tui.keys.remap import Remapped, Wanted, remap

NEEDED = frozenset({"quit"})


def remapped(wanted: Wanted) -> Remapped:
    return remap(KEYMAP, wanted, NEEDED)


def told(result: Remapped) -> list[str]:
    return [problem.sentence for problem in result.problems]


def test_a_command_gets_the_keys_that_are_wanted_for_it() -> None:
    result = remapped({"top": (["g t", "<"], 3), "down": (["n"], 4)})

    assert told(result) == []
    assert result.keymap.keys("top") == (("g", "t"), ("<",))
    assert result.keymap.keys("down") == (("n",),)
    assert result.keymap.keys("store") == KEYMAP.keys("store")


def test_two_commands_may_change_keys_with_one_another() -> None:
    result = remapped({"top": (["j"], 3), "down": (["g g"], 4)})

    assert told(result) == []
    assert result.keymap.meanings("list")["j",] == "top"


def test_a_key_may_be_taken_from_a_command() -> None:
    result = remapped({"down": ([], 3)})

    assert told(result) == []
    assert result.keymap.keys("down") == ()


def test_what_one_could_not_do_without_keeps_a_key() -> None:
    result = remapped({"quit": ([], 3)})

    assert told(result) == ["'quit' needs a key."]
    assert result.keymap.keys("quit") == KEYMAP.keys("quit")


def test_an_unknown_command_is_told_with_the_nearest() -> None:
    (problem,) = remapped({"dwon": (["n"], 7)}).problems

    assert (problem.line, problem.command) == (7, "dwon")
    assert problem.sentence == ("There is no command 'dwon'; the nearest is 'down'.")


def test_a_key_that_is_none_is_refused() -> None:
    result = remapped({"down": (["n", "nonsense"], 7)})

    assert told(result) == ["'nonsense' is no key."]
    assert result.keymap.keys("down") == KEYMAP.keys("down")


def test_a_key_that_terminals_want_is_refused_with_the_reason() -> None:
    result = remapped({"down": (["ctrl+b"], 7), "top": (["alt+j"], 8)})

    assert told(result) == [
        "'ctrl+b' cannot be used: tmux and screen keep it for themselves.",
        "'alt+j' cannot be used: it cannot be told from escape and a letter.",
    ]


def test_a_letter_is_refused_where_letters_are_typed() -> None:
    result = remapped({"take": (["x"], 7)})

    assert told(result) == ["'x' cannot be used: text is typed there."]


def test_a_key_that_means_something_already_is_refused() -> None:
    result = remapped({"store": (["j"], 7)})

    assert told(result) == ["'j' means 'down' already; give that another key first."]
    assert result.keymap.keys("store") == KEYMAP.keys("store")


def test_a_key_that_begins_a_chord_means_something_already() -> None:
    (problem,) = remapped({"down": (["g"], 7)}).problems

    assert problem.sentence.startswith("'g' means ")


def test_of_two_wishes_for_one_key_the_later_gives_way() -> None:
    result = remapped({"store": (["x"], 9), "down": (["x"], 4)})

    assert [problem.line for problem in result.problems] == [9]
    assert told(result) == ["'x' means 'down' already; give that another key first."]
    assert result.keymap.keys("down") == (("x",),)


@given(
    st.dictionaries(
        st.sampled_from([*sorted(KEYMAP.bound), "unknown"]),
        st.tuples(
            st.lists(
                st.one_of(
                    st.sampled_from([*sorted(NAMED), *"jgGQ", "g g", "g s", "^d"]),
                    st.text(max_size=6),
                ),
                max_size=3,
            ),
            st.integers(1, 99),
        ),
    )
)
def test_whatever_is_wanted_no_key_means_two_things(wanted: Wanted) -> None:
    result = remapped(wanted)

    assert list(result.keymap.clashes()) == []
    assert result.keymap.keys("quit")
    assert len(result.problems) <= len(wanted)
