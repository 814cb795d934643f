"""The widget: what it draws, requests and reports."""

import pytest

from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.transcript.talks import called, entry, said, talk
from widgets.sheet import TextSheet
from widgets.styles import NONE
from widgets.text import Target
from widgets.transcript import Told, Transcript, division, folded, silence, speaker
from widgets.transcript_cursor import EntriesWanted, Followed, Pointed, WholeWanted
from widgets.transcript_layout import MARK, NOTE, Entry, Part

TITLE = (("A talk", "strong"),)


def opened() -> tuple[Transcript, OneApp]:
    transcript = Transcript(TextSheet())
    return transcript, OneApp(transcript.sheet)


def fill(transcript: Transcript, entries: list[Entry]) -> None:
    transcript.show(TITLE, len(entries))
    transcript.bring(0, entries)


async def test_messages_and_calls_are_listed_under_their_speaker() -> None:
    transcript, app = opened()
    async with app.at(40, 9) as pilot:
        fill(
            transcript,
            [
                Entry(
                    1,
                    (said("Which cone?"),),
                    (speaker("you", "10:00", "marked"),),
                    "10:00",
                ),
                Entry(2, (called("cone 6"), said("Cone six.", "more"))),
                Entry(3, (), (silence("25 min"),)),
            ],
        )
        await pilot.pause()
        assert app.shown() == [
            "━ A talk ━━━━━━━━━━━━━━━━━━ 10:00 ━ 1/3",
            " you  10:00",
            "▌  Which cone?",
            " ▸ ✓ Bash  make  · 2 lines",
            "   Cone six.",
            " ┊ 25 min",
            "",
            "",
            "",
        ]

        transcript.move(1)
        transcript.toggle()
        assert app.shown()[3:6] == [
            "▌▾ ✓ Bash  make  · 2 lines",
            "▌  │ cone 6",
            "   Cone six.",
        ]
        transcript.toggle()
        assert app.shown()[4] == "   Cone six."


async def test_only_nearby_messages_are_requested() -> None:
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        transcript.show(TITLE, 50_000)
        await pilot.pause()
        (wanted,) = app.told(EntriesWanted)
        assert (wanted.first, wanted.last) == (0, 64)
        assert app.shown()[1].strip() == "…"

        transcript.bring(0, talk(64))
        transcript.bottom()
        await pilot.pause()
        *_, wanted = app.told(EntriesWanted)
        assert wanted.last == 50_000
        assert wanted.last - wanted.first <= 128
        transcript.land(25_000)
        await pilot.pause()
        *_, wanted = app.told(EntriesWanted)
        assert wanted.first <= 25_000 < wanted.last


async def test_a_call_is_requested_in_full_once_it_is_open() -> None:
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        fill(transcript, [entry(7, called("the begi", is_whole=False))])
        transcript.toggle()
        transcript.toggle()
        transcript.toggle()
        await pilot.pause()
        (wanted,) = app.told(WholeWanted)
        assert (wanted.at, wanted.key) == (0, "call")
        assert "│ the begi" in "\n".join(app.shown())

        transcript.fill(0, 7, [called("the beginning and the end")])
        assert "the beginning and the end" in "\n".join(app.shown())


async def test_links_are_followed() -> None:
    target = Target("ref", "memory:1")
    head = folded(Told("→ SOL", "Fixed it", can_fold=False, leads=True))
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        fill(transcript, [entry(1, said("x"), Part("w", MARK, head, target=target))])
        assert not transcript.follow()
        transcript.move(1)
        assert transcript.follow()
        await pilot.pause()
        assert [one.target for one in app.told(Followed)] == [target]


async def test_stepping_through_hits_opens_folded_parts() -> None:
    note = Part(
        "n",
        NOTE,
        folded(Told("meta")),
        called("x").body,
        text="nothing",
    )
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        transcript.seek(["needle"])
        fill(
            transcript,
            [
                entry(1, said("no such thing"), note),
                entry(2, called("a needle\nand a needle")),
                entry(3, said("the last needle")),
            ],
        )
        await pilot.pause()
        places = [1, 2]
        hits: list[tuple[int, int | None]] = []
        for _ in range(4):
            transcript.next_hit(1, places)
            hit = transcript.walk.hit(transcript.reading)
            hits.append((transcript.reading.spot.at, hit and hit.line))
        assert hits == [(1, 1), (1, 2), (2, 0), (1, 1)]
        transcript.next_hit(-1, places)
        assert transcript.reading.spot.at == 2


async def test_a_hit_in_a_distant_message_is_reached() -> None:
    entries = [entry(at, said(f"message {at}")) for at in range(1_000)]
    entries[777] = entry(777, called("needle"))
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        transcript.seek(["needle"])
        transcript.show(TITLE, 1_000)
        transcript.bring(0, entries[:64])
        transcript.land(777)
        await pilot.pause()
        *_, wanted = app.told(EntriesWanted)
        transcript.bring(wanted.first, entries[wanted.first : wanted.last])
        assert transcript.walk.hit(transcript.reading)
        assert "│ needle" in "\n".join(app.shown())


async def test_new_messages_are_followed_at_the_end() -> None:
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        fill(transcript, talk(64))
        transcript.bottom()
        transcript.extend(66)
        await pilot.pause()
        *_, wanted = app.told(EntriesWanted)
        more = [*talk(64), entry(64, said("and then")), entry(65, said("the end"))]
        transcript.bring(wanted.first, more[wanted.first : wanted.last])
        assert app.shown()[-1].endswith("the end")
        assert app.shown()[0].endswith("66/66")


async def test_messages_can_be_filtered() -> None:
    transcript, app = opened()
    async with app.at(60, 20) as pilot:
        fill(transcript, talk(30))
        shown = bytearray(30)
        shown[3] = shown[8] = 1
        transcript.show_only(bytes(shown), frozenset({"said"}))
        await pilot.pause()
        lines = [line.strip(" ▌") for line in app.shown()[1:] if "message" in line]
        assert {line.split(" ")[1] for line in lines} == {"3", "8"}
        assert not any("Bash" in line for line in app.shown())
        transcript.show_only(None)
        assert any("Bash" in line for line in app.shown())


async def test_the_mouse_selects_and_opens() -> None:
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        fill(
            transcript, [entry(1, said("one")), entry(2, called("two"), said("t", "b"))]
        )
        await pilot.click(offset=(6, 6))
        assert transcript.reading.spot == (1, 0)
        assert "│ two" in "\n".join(app.shown())
        await pilot.click(offset=(6, 3))
        assert transcript.reading.spot == (0, 0)
        await pilot.pause()
        assert [one.at for one in app.told(Pointed)][-2:] == [1, 0]


async def test_a_selection_is_copied_as_it_was_written() -> None:
    transcript, app = opened()
    async with app.at(30, 12) as pilot:
        words = "a text that goes on beneath as it is long"
        fill(transcript, [entry(1, said(words)), entry(2, said("more"))])
        await pilot.mouse_down(offset=(3, 3))
        await pilot.hover(offset=(28, 4))
        await pilot.mouse_up(offset=(28, 4))
        await pilot.pause()
        assert transcript.sheet.selected_text() == words


async def test_the_scrollbar_reaches_any_position() -> None:
    transcript, app = opened()
    async with app.at(40, 12) as pilot:
        fill(transcript, talk(64))
        transcript.sheet.scroll_to(y=100, animate=False, force=True)
        await pilot.pause()
        assert transcript.sheet.first == 100
        rows = [row[:2] for row in transcript.view]
        assert transcript.reading.layout.heights.before(rows[0][0]) + rows[0][1] == 100


@pytest.mark.parametrize("size", SIZES)
async def test_any_text_is_drawn_in_its_place(size: tuple[int, int]) -> None:
    texts = [text[:20_000] for text in TEXTS]
    entries = [
        Entry(
            number,
            (
                said(text),
                called(text, "c"),
                Part("n", NOTE, folded(Told(text, text, (text,))), called(text).body),
            ),
            (division(text), speaker("you", text[:20], "marked")),
            text[:20],
        )
        for number, text in enumerate(texts)
    ]
    transcript, app = opened()
    async with app.at(*size) as pilot:
        transcript.sheet.palette = NONE
        transcript.show([(texts[4], "")], len(entries))
        transcript.bring(0, entries)
        transcript.toggle_all()
        for at in range(len(entries)):
            transcript.go(at)
            await pilot.pause()
            rows = range(transcript.sheet.size.height)
            assert_fit(
                map(transcript.sheet.render_line, rows), transcript.sheet.text_width
            )
            assert not any("cannot be drawn" in line for line in app.shown())
