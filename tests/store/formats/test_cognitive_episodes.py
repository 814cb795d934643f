from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.beneath import Blob, Stamp
from store.findings import EpisodeFound, Findings
from store.formats.cognitive.pages import read_episodes
from tests.store.formats.cognitive_stores import EPISODES, TIMEOUTS_PATH, codes, read

DAY = "episodes/2025-12-13.md"

LINES = (
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)
    .map(str.strip)
    .filter(lambda text: text and text[0] not in "`~#-*+\u2013\u2014")
)
NAMES = LINES.map(lambda name: name.replace("\\", "/"))
TAGS = st.text(st.sampled_from("abc- é")).map(str.strip).filter(bool)


def day(text: str, path: str = DAY) -> Findings:
    raw = text.encode()
    return read_episodes(path, Blob(raw, Stamp(len(raw), 0, 0), whole=True))


def test_a_day_of_entries(tmp_path: Path) -> None:
    findings = read(tmp_path, DAY, EPISODES)
    assert findings.episodes == (
        EpisodeFound(
            date="2025-12-13",
            time="10:30",
            title="Fixed Redis timeouts",
            line=3,
            type="fix",
            tags=("redis", "homelab"),
            summary="Added keepalive",
            link=f"../{TIMEOUTS_PATH}",
            target=f"path:{TIMEOUTS_PATH}",
        ),
        EpisodeFound(
            date="2025-12-13",
            time="11:15",
            title="Looked around",
            line=9,
            type="general",
            summary="Nothing found",
        ),
    )
    (document,) = findings.documents
    assert (document.title, document.role) == ("2025-12-13", "episode-file")
    assert document.text == EPISODES
    assert codes(findings) == []


@st.composite
def entries(draw: st.DrawFn) -> EpisodeFound:
    link = draw(st.none() | NAMES.map(lambda name: f"../graph/fixes/{quote(name)}.md"))
    summary = draw(st.none() | st.lists(LINES, min_size=1, max_size=3).map("\n".join))
    return EpisodeFound(
        date="2025-12-13",
        time=draw(st.times()).strftime("%H:%M"),
        title=draw(LINES),
        line=0,
        type=draw(st.none() | LINES),
        tags=tuple(draw(st.lists(TAGS, max_size=3))),
        summary=summary,
        link=link,
    )


def written(entry: EpisodeFound) -> str:
    lines = [f"## {entry.time} - {entry.title}"]
    lines += [f"- **Type:** {entry.type}"] if entry.type else []
    lines += [f"- **Tags:** {', '.join(entry.tags)}"] if entry.tags else []
    lines += [f"- **Memory:** [it]({entry.link})"] if entry.link else []
    lines += [f"- **Summary:** {entry.summary}"] if entry.summary else []
    return "\n".join(lines)


@given(st.lists(entries()), st.sampled_from(["\n", "\r\n"]))
def test_a_generated_day_is_read_as_it_was_generated(
    made: list[EpisodeFound], newline: str
) -> None:
    text = "\n\n".join(["# 2025-12-13", *map(written, made)]) + "\n"
    found = day(text.replace("\n", newline)).episodes
    kept = [(e.time, e.title, e.type, e.tags, e.link, e.summary, e.date) for e in found]
    assert kept == [
        (e.time, e.title, e.type, e.tags, e.link, e.summary, e.date) for e in made
    ]
    lines = text.split("\n")
    assert all(lines[e.line - 1].startswith(f"## {e.time}") for e in found)
    assert [bool(e.target) for e in found] == [bool(e.link) for e in made]


@given(st.text(st.sampled_from("#-*: 0123456789TypeagsMmorySuy[]()<>./\n`\0")))
def test_no_day_is_too_odd(text: str) -> None:
    findings = day(text)
    assert all(flaw.message for flaw in findings.flaws)
    assert len(findings.documents) == 1


@pytest.mark.parametrize(
    "link",
    [
        "../../outside.md",
        "/etc/passwd",
        "https://example.org/x.md",
        "~/x.md",
        "..\\x.md",
        "C:\\x.md",
        "x\0.md",
        "",
    ],
)
def test_a_link_that_leads_out_is_kept_and_reported(link: str) -> None:
    text = f"## 10:00 - Entry\n- **Type:** fix\n- **Memory:** [x]({link})\n"
    findings = day(text + "- **Summary:** A few words on it.\n" * 3)
    (episode,) = findings.episodes
    assert (episode.link, episode.target) == (link, None)
    flaw = findings.flaws[-1]
    assert (flaw.code, flaw.line) == ("link-leads-out", 3)


def test_a_link_may_be_in_angle_brackets_with_a_fragment() -> None:
    text = "## 10:00 - Entry\n- **Memory:** [x](<../graph/fixes/a b (1).md#why>)\n"
    (episode,) = day(text).episodes
    assert episode.target == "path:graph/fixes/a b (1).md"


def test_a_memory_may_be_named_without_a_link() -> None:
    text = "## 10:00 - Entry\n- **Memory:** {}\n"
    (episode,) = day(text.format("../graph/fixes/a.md")).episodes
    assert episode.target == "path:graph/fixes/a.md"
    (episode,) = day(text.format("none yet")).episodes
    assert (episode.link, episode.target) == (None, None)


def test_a_summary_may_have_several_lines() -> None:
    text = "## 10:00 - Entry\n- **Summary:** One\n  two\n\n- three\n- **Tags:** a\n"
    (episode,) = day(text).episodes
    assert episode.summary == "One\n  two\n\n- three"
    assert episode.tags == ("a",)


def test_a_heading_in_code_is_not_an_entry() -> None:
    text = "## 10:00 - Entry\n```\n## 11:00 - quoted\n```\n## 12:00 - Next\n"
    assert [e.title for e in day(text).episodes] == ["Entry", "Next"]


def test_an_entry_without_a_time_is_reported() -> None:
    findings = day("## Loose thoughts\n## 25:99 - Late\n")
    assert [(e.time, e.title) for e in findings.episodes] == [
        (None, "Loose thoughts"),
        ("25:99", "Late"),
    ]
    assert codes(findings) == ["bad-time", "bad-time"]
    assert [flaw.line for flaw in findings.flaws] == [1, 2]


def test_a_heading_of_another_day_is_reported() -> None:
    findings = day("# 2025-12-14\n\n## 10:00 - Entry\n")
    assert findings.episodes[0].date == "2025-12-13"
    assert [(f.code, f.line) for f in findings.flaws] == [("date-mismatch", 1)]


def test_a_file_without_a_date_in_its_name_uses_its_headings() -> None:
    text = "# 2025-12-14\n## 10:00 - One\n# 2025-12-15\n## 10:00 - Two\n"
    findings = day(text, "episodes/archive.md")
    assert [e.date for e in findings.episodes] == ["2025-12-14", "2025-12-15"]
    assert codes(findings) == []


def test_nul_bytes_after_a_crash_lose_no_entry() -> None:
    findings = day(EPISODES + "\0" * 4096)
    assert len(findings.episodes) == 2
    assert codes(findings) == ["nul-tail"]


def test_a_file_that_is_not_text_is_an_error() -> None:
    findings = day("".join(map(chr, range(128))) + "\0" * 64 + "x")
    assert findings.episodes == ()
    assert codes(findings) == ["not-text"]
