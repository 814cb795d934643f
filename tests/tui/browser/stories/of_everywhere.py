"""Stories of commands that work anywhere."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("step-back")
async def one_thing_after_another_is_left(visit: Visit) -> None:
    await visit.ask("the")
    await visit.press("space", "enter")
    assert visit.scope == "reader"

    await visit.press("escape")
    assert visit.scope == "memories"
    assert visit.table.marks
    await visit.press("ctrl+g")
    assert not visit.table.marks
    assert visit.query == "the"
    await visit.press("escape")
    assert visit.query == ""
    await visit.press("escape")
    assert "Press q to quit" in visit.status


@story("keys")
async def the_keys_that_hold_here(visit: Visit) -> None:
    await visit.press("question_mark")
    assert "keys · memories" in visit.text
    await visit.type("way")
    assert "gp  Path between two" in visit.text
    assert "Mark two memories first, with space." in visit.text

    await visit.press("escape", "tab", "f1")
    assert "keys · reader" in visit.text


@story("stop")
async def what_goes_on_is_stopped_and_never_the_program(visit: Visit) -> None:
    await visit.ask("redis")
    await visit.press("ctrl+c")
    assert visit.query == ""
    await visit.press("ctrl+c")
    assert "Press q to quit" in visit.status
    assert visit.browser.is_running


@story("redraw")
async def the_same_screen_again(visit: Visit) -> None:
    before = visit.screen
    await visit.press("ctrl+l")
    assert visit.screen == before


@story("suspend")
async def back_to_the_shell_for_a_while(visit: Visit) -> None:
    before = visit.screen
    await visit.press("ctrl+z")
    # where nothing can be suspended, nothing happens
    assert visit.screen == before


@story("quit")
async def out_at_once(visit: Visit) -> None:
    await visit.press("slash", "r")
    await visit.pilot.press("ctrl+q")
    assert visit.browser.return_code == 0
