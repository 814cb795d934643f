"""claudia.json, anima.json: where the settings are, and which stay hidden."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.beneath import Blob, Stamp
from store.findings import DocumentFound, Findings
from store.formats.claudia.read import LIMIT, read_settings
from tests.store.formats.claudia_stores import only, page, small

FIRST = """{
  "memory": {
    "enabled": true,
    "config": {
      "watchPath": "~/.claude/projects",
      "conversationGapMinutes": 60,
      "pollIntervalMs": 30000,
      "minConversationMessages": 5
    }
  }
}"""

LATER = """{
  // the gateway's own
  gateway: { port: 30086, token: "${GATEWAY_TOKEN}", },
  extensions: {
    memory: {
      enabled: false,
      config: {
        watchPath: '~/elsewhere', // a comment
        conversationGapMinutes: 0x2d,
        minConversationMessages: 3,
        timezone: 'Europe/Stockholm',
        model: "claude-sonnet",
        processBatchSize: 10,
        autoProcess: false,
        exclude: ['~/.claude/projects/-private',],
      },
    },
    voice: { apiKey: "0123456789", maxTokens: 500, url: "https://zoe:secret@host/x" },
    mail: { note: "sk-FAKE-1234567890" },
  },
}"""


def document(folder: Path, name: str, text: str) -> DocumentFound:
    small(folder, name=name.replace(".json", ".db"))
    page(folder, name, text)
    (found,) = only(folder, name).documents
    return found


def found(raw: bytes, *, whole: bool = True) -> Findings:
    return read_settings("anima.json", Blob(raw, Stamp(len(raw), 0, 0), whole))


def test_the_first_versions_have_them_at_the_top(tmp_path: Path) -> None:
    facts = document(tmp_path, "claudia.json", FIRST).facts

    assert {key: facts[key] for key in facts if key != "settings"} == {
        "memory": "memory",
        "enabled": "true",
        "watchPath": "~/.claude/projects",
        "conversationGapMinutes": "60",
        "minConversationMessages": "5",
        "pollIntervalMs": "30000",
    }


def test_later_versions_have_them_among_the_extensions(tmp_path: Path) -> None:
    settings = document(tmp_path, "anima.json", LATER)

    assert (settings.category, settings.role) == ("settings", "document")
    assert {k: settings.facts[k] for k in settings.facts if k != "settings"} == {
        "memory": "extensions.memory",
        "enabled": "false",
        "watchPath": "~/elsewhere",
        "conversationGapMinutes": "45",
        "minConversationMessages": "3",
        "timezone": "Europe/Stockholm",
        "model": "claude-sonnet",
        "processBatchSize": "10",
        "autoProcess": "false",
        "exclude": ["~/.claude/projects/-private"],
    }


def test_secrets_are_in_no_finding_and_variables_stay(tmp_path: Path) -> None:
    settings = document(tmp_path, "anima.json", LATER)

    shown = json.dumps(settings.facts["settings"])
    assert "${GATEWAY_TOKEN}" in shown
    assert json.dumps({"maxTokens": "500"})[1:-1] in shown
    for secret in ("0123456789", "secret@host", "sk-FAKE"):
        assert secret not in repr(settings)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{ memory: ",
        "[1, 2]",
        "null",
        "{'a': 1} trailing",
        "[" * 100_000,
        "{a: 9" + "9" * 5000 + "}",
    ],
)
def test_settings_that_are_not_an_object_are_a_flaw(text: str) -> None:
    (flaw,) = found(text.encode()).flaws

    assert flaw.code == "damaged-json"
    assert flaw.message.endswith(".")


def test_a_file_that_is_too_large_is_a_flaw() -> None:
    assert found(b"{" * LIMIT, whole=False).flaws


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_settings_or_a_flaw(raw: bytes) -> None:
    findings = found(raw)

    assert len(findings.documents) + len(findings.flaws) == 1


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_settings_of_any_structure_are_read(value: object) -> None:
    for place in ({"memory": value}, {"extensions": {"memory": value}}):
        assert found(json.dumps(place).encode()).documents


def test_both_kinds_may_be_in_one_folder(tmp_path: Path) -> None:
    assert document(tmp_path, "claudia.json", FIRST).title == "claudia.json"
    assert document(tmp_path, "anima.json", LATER).title == "anima.json"
