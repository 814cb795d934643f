from datetime import date

import pytest

from store.search.parse import parse
from store.search.tree import (
    EVERYTHING,
    Age,
    All,
    Compared,
    Days,
    Either,
    Fuzzy,
    Last,
    Named,
    Node,
    Not,
    Pattern,
    Start,
    Text,
    What,
)


def day(year: int, month: int, number: int) -> Days:
    return Days(date(year, month, number), date(year, month, number))


PROMISED: dict[str, Node] = {
    "redis timeout": All((Text("redis"), Text("timeout"))),
    '"connection timeout"': Text("connection timeout"),
    "~rediss": Fuzzy("rediss"),
    "^fix": Start("fix"),
    "/re(dis|try)/": Pattern("re(dis|try)"),
    "-draft !tag:old": All((Not(Text("draft")), Not(Named("tags", ("old",))))),
    "redis|valkey": Either((Text("redis"), Text("valkey"))),
    "type:fix,solution": Named("type", ("fix", "solution")),
    "tag:redis": Named("tags", ("redis",)),
    "stage:fading": Named("stage", ("fading",)),
    "is:pinned": Named("is", ("pinned",)),
    "is:hidden-text": Named("is", ("hidden-text",)),
    "has:edges": Named("has", ("edges",)),
    "edge:SOLVES": Named("edge", ("SOLVES",)),
    "status:ready": Named("status", ("ready",)),
    "tool:Bash": Named("tool", ("Bash",)),
    "in:body": Named("in", ("body",)),
    "in:2026-02": Named("in", (Days(date(2026, 2, 1), date(2026, 2, 28)),)),
    "store:homelab": Named("store", ("homelab",)),
    "project:api": Named("project", ("api",)),
    "importance>=.7": Compared("importance", ">=", 0.7),
    "strength<.2": Compared("strength", "<", 0.2),
    "uses=0": Compared("access_count", "=", 0.0),
    "links>5": Compared("links", ">", 5.0),
    "created<30d": Compared("created", "<", Age(30.0, "d")),
    "updated>2026-01-01": Compared("updated", ">", day(2026, 1, 1)),
    "seen<14d": Compared("accessed", "<", Age(14.0, "d")),
    "on:2026-02-14": Named("on", (day(2026, 2, 14),)),
    "since:last": Named("since", (Last(),)),
    "imp>=70%": Compared("importance", ">=", 0.7),
    "str<.2": Compared("strength", "<", 0.2),
    "year:2026": Named("year", (Days(date(2026, 1, 1), date(2026, 12, 31)),)),
    "duration>30m": Compared("duration", ">", 1800.0),
    "tokens>10k": Compared("tokens", ">", 10_000.0),
}


@pytest.mark.parametrize("text", PROMISED)
def test_documented_queries_work(text: str) -> None:
    query = parse(text)
    assert query.tree == PROMISED[text]
    assert query.complaints == ()


def test_either_binds_more_tightly_than_all() -> None:
    either = Either((Text("b"), Text("c")))
    assert parse("a b | c d").tree == All((Text("a"), either, Text("d")))
    assert parse("a (b|c) d").tree == parse("a b|c d").tree


def test_groups_fields_and_phrases_can_be_negated_and_combined() -> None:
    group = All((Text("a"), Named("type", ("fix",))))
    assert parse("-(a type:fix)").tree == Not(group)
    assert parse('(a type:fix)|-"b c"').tree == Either((group, Not(Text("b c"))))
    assert parse("-(-a)").tree == Not(Not(Text("a")))


def test_a_quoted_value_may_contain_anything() -> None:
    assert parse('project:"my app","a,b"').tree == Named("project", ("my app", "a,b"))
    assert parse('"say ""hi"""').tree == Text('say "hi"')


@pytest.mark.parametrize(
    "text",
    [
        "->",
        "*",
        "C++",
        "a-b",
        "v2.1.4",
        "src/store/files.py",
        "/usr/bin/x",
        "~/.claude",
        "don't",
        "https://a.b/c?d=e",
        "10:30",
        "localhost:8080",
        "redis:7",
        "C:\\temp",
        "C:/temp",
        "std::vector",
        "TypeError:",
        "main()",
        "f(x)",
        "--flag",
        "a=b",
        "x==y",
        "i<10",
        "List<int>",
        "Vec<str>",
        "imp=abc",
        "a->b",
        "!=",
        ":)",
        "레디스",
        "記憶",
        "👩‍💻",
        "/vol:/data",
    ],
)
def test_words_full_of_punctuation_are_still_words(text: str) -> None:
    query = parse(text)
    assert query.tree == Text(text)
    assert query.complaints == ()


@pytest.mark.parametrize(
    "text", ["", " ", "-", "!", "|", "()", "~", "^", '"', "(", "((|", '""', "- |"]
)
def test_punctuation_alone_restricts_nothing(text: str) -> None:
    assert parse(text).tree == EVERYTHING
    assert parse(text).complaints == ()


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('"connection tim', Text("connection tim")),
        ("(redis tim", All((Text("redis"), Text("tim")))),
        ("a type:", Text("a")),
        ("a type:fix,", All((Text("a"), Named("type", ("fix",))))),
        ("a imp>", Text("a")),
        ("a seen<14", Text("a")),
        ("a on:2026-0", Text("a")),
        ("a /re(dis|t", Text("a")),
        ("a /red.*", All((Text("a"), Pattern("red.*")))),
        ("a -", Text("a")),
        ("a|", Text("a")),
    ],
)
def test_an_unfinished_query_is_parsed_as_far_as_possible(
    text: str, tree: Node
) -> None:
    assert parse(text).tree == tree
    assert parse(text).complaints == ()


def test_a_finished_query_reports_missing_values() -> None:
    (complaint,) = parse("a seen<14", is_finished=True).complaints
    assert complaint.reason == (
        "'accessed' needs an age such as 30d or a day such as 2026-02-14, not '14'."
    )
    assert parse("type: fix").complaints[0].reason == ("No value after 'type:'.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fooo:bar", "Unknown field 'fooo'."),
        ("typo:fix", "Unknown field 'typo'; did you mean 'type'?"),
        ("strngth<1", "Unknown field 'strngth'; did you mean 'strength'?"),
        ("stage:fadign", "No stage 'fadign'; did you mean 'fading'?"),
        ("is:orphen", "There is no 'is:orphen'; did you mean 'orphan'?"),
        ("type<fix", "'type' can't be compared with '<'; write 'type:'."),
        ("imp>abc", "'importance' needs a number such as .7, not 'abc'."),
        ("stren<=x", "'strength' needs a number such as .7, not 'x'."),
        ("str:x", "'strength' needs a number such as .7, not 'x'."),
        ("typo:a,b", "Unknown field 'typo'; did you mean 'type'?"),
        ("/re(/", "Invalid pattern 're(': missing ): re(."),
        ("/a**/", "Invalid pattern 'a**': bad repetition operator: **."),
        (
            "s:x",
            "'s' is ambiguous: accessed, session, severity, sides, since and more.",
        ),
    ],
)
def test_unknown_values_are_left_out_and_named(text: str, reason: str) -> None:
    query = parse(f"redis {text} x")
    (complaint,) = query.complaints
    assert complaint.reason == reason
    assert complaint.nearest is None or repr(complaint.nearest) in reason
    assert query.tree == All((Text("redis"), Text("x")))


def test_an_invalid_time_suggests_a_valid_one() -> None:
    assert parse("on:2026-13 ").complaints[0].reason == (
        "'on' needs a day, a month or a year such as 2026-02, not '2026-13'."
    )
    assert parse("since:x").complaints[0].reason == (
        "'since' needs an age such as 30d, a day such as 2026-02-14, or last, not 'x'."
    )


def test_the_valid_values_of_a_list_are_kept() -> None:
    query = parse("stage:fadign,active")
    assert query.tree == Named("stage", ("active",))
    assert [part.what for part in query.parts] == [
        What.FIELD,
        What.OPERATOR,
        What.BAD,
        What.OPERATOR,
        What.VALUE,
    ]


def test_the_beginning_of_choices_means_all_of_them() -> None:
    assert parse("is:pin").tree == Named("is", ("pinned",))
    assert parse("stage:a").tree == Named("stage", ("active", "archived"))


def test_a_field_that_a_kind_lacks_is_reported() -> None:
    (complaint,) = parse("stage:fading", ["edges"]).complaints
    assert complaint.reason == "Edges have no field 'stage'."
    (complaint,) = parse("stage:fading", ["messages", "edges"]).complaints
    assert complaint.reason == "Edges and messages have no field 'stage'."
    assert parse("stage:fading", ["edges", "memories"]).complaints == ()


def test_a_prefix_is_matched_with_the_fields_of_the_queried_kinds() -> None:
    (complaint,) = parse("st:x").complaints
    assert complaint.reason.startswith("'st' is ambiguous: ")
    assert parse("sto:x", ["edges"]).tree == Named("store", ("x",))
    assert parse("str<1", ["edges"]).tree == Compared("strength", "<", 1.0)


@pytest.mark.parametrize(
    ("short", "whole"),
    [("imp>.5", "importance>.5"), ("tag:x", "tags:x"), ("seen<1d", "accessed<1d")],
)
def test_a_short_name_means_the_whole_one(short: str, whole: str) -> None:
    assert parse(short).tree == parse(whole).tree


def test_groups_nested_too_deeply_are_left_out_and_the_rest_works() -> None:
    query = parse("a " + "(" * 60 + "b" + ")" * 60 + " c")
    assert query.tree == All((Text("a"), Text("c")))
    assert len(query.complaints) == 1


def test_only_the_beginning_of_an_overlong_text_is_used() -> None:
    query = parse("redis " + "x" * 9000)
    assert query.tree == All((Text("redis"), Text("x" * 3994)))
    assert "4000" in query.complaints[0].reason


def test_every_part_has_its_colour() -> None:
    text = '-a "b c" type:fix|(~d ^e /f/) typo:g'
    said = [(text[p.span.start : p.span.end], p.what.value) for p in parse(text).parts]
    assert said == [
        ("-", "negation"),
        ("a", "word"),
        ('"b c"', "phrase"),
        ("type", "field"),
        (":", "operator"),
        ("fix", "value"),
        ("|", "either"),
        ("(", "group"),
        ("~d", "fuzzy"),
        ("^e", "start"),
        ("/f/", "pattern"),
        (")", "group"),
        ("typo", "bad"),
        (":", "operator"),
        ("g", "value"),
    ]


def test_too_many_terms_are_left_out_and_reported() -> None:
    query = parse("|".join(f"e{n}" for n in range(500)))

    assert isinstance(query.tree, Either)
    assert len(query.tree.terms) == 100
    (complaint,) = query.complaints
    assert complaint.is_cut
    assert complaint.reason == "Only the first 100 terms are used."


@pytest.mark.parametrize("text", ["is:foo", "has:foo"])
def test_each_value_to_choose_from_is_named_once(text: str) -> None:
    (complaint,) = parse(text).complaints
    choices = complaint.reason.partition("choose from ")[2].rstrip(").").split(", ")

    assert len(choices) == len(set(choices)) > 1
