from pathlib import Path

from store.findings import Mention
from tests.store.formats.cognitive_stores import (
    CORE,
    DEPLOY_PATH,
    DROPS_PATH,
    REFLECTION,
    TIMEOUTS_PATH,
    codes,
    make_small_store,
    read,
)


def test_core_has_its_date_and_its_mentions(tmp_path: Path) -> None:
    findings = read(tmp_path, "CORE.md", CORE)
    (core,) = findings.documents
    assert (core.title, core.role) == ("Memory Core (auto-generated)", "core")
    assert core.text == CORE
    assert core.facts == {
        "last updated": "2025-12-13",
        "active": "2",
        "total": "3",
        "sections": {"Critical Solutions": "1", "Patterns & Workflows": "1"},
    }
    assert core.mentions == (
        Mention(
            target=f"path:{TIMEOUTS_PATH}",
            link=TIMEOUTS_PATH,
            label="Fixed Redis connection timeouts",
            note="Critical Solutions (redis, timeout)",
            line=5,
        ),
        Mention(
            target=f"path:{DEPLOY_PATH}",
            link=DEPLOY_PATH,
            label="Deploy to production",
            note="Patterns & Workflows (deploy)",
            line=8,
        ),
    )
    assert codes(findings) == []


def test_a_core_link_that_leads_out_is_reported_with_its_line(tmp_path: Path) -> None:
    findings = read(tmp_path, "CORE.md", "# Core\n- [a](../x.md)\n- [b](y.md)\n")
    assert [m.target for m in findings.documents[0].mentions] == [None, "path:y.md"]
    assert [(f.code, f.line) for f in findings.flaws] == [("link-leads-out", 2)]


def test_a_handwritten_core_is_a_document_too(tmp_path: Path) -> None:
    findings = read(tmp_path, "CORE.md", "What I know.\n")
    (core,) = findings.documents
    assert (core.title, core.facts) == ("CORE", {"sections": {}})


def test_reflection_has_the_facts_of_its_sections(tmp_path: Path) -> None:
    findings = read(tmp_path, "REFLECTION.md", REFLECTION)
    (reflection,) = findings.documents
    assert reflection.role == "reflection"
    assert reflection.facts == {
        "last updated": "2026-02-13",
        "last reflection": "2026-02-13",
        "total reflections": "2",
        "themes": [{"tags": "fix + python", "memories": "52"}],
        "cross-project patterns": [
            {
                "tag": "fix",
                "projects": {
                    "major-domo": "38",
                    "vagabond-rpg": "22",
                    "paper-dynasty": "19",
                },
            }
        ],
        "most accessed": [
            {"title": "Fixed Redis connection timeouts", "accesses": "5"}
        ],
        "recent insights": ["Redis connection drops"],
        "merges": "7",
    }
    assert [(m.target, m.line) for m in reflection.mentions] == [
        (f"path:{TIMEOUTS_PATH}", 17),
        (f"path:{DROPS_PATH}", 22),
    ]
    assert codes(findings) == []


def test_a_reflection_without_sections_is_a_document_too(tmp_path: Path) -> None:
    findings = read(tmp_path, "REFLECTION.md", "# Reflection\n\n- nothing\n")
    assert findings.documents[0].facts == {}
    assert codes(findings) == []


def test_a_link_to_core_is_listed_and_not_read_twice(tmp_path: Path) -> None:
    make_small_store(tmp_path)
    findings = read(tmp_path, "MEMORY.md")
    (document,) = findings.documents
    assert (document.title, document.role) == ("MEMORY.md", "memory-index")
    assert document.facts == {"link to": "CORE.md"}
    assert document.mentions == ()


def test_another_page_at_the_root_is_a_document(tmp_path: Path) -> None:
    text = "# About\n\n- [home](https://example.org)\n"
    findings = read(tmp_path, "README.md", text)
    (document,) = findings.documents
    assert (document.title, document.role) == ("About", "document")
    assert document.mentions == ()
    assert codes(findings) == []
