from store.derive.events import Coaccess, Pair

MINUTE = 60_000_000


def test_files_within_five_minutes_belong_together() -> None:
    found = Coaccess()
    for session, path, minute in [
        ("s", "/b", 0),
        ("s", "/a", 5),
        ("s", "/c", 5.1),
        ("other", "/a", 5.2),
        ("s", "/b", 5.3),
        ("s", "/b", 5.4),
    ]:
        found.touch(session, path, int(minute * MINUTE))

    assert found.counts == {
        Pair("/a", "/b"): 3,
        Pair("/a", "/c"): 1,
        Pair("/b", "/c"): 2,
    }


def test_a_file_is_paired_with_the_ten_most_recent_ones() -> None:
    found = Coaccess()
    for number in range(12):
        found.touch("s", f"/{number:02}", number)
    found.touch("s", "/z", 12)

    paired = sorted(pair.first for pair in found.counts if pair.second == "/z")
    assert paired == [f"/{number:02}" for number in range(2, 12)]
