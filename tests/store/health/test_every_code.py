"""Every kind of problem has a story where it is found, and the nearest where it isn't.

Those with a fix are in `test_every_fix`, the others in `test_every_check`.
"""

import re

from store.formats.register import FORMATS
from tests.project import ROOT, sources
from tests.store.health.test_every_check import TABLES
from tests.store.health.test_every_fix import CASES
from widgets.problems import NAMES

_QUOTED = re.compile(r"""["']([a-z][a-z0-9-]+)["']""")

ELSEWHERE = {
    "embed-outdated": "tui/cli/test_embed.py",
    "half-done-change": "tui/cli/changes/test_half_done.py",
}
"""Codes whose stories need more than files: a provider, a change cut off."""

SHOWN = {(table.format.name, code) for table in TABLES.values() for code in table.rows}


def named() -> set[tuple[str, str]]:
    """The codes that each format's modules name."""
    return {
        (one.name, code)
        for one in FORMATS
        for path in sources(f"store/formats/{one.name.replace('-', '_')}")
        for code in NAMES.keys() & _QUOTED.findall(path.read_text("utf-8"))
    }


def shared() -> set[str]:
    """The codes that modules name which all formats use."""
    formats = {one.name.replace("-", "_") for one in FORMATS}
    texts = [
        path.read_text("utf-8")
        for path in sources("store")
        if formats.isdisjoint(path.relative_to(ROOT).parts)
    ]
    return {word for text in texts for word in _QUOTED.findall(text)}


def test_every_code_has_a_story_and_the_nearest_that_is_none() -> None:
    told = {code for _, code in (*SHOWN, *CASES)} | ELSEWHERE.keys()

    assert NAMES.keys() - told == set()


def test_every_code_of_every_format_has_one_in_that_format() -> None:
    common = shared()
    apart = {(name, code) for name, code in named() if code not in common}

    assert len(apart) > 80
    assert apart - SHOWN - set(CASES) == set()


def test_what_is_shown_elsewhere_is() -> None:
    for code, path in ELSEWHERE.items():
        assert f'"{code}"' in (ROOT / "tests" / path).read_text("utf-8")
