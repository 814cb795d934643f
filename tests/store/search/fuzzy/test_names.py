"""Which names are similar to a query, in which order, and why."""

import pytest

from store.search.fuzzy import Names
from tests.store.search.fuzzy.conftest import Hold

REDIS = "Redis connection timeout"
OTHERS = (
    "Postgres connection pool exhausted",
    "Rotate the Stripe webhook secret",
    "GitHub Actions cache the wheels",
    "Quarterly restore drill",
    "rediscover the retry budget",
)


@pytest.mark.parametrize(
    ("typed", "how"),
    [
        ("redis timeout", "every word"),
        ("redsi timeout", "one typo in 'redsi'"),
        ("rediz", "one typo in 'rediz'"),
        ("conneftion", "one typo in 'conneftion'"),
        ("conecsion redis", "typos in 'conecsion', words in another order"),
        ("timeout redis", "words in another order"),
        ("time", "'time' starts a word"),
        ("nection", "'nection' within a word"),
        ("rct", "'rct' as an abbreviation"),
        ("redcontim", "'redcontim' as an abbreviation"),
        ("cnnctn", "'cnnctn' as an abbreviation"),
        ("REDIS Tímeout", "every word"),
        ("redis:timeout", "every word"),
        ("redis xylophone", "without 'xylophone'"),
    ],
)
def test_the_most_similar_name_comes_first_with_its_reason(
    hold: Hold, typed: str, how: str
) -> None:
    names = hold(*OTHERS[:2], REDIS, *OTHERS[2:])

    best = names.similar(typed.split(), 10)[0]

    assert (best.position, best.how) == (2, how)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Łukasz in Łódź", "lukasz"),
        ("Łukasz in Łódź", "lukasz lodz"),
        ("Łukasz in Łódź", "lukazs"),
        ("Straße nach Tromsø", "strasse tromso"),
        ("api_key", "apikey"),
        ("api_key", "api key"),
        ("api_key", "api_kye"),
        ("ask-codex", "askcodx"),
        ("ask-codex", "ask-codxe"),
        ("maxRetryDelay", "retry"),
        ("maxRetryDelay", "mrd"),
        ("maxRetryDelay", "maxretrydlay"),
        ("GitHub Actions", "gihtub"),
        ("GitHub Actions", "gha"),
        ("Time out of the pool", "timeout"),
        ("Café-Menüs", "cafe menus"),
        ("Cafe menus", "café menüs"),
        ("Die Größe", "grosse"),
        ("Где хранятся настройки", "настойки"),
        ("日本語の検索が遅い", "検索"),
        ("日本語の検索が遅い", "日本話の検索"),
    ],
)
def test_identifiers_and_letters_of_all_scripts(
    hold: Hold, name: str, typed: str
) -> None:
    names = hold(*OTHERS[:3], name, *OTHERS[3:])

    assert [near.position for near in names.similar([typed], 1)] == [3]


def test_nearer_names_rank_higher(hold: Hold) -> None:
    names = hold("redirect", "radish", "redsi", "redis cluster", "redis", "rediscover")

    found = names.similar(["redis"], 10)

    assert [near.position for near in found[:4]] == [4, 3, 5, 2]
    scores = [near.score for near in found]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1


def test_a_title_weighs_more_than_other_names(hold: Hold) -> None:
    names = hold("cache pool\nredis-timeout\nstorage", "redis-timeout\ncache pool")

    assert [near.position for near in names.similar(["redis"], 10)] == [1, 0]
    assert [near.position for near in names.similar(["cache"], 10)] == [0, 1]
    assert [near.position for near in names.similar(["storage"], 10)] == [0]


def test_equally_near_names_keep_their_order(hold: Hold) -> None:
    names = hold(*["redis pool", "redis lock"] * 40)

    found = names.similar(["rediz"], 50)

    assert [near.position for near in found] == [*range(50)]
    assert found == names.similar(["rediz"], 50)


def test_names_added_later_are_found(hold: Hold) -> None:
    names = hold("Quarterly restore drill")
    assert len(names) == 1
    assert names.similar(["redsi"], 5) == []

    names.extend(["Postgres pool", REDIS])

    assert len(names) == 3
    assert [near.position for near in names.similar(["redsi"], 5)] == [2]


@pytest.mark.parametrize("typed", [[], [""], ["   "], ["-_-", "?!"], ["\x00\x1b"]])
def test_an_empty_query_is_similar_to_nothing(hold: Hold, typed: list[str]) -> None:
    assert hold(REDIS, "").similar(typed, 5) == []


def test_a_query_unlike_all_names_finds_none(hold: Hold) -> None:
    assert hold(REDIS, *OTHERS).similar(["xqzvkj"], 5) == []
    assert hold(REDIS).similar(["redis"], 0) == []
    assert hold().similar(["redis"], 5) == []


def test_names_are_stored_in_the_fastest_available_way() -> None:
    names = Names([*OTHERS, REDIS])

    assert names.similar(["redsi", "timeout"], 1)[0].position == len(OTHERS)
