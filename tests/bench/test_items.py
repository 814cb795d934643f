from store.library import Library
from tests.bench.queries import Item, known_items, title_words


def test_every_title_belongs_to_one_item_only(items: list[Item]) -> None:
    called = [tuple(title_words(item.title)) for item in items]

    assert len(items) > 200
    assert len(set(called)) == len(items)
    assert len({item.ref for item in items}) == len(items)


def test_numbers_are_not_memorable_titles(items: list[Item]) -> None:
    assert all(any(letter.isalpha() for letter in item.title) for item in items)


def test_memories_documents_and_conversations_are_searched(
    items: list[Item],
) -> None:
    kinds = {item.ref.partition(":")[0] for item in items}

    assert kinds == {"memory", "document", "conversation"}
    assert all(item.body for item in items if item.ref.startswith("memory:"))
    assert any(item.tags for item in items)


def test_the_same_items_come_in_the_same_order(
    samples: Library, items: list[Item]
) -> None:
    assert known_items(samples) == items
