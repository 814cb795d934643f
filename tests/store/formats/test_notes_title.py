import json
import os
from pathlib import Path

import pytest

from store.formats.notes.format import FORMAT
from tests.store.formats.notes_stores import write


def title(store: Path) -> str:
    store.mkdir(parents=True, exist_ok=True)
    with FORMAT.open(store) as opened:
        return opened.title


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        ("repository/.memory", "repository"),
        ("repository/.claude/memory", "repository"),
        ("repository/.claude/agent-memory/reviewer", "repository · reviewer"),
        ("somewhere/my notes", "my notes"),
        ("somewhere/memory", "memory"),
        ("projects/-home-me-tool/memory", "-home-me-tool"),
    ],
)
def test_a_store_is_named_after_its_project_or_agent(
    tmp_path: Path, store: str, expected: str
) -> None:
    assert title(tmp_path / store) == expected


@pytest.mark.parametrize(
    ("slug", "cwd", "expected"),
    [
        ("-home-me-my-tool", "/home/me/my.tool", "my.tool"),
        ("-home-me-my-tool", "/home/me/my-tool/src/deep", "my-tool"),
        ("-home-me-my-tool", "/elsewhere/else", "else"),
        ("C--dev-KoEn", "C:\\dev\\KoEn", "KoEn"),
        ("-" + "x" * 199 + "-abc", "/" + "x" * 240, "x" * 240),
    ],
)
def test_a_project_is_named_after_its_real_path(
    tmp_path: Path, slug: str, cwd: str, expected: str
) -> None:
    folder = tmp_path / "projects" / slug
    line = json.dumps({"type": "user", "cwd": cwd})
    write(folder / "a.jsonl", f'{{"type":"summary"}}\n{line}\n')

    assert title(folder / "memory") == expected


def test_the_newest_transcript_is_read_first(tmp_path: Path) -> None:
    folder = tmp_path / "projects/-x"
    for name, when in {"old": 1, "new": 2}.items():
        path = write(folder / f"{name}.jsonl", json.dumps({"cwd": f"/a/{name}"}))
        os.utime(path, (when, when))

    assert title(folder / "memory") == "new"


def test_the_index_of_sessions_is_used_if_no_transcript_helps(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "projects/-x"
    write(folder / "a.jsonl", '{"type":"summary"}\n')
    write(folder / "sessions-index.json", '{"entries":[{"projectPath":"/a/tool"},')

    assert title(folder / "memory") == "tool"


def test_a_quoted_folder_does_not_count(tmp_path: Path) -> None:
    folder = tmp_path / "projects/-x"
    line = json.dumps({"text": json.dumps({"cwd": "/quoted"}), "cwd": "/a/true"})
    write(folder / "a.jsonl", line)

    assert title(folder / "memory") == "true"


def test_a_transcript_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "projects/-x"
    outside = write(tmp_path / "outside.jsonl", json.dumps({"cwd": "/a/outside"}))
    folder.mkdir(parents=True)
    (folder / "a.jsonl").symlink_to(outside)

    assert title(folder / "memory") == "-x"
