from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from store.search.rank import Candidate, Judge, Wanted, judge, judge_similar

DAY = 86_400_000_000
NOW = 20_000 * DAY
PLAIN = Candidate(
    kind="memory",
    title="Nothing of note",
    names="",
    tags=(),
    description="",
    body="",
    at=NOW - 300 * DAY,
    strength=None,
    pinned=False,
    archived=False,
)


def wanted(query: str) -> list[Wanted]:
    return [Wanted(word, 0.5) for word in query.split()]


def ranked(query: str | Sequence[Wanted], *candidates: Candidate) -> list[Candidate]:
    needs = wanted(query) if isinstance(query, str) else query
    scores = [judge(needs, candidate, NOW).score for candidate in candidates]
    assert len(set(scores)) == len(scores)
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    return [candidates[at] for at in order]


def titled(title: str, body: str = "") -> Candidate:
    return replace(PLAIN, title=title, body=body)


def bodied(body: str) -> Candidate:
    return replace(PLAIN, body=body)


def test_a_title_ranks_over_names_tags_description_and_body() -> None:
    order = [
        titled("Use redis"),
        replace(PLAIN, names="use-redis"),
        replace(PLAIN, tags=("cache", "redis")),
        replace(PLAIN, description="Use redis"),
        bodied("Use redis"),
        PLAIN,
    ]

    assert ranked("redis", *reversed(order)) == order


def test_a_whole_word_ranks_over_a_prefix_over_a_part() -> None:
    order = [
        titled("Of cat and dog"),
        titled("Of catalogues!"),
        titled("Of concatenate"),
    ]

    assert ranked("cat", *reversed(order)) == order


def test_a_whole_tag_ranks_over_a_part_of_the_title() -> None:
    part, tag = titled("Redistribution"), replace(PLAIN, tags=("dist",))

    assert ranked("dist", part, tag) == [tag, part]


def test_an_exact_title_comes_first_and_a_prefix_next() -> None:
    order = [
        titled("Redis timeout"),
        titled("Redis timeout in production"),
        titled("The redis timeout in production"),
        titled("The redis and its timeout in production"),
        titled("The timeout of redis in production"),
    ]

    assert ranked("redis timeout", *reversed(order)) == order


def test_all_words_in_the_title_rank_over_scattered_words() -> None:
    both = titled("The timeouts of some redistribution")
    spread = titled("Redis", "timeout timeout timeout")

    assert ranked("redis timeout", spread, both) == [both, spread]


def test_adjacent_words_rank_over_scattered_words() -> None:
    far = "and so on and so forth " * 20
    order = [
        bodied(f"{far} a redis timeout {far}"),
        bodied(f"{far} a timeout of redis {far}"),
        bodied(f"redis {far} {far} timeout"),
    ]

    assert ranked("redis timeout", *reversed(order)) == order


def test_a_frequent_word_ranks_over_a_single_one() -> None:
    once, often = bodied("redis"), bodied("redis, redis, redis")

    assert ranked("redis", once, often) == [often, once]


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    common, rare = titled("Fix", "valkey"), titled("Valkey", "fix")
    query = [Wanted("fix", 0.1), Wanted("valkey", 0.9)]

    assert ranked(query, common, rare) == [rare, common]


def test_a_capital_letter_makes_case_count() -> None:
    name, word = titled("How Redis works"), titled("How redis works")

    assert ranked("Redis", word, name) == [name, word]
    assert judge(wanted("redis"), name, NOW) == judge(wanted("redis"), word, NOW)


def test_accents_do_not_matter() -> None:
    reasons = judge(wanted("reseau"), titled("Le réseau"), NOW).reasons

    assert reasons[0] == "title has 'reseau' as a whole word"


def test_scripts_without_spaces_have_words_too() -> None:
    reasons = judge(
        wanted("タイムアウト"), titled("接続のタイムアウト設定"), NOW
    ).reasons

    assert reasons[0] == "title has 'タイムアウト' as a whole word"


@pytest.mark.parametrize(
    "better",
    [
        replace(PLAIN, at=NOW),
        replace(PLAIN, strength=0.9),
        replace(PLAIN, pinned=True),
    ],
)
def test_recent_strong_and_pinned_memories_rank_slightly_higher(
    better: Candidate,
) -> None:
    better = replace(better, title="Redistribute")
    same = titled("Redistribute")
    answers_better = titled("Redis")

    order = [answers_better, better, same]

    assert ranked("redis", *reversed(order)) == order


def test_archived_memories_rank_lower() -> None:
    away, kept = replace(titled("Redis"), archived=True), titled("Redis")

    assert ranked("redis", away, kept) == [kept, away]


def test_a_memory_ranks_over_a_message_over_an_event() -> None:
    order = [replace(bodied("redis"), kind=k) for k in ("memory", "message", "event")]

    assert ranked("redis", *reversed(order)) == order


def test_the_reasons_are_given() -> None:
    candidate = Candidate(
        kind="memory",
        title="Redis needs a longer timeout",
        names="redis-timeout-3f2a",
        tags=("networks",),
        description="",
        body="Set tcp_keepalive, and keepalive once more.",
        at=NOW - 3 * DAY,
        strength=999.0,
        pinned=True,
        archived=True,
    )

    assert judge(wanted("redis network keepalive"), candidate, NOW).reasons == (
        "title has 'redis' as a whole word",
        "tag has a word that starts with 'network'",
        "body has 'keepalive' as a whole word",
        "kind memory",
        "changed 3 days ago",
        "pinned",
        "archived",
    )


def test_the_strength_among_the_reasons_is_the_one_that_is_shown() -> None:
    strong = replace(bodied("redis"), strength=2.14)

    assert "strength 2.14" in judge(wanted("redis"), strong, NOW).reasons


@pytest.mark.parametrize(
    ("days", "told"), [(0, "today"), (1, "yesterday"), (40, "40 days ago")]
)
def test_the_time_of_the_change_is_given(days: int, told: str) -> None:
    candidate = replace(PLAIN, at=NOW - days * DAY)

    assert f"changed {told}" in judge([], candidate, NOW).reasons


def test_a_word_without_hits_gives_no_reason() -> None:
    assert judge(wanted("zebra"), PLAIN, NOW) == judge([], PLAIN, NOW)


def test_a_merely_similar_hit_ranks_below_a_hit_of_the_word() -> None:
    similar = replace(PLAIN, at=NOW, strength=1.0, pinned=True)
    exact = replace(titled("Concatenate"), kind="event", at=None, archived=True)

    near = judge_similar(1.0, similar, NOW)

    assert near.score < judge(wanted("cat"), exact, NOW).score
    assert near.reasons[0] == "name is similar, 100%"
    assert judge_similar(0.5, similar, NOW).score < near.score


TEXTS = st.text(st.sampled_from("abßé\u0301 \n{}'-Aß한"), max_size=12)
CANDIDATES = st.builds(
    Candidate,
    kind=st.sampled_from(["memory", "message", "event", "measure"]),
    title=TEXTS,
    names=TEXTS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    description=TEXTS,
    body=TEXTS,
    at=st.none() | st.integers(-DAY, NOW + DAY),
    strength=st.none() | st.floats(0, 1000),
    pinned=st.booleans(),
    archived=st.booleans(),
)


@given(st.lists(st.builds(Wanted, TEXTS, st.floats(0, 1)), max_size=4), CANDIDATES)
def test_any_query_gets_a_verdict(needs: list[Wanted], candidate: Candidate) -> None:
    judged = Judge(needs, NOW)

    verdict = judged.of(candidate)

    assert verdict == judged.of(candidate)
    assert -1 < verdict.score < 40
    assert all(verdict.reasons)


def test_words_together_in_a_body_rank_over_one_word_in_a_title() -> None:
    together = bodied("It fails after the message was sent.")
    apart = titled("After one hard bounce", "The message is suppressed.")

    assert ranked("after message", apart, together) == [together, apart]


def test_nearer_words_in_a_body_rank_higher() -> None:
    order = [
        bodied(f"The pool {'and then some ' * words}the timeout.")
        for words in (0, 3, 9, 30, 90)
    ]

    assert ranked("pool timeout", *reversed(order)) == order


def test_whole_words_in_a_body_rank_over_prefixes() -> None:
    whole = bodied("Dedicate the next day to it, or a sprint.")
    begins = bodied("Dedicated to it were the day and sprints.")

    assert ranked("dedicate sprint", begins, whole) == [whole, begins]


def test_similarity_of_a_name_outweighs_the_merit_of_a_record() -> None:
    liked = replace(PLAIN, at=NOW, strength=1.0, pinned=True)

    assert judge_similar(0.8, PLAIN, NOW).score > judge_similar(0.6, liked, NOW).score
