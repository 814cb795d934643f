from collections import Counter

from store.text import fold
from tests.bench.queries import Item, Query, queries, title_words

KILN = Item(
    "memory:1",
    "Kiln controller drops off the network",
    ("kiln",),
    "The watchdog resets the thermocouple amplifier.",
)
OTHER = Item("memory:2", "Glaze recipes", (), "A watchdog barks at the potter: kettle.")
WAYS = [
    "words of the title",
    "two words swapped",
    "a typo",
    "last word cut",
    "abbreviated",
    "words of the body",
]


def typed(way: str, *items: Item) -> list[str]:
    return [query.text for query in queries(items) if query.way == way]


def test_there_are_enough_queries_of_every_class(items: list[Item]) -> None:
    made = queries(items)

    often = Counter(query.way for query in made)

    assert list(often) == WAYS
    assert min(often.values()) >= 50
    assert sum(often.values()) >= 300


def test_queries_do_not_depend_on_the_order_of_the_items(
    items: list[Item],
) -> None:
    assert queries(items[::-1]) == queries(items)


def test_no_query_has_query_syntax(items: list[Item]) -> None:
    for query in queries(items):
        assert query.text
        assert all(word.isalnum() for word in query.text.split())
        assert query.text == query.text.lower()


def test_the_longest_words_of_a_title_are_remembered_in_order() -> None:
    assert typed("words of the title", KILN) == ["kiln controller drops network"]


def test_words_are_swapped() -> None:
    assert typed("two words swapped", OTHER) == ["recipes glaze"]


def test_one_word_has_a_typo(items: list[Item]) -> None:
    titles = {item.ref: title_words(item.title) for item in items}

    for query in queries(items):
        if query.way == "a typo":
            words = query.text.split()
            wrong = [word for word in words if word not in titles[query.ref]]
            assert len(wrong) <= 1


def test_the_last_word_is_cut() -> None:
    (text,) = typed("last word cut", OTHER)

    assert text != "glaze recipes"
    assert "glaze recipes".startswith(text)


def test_words_are_run_together() -> None:
    assert set(typed("abbreviated", KILN, OTHER)) <= {"kcdotn", "kilcondro", "glarec"}


def test_the_rarest_words_of_a_body_are_typed(items: list[Item]) -> None:
    assert set(typed("words of the body", KILN, OTHER)) == {
        "resets thermocouple amplifier",
        "barks potter kettle",
    }
    bodies = {item.ref: fold(item.body) for item in items}
    for query in queries(items):
        if query.way == "words of the body":
            assert all(word in bodies[query.ref] for word in query.text.split())


def test_a_title_of_one_short_word_has_fewer_classes() -> None:
    assert queries([Item("memory:3", "Kiln", (), "")]) == [
        Query("words of the title", "kiln", "memory:3")
    ]
