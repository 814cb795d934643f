import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from store.demo import write

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)
LINE = re.compile(r"^- \[(.+?)\]\((.+?)\) — (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The notebooks, by the distinctive part of their path."""
    made = write(tmp_path_factory.mktemp("demo"), NOW)
    names = ("homelab", "src-kilnbook", "tailfin", "hearthbot", "reviewer")
    return {
        name: next(root for root in made if name in root.as_posix()) for name in names
    }


def notes_of(root: Path) -> dict[str, str]:
    return {
        page.name: page.read_text("utf-8")
        for page in root.glob("*.md")
        if page.name != "MEMORY.md"
    }


def index_of(root: Path) -> list[tuple[str, str, str]]:
    return LINE.findall((root / "MEMORY.md").read_text("utf-8"))


def header_of(text: str) -> dict[str, object]:
    return yaml.safe_load(text.split("---\n", 2)[1])


def test_projects_have_enough_notes(roots: dict[str, Path]) -> None:
    for name in ("homelab", "src-kilnbook", "tailfin"):
        assert 10 <= len(notes_of(roots[name])) <= 18


def test_all_forms_are_there(roots: dict[str, Path]) -> None:
    texts = [text for root in roots.values() for text in notes_of(root).values()]
    nested = [text for text in texts if "\nmetadata: \n" in text]
    assert any(not text.startswith("---") for text in texts)
    assert any("\ntype: " in text and "Session" not in text for text in texts)
    assert any("\ntype: " in text and "\noriginSessionId: " in text for text in texts)
    assert any("node_type" not in text for text in nested)
    assert any("node_type" in text and "Session" not in text for text in nested)
    assert any("Session" in text and "modified" not in text for text in nested)
    assert any(re.search(r"\n  modified: \S+\.\d{3}Z\n---\n", text) for text in nested)


def test_all_types_are_there(roots: dict[str, Path]) -> None:
    texts = [text for root in roots.values() for text in notes_of(root).values()]
    types = set(re.findall(r"^ *type: (\w+)$", "\n".join(texts), re.MULTILINE))
    assert types == {"user", "feedback", "project", "reference"}


def test_one_description_is_invalid_yaml_and_one_is_cut_short(
    roots: dict[str, Path],
) -> None:
    broken: list[str] = []
    cut: list[str] = []
    for root in roots.values():
        for name, text in notes_of(root).items():
            if text.startswith("---"):
                described = re.search(r"^description: (.*)$", text, re.MULTILINE)
                assert described
                try:
                    value = str(header_of(text)["description"])
                except yaml.YAMLError:
                    broken.append(name)
                    continue
                if " #" in described[1] and " #" not in value:
                    cut.append(name)
    assert broken == ["project_time_rules.md"]
    assert cut == ["project_webhooks.md"]


def test_indexes_and_notes_agree_except_where_documented(
    roots: dict[str, Path],
) -> None:
    gone: list[str] = []
    forgotten: list[str] = []
    for root in roots.values():
        listed = {file for _, file, _ in index_of(root)}
        kept = notes_of(root).keys()
        gone += sorted(listed - kept)
        forgotten += sorted(kept - listed)
    assert gone == ["proxmox_upgrade.md"]
    assert forgotten == ["project_naming.md"]


def test_a_rebuilt_index_is_sorted_and_repeats_the_descriptions(
    roots: dict[str, Path],
) -> None:
    root = roots["hearthbot"]
    expected = [
        (facts["name"], name, facts["description"])
        for name, text in sorted(notes_of(root).items())
        for facts in [header_of(text)]
    ]
    assert index_of(root) == expected
    for name, file, _ in index_of(root):
        assert file == name.lower().replace(" ", "-") + ".md"


def test_one_note_is_longer_than_what_agents_load_of_it(
    roots: dict[str, Path],
) -> None:
    long = [
        name
        for root in roots.values()
        for name, text in notes_of(root).items()
        if len(text.encode()) > 4096 or text.count("\n") > 200
    ]
    assert long == ["field-notes.md"]


def test_wikilinks_have_targets(roots: dict[str, Path]) -> None:
    found = 0
    for root in roots.values():
        texts = notes_of(root)
        named = re.findall(r"^name: (.*)$", join(texts), re.MULTILINE)
        names = {spelt(name) for name in named}
        for link in re.findall(r"\[\[(.+?)\]\]", join(texts)):
            found += 1
            assert spelt(link) in names
    assert found >= 4


def test_sessions_have_the_real_path_and_wrote_the_notes(
    roots: dict[str, Path],
) -> None:
    for name in ("homelab", "src-kilnbook", "tailfin"):
        index = json.loads((roots[name].parent / "sessions-index.json").read_bytes())
        path = index["originalPath"]
        assert re.sub(r"[^A-Za-z0-9]", "-", path) == roots[name].parent.name
        assert {entry["projectPath"] for entry in index["entries"]} == {path}
        known = {entry["sessionId"] for entry in index["entries"]}
        texts = join(notes_of(roots[name]))
        named = set(re.findall(r"originSessionId: (\S+)", texts))
        assert named
        assert named <= known
        assert all(entry["modified"] < NOW.isoformat() for entry in index["entries"])


def test_reasons_and_uses_are_there(roots: dict[str, Path]) -> None:
    texts = join(notes_of(roots["src-kilnbook"]))
    assert texts.count("**Why") >= 10
    assert texts.count("**How to apply:**") >= 10


def join(texts: dict[str, str]) -> str:
    return "\n".join(texts.values())


def spelt(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
