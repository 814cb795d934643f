from store.formats.port import Rebuilt
from store.planning import plan_of


def test_a_plan_tells_the_file_before_and_after_and_what_differs() -> None:
    rebuilt = Rebuilt("index.json", "a\n", "b\n", ("One is left out.",))
    plan = plan_of("Make the index anew", rebuilt)
    (step,) = plan.steps
    assert (plan.action, plan.warnings) == (
        "Make the index anew",
        ("One is left out.",),
    )
    assert (step.path, step.before, step.after) == ("index.json", "a\n", "b\n")
    assert step.diff.endswith("@@ -1 +1 @@\n-a\n+b\n")


def test_where_nothing_differs_there_is_no_step() -> None:
    assert plan_of("Make it anew", Rebuilt("index.json", "a\n", "a\n")).steps == ()
