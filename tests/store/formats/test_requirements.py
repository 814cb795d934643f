"""Every requirement of the specifications has a state: shown by tests, or why not."""

import re

import pytest

from tests.project import ROOT
from tests.requirements_page import COUNTS, WHY_NOT, Requirement, requirements

ALL = requirements()
SPECIFIED = ROOT.parent / "shared/FORMATS.md"


def test_no_requirement_is_left_out() -> None:
    listed = {row for one in ALL for row in one.rows}
    wanted = {f"{s}-{n:02}" for s, most in COUNTS.items() for n in range(1, most + 1)}

    assert listed == wanted


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.room.name}-{one.what}")
def test_what_shows_it_exists_or_there_is_a_reason(one: Requirement) -> None:
    if one.proof.startswith(WHY_NOT):
        assert len(one.proof.partition(": ")[2].split()) > 2
    else:
        assert list(one.unknown()) == []


@pytest.mark.skipif(not SPECIFIED.exists(), reason="../shared/FORMATS.md is not here")
def test_the_counts_are_those_of_the_specifications() -> None:
    text = SPECIFIED.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (S\d)-\d\d \|", text, re.MULTILINE)

    assert {name: rows.count(name) for name in COUNTS} == COUNTS
