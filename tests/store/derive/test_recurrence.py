from store.derive.events import Recurrence, Recurring


def test_patterns_within_and_across_sessions() -> None:
    found = Recurrence()
    for event_class, session, at in [
        ("retry_loop", "one", 5),
        ("retry_loop", "one", 3),
        ("retry_loop", "two", None),
        ("user", "two", 9),
    ]:
        found.add(event_class, session, at)

    assert found.within_sessions() == [Recurring("retry_loop", "one", 2, 3, 5)]
    assert found.across_sessions() == [Recurring("retry_loop", None, 2, 3, 5)]
