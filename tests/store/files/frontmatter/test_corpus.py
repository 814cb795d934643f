"""Real memories lose nothing, and what is valid YAML has no flaw."""

from pathlib import Path

import pytest
import yaml

from store.files.frontmatter import read_page
from tests.project import ROOT

MEMORIES = ROOT / "../shared/corpus/memory"


@pytest.fixture(scope="module")
def files() -> list[Path]:
    if not MEMORIES.is_dir():
        pytest.skip("The corpus of real memories is not here.")
    return sorted(MEMORIES.rglob("*.md"))


def test_every_byte_is_in_the_header_or_in_the_body(files: list[Path]) -> None:
    for path in files:
        text = path.read_bytes().decode()
        page = read_page(text.encode())

        rejoined = f"---\n{page.header}---"
        assert text.removeprefix("\ufeff").startswith(
            rejoined if page.has_header else page.body
        )
        assert text.endswith(page.body)


def test_the_fields_of_valid_headers_are_those_of_yaml(files: list[Path]) -> None:
    valid = broken = 0
    for path in files:
        page = read_page(path.read_bytes())
        if not page.has_header:
            continue
        try:
            expected = yaml.load(page.header, Loader=yaml.BaseLoader)  # noqa: S506 - strings only
        except yaml.YAMLError:
            broken += 1
            assert [flaw.code for flaw in page.flaws] == ["invalid-yaml"], path
            assert set(page.fields) >= {"name", "description"}, path
        else:
            valid += 1
            assert page.fields == expected, path
            assert page.flaws == (), path
    assert valid > broken > 0
