"""The user's keys apply where possible; otherwise their line is reported."""

from hypothesis import given
from hypothesis import strategies as st

from tests.tui.keys.test_chords import KEYMAP
from tui.keys import NAMED, Remapped, Wanted, remap

NEEDED = frozenset({"quit"})


def remapped(wanted: Wanted) -> Remapped:
    return remap(KEYMAP, wanted, NEEDED)


def told(result: Remapped) -> list[str]:
    return [problem.sentence for problem in result.problems]


def test_a_command_gets_the_keys_of_the_settings() -> None:
    result = remapped({"top": (["g t", "<"], 3), "down": (["n"], 4)})

    assert told(result) == []
    assert result.keymap.keys("top") == (("g", "t"), ("<",))
    assert result.keymap.keys("down") == (("n",),)
    assert result.keymap.keys("store") == KEYMAP.keys("store")


def test_two_commands_may_swap_keys() -> None:
    result = remapped({"top": (["j"], 3), "down": (["g g"], 4)})

    assert told(result) == []
    assert result.keymap.meanings("list")["j",] == "top"


def test_a_key_may_be_removed_from_a_command() -> None:
    result = remapped({"down": ([], 3)})

    assert told(result) == []
    assert result.keymap.keys("down") == ()


def test_an_essential_command_keeps_a_key() -> None:
    result = remapped({"quit": ([], 3)})

    assert told(result) == ["'quit' needs a key."]
    assert result.keymap.keys("quit") == KEYMAP.keys("quit")


def test_an_unknown_command_suggests_the_nearest() -> None:
    (problem,) = remapped({"dwon": (["n"], 7)}).problems

    assert (problem.line, problem.command) == (7, "dwon")
    assert problem.sentence == ("Unknown command 'dwon' (did you mean 'down'?).")


def test_an_invalid_key_is_refused() -> None:
    result = remapped({"down": (["n", "nonsense"], 7)})

    assert told(result) == ["invalid key 'nonsense'."]
    assert result.keymap.keys("down") == KEYMAP.keys("down")


def test_a_key_that_terminals_need_is_refused_with_the_reason() -> None:
    result = remapped({"down": (["ctrl+b"], 7), "top": (["alt+j"], 8)})

    assert told(result) == [
        "'ctrl+b' can't be used: tmux and screen use it.",
        "'alt+j' can't be used: terminals send escape and a letter instead.",
    ]


def test_a_letter_is_refused_in_text_fields() -> None:
    result = remapped({"take": (["x"], 7)})

    assert told(result) == ["'x' can't be used: it types text there."]


def test_a_key_already_in_use_is_refused() -> None:
    result = remapped({"store": (["j"], 7)})

    assert told(result) == [
        "'j' is already used for 'down'; give that command another key first."
    ]
    assert result.keymap.keys("store") == KEYMAP.keys("store")


def test_a_key_that_begins_a_chord_is_in_use() -> None:
    (problem,) = remapped({"down": (["g"], 7)}).problems

    assert problem.sentence.startswith("'g' is already used for ")


def test_of_two_settings_for_one_key_the_later_is_refused() -> None:
    result = remapped({"store": (["x"], 9), "down": (["x"], 4)})

    assert [problem.line for problem in result.problems] == [9]
    assert told(result) == [
        "'x' is already used for 'down'; give that command another key first."
    ]
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
def test_whatever_the_settings_no_key_means_two_things(wanted: Wanted) -> None:
    result = remapped(wanted)

    assert list(result.keymap.clashes()) == []
    assert result.keymap.keys("quit")
    assert len(result.problems) <= len(wanted)
