"""Press random keys in the browser; check that it survives and that undo works."""

import fcntl
import os
import re
import select
import shutil
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from store import demo
from tests.campaigns.browsed import ASKED, STACKS, STUCK
from tests.campaigns.campaign import Tally
from tests.project import ROOT
from tests.store.edits.campaign.harness import LOCK
from tests.tui.browser.safety.walking import mark
from tests.tui.cli.changes.stores import Desk, contents
from tests.tui.cli.machine import Machine
from tests.tui.terminal.terminal import Terminal, terminal_for
from tui.commands.registry import REGISTRY

KEYS = 1500
"""How many keys one browser gets in its life."""

BURST = 8
"""How many of them may come without a wait."""

PATIENCE = 60.0
"""Seconds after which the browser hangs."""

STACKS_TAKE = 2.0
"""Seconds in which a browser that hangs may write down what it does."""

GROWTH = 40
"""MiB that a browser may grow by from the second quarter of its life to the last."""

NAMED = {
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "down": "\x1b[B",
    "end": "\x1b[F",
    "enter": "\r",
    "escape": "\x1b",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "home": "\x1b[H",
    "left": "\x1b[D",
    "pagedown": "\x1b[6~",
    "pageup": "\x1b[5~",
    "right": "\x1b[C",
    "shift+tab": "\x1b[Z",
    "space": " ",
    "tab": "\t",
    "up": "\x1b[A",
}

LEAVING = {"leave", "quit", "suspend"}
"""Commands whose keys end the browser, or have it sleep."""

QUIT = b"\x11"

WORDS = ("redis", "tag:redis", "is:pinned", "imp>.5", "kiln", "delete 1", "x", "2026")
"""What is typed now and then, wherever the cursor is."""

EDITOR = """#!/bin/sh
case $(($$ % 4)) in
0) ;;
1) echo 'One more line.' >>"$1" ;;
2) sed -i s/e/E/ "$1" ;;
3) : >"$1" ;;
esac
"""


class BrowserError(Exception):
    """The browser misbehaved."""


class KeysCampaign:
    """One browser per round, on sample stores that an agent may change meanwhile."""

    def __init__(
        self,
        samples: Path,
        program: Sequence[str] = ("tests.campaigns.browsed",),
        keys: int = KEYS,
        patience: float = PATIENCE,
    ) -> None:
        """`program` is the module to run, and its first arguments."""
        self.tally = Tally()
        self._samples, self._program = samples, program
        self._keys, self._patience = keys, patience
        demo.write(samples, datetime.now(UTC))

    def play(self, chance: Random, folder: Path) -> None:
        """Run one browser to its end."""
        chance.choice((self.press_alone, self.press_beside_agent))(chance, folder)

    def press_alone(self, chance: Random, folder: Path) -> None:
        """No other program writes; at the end everything is undone."""
        work, before = self._begun(folder)
        if self._has_lived(chance, work, None):
            self.tally.faults += _not_undone(work, before)

    def press_beside_agent(self, chance: Random, folder: Path) -> None:
        """An agent writes, so that rows come and go."""
        work, _ = self._begun(folder)
        self._has_lived(chance, work, Agent(work.store))

    def _begun(self, folder: Path) -> tuple[Desk, dict[str, bytes]]:
        work = Desk(_machine(folder), folder / "stores")
        shutil.copytree(self._samples, work.store)
        return work, _bytes(work.store)

    def _has_lived(self, chance: Random, work: Desk, agent: "Agent | None") -> bool:
        """Whether a browser ended as it should."""
        try:
            self._live(chance, work.machine, work.store, agent)
        except BrowserError as error:
            self.tally.faults.append(f"{error}{_reports(work.machine)}")
            return False
        return True

    def _live(
        self, chance: Random, machine: Machine, stores: Path, agent: "Agent | None"
    ) -> None:
        command = [sys.executable, "-m", *self._program, stores]
        size = chance.choice(((80, 24), (120, 36), (200, 50), (40, 12)))
        more = machine.variables(PYTHONPATH=str(ROOT), PAGER="true")
        more["EDITOR"] = str(machine.home / "editor")
        home = Path(more.pop("HOME"))
        with terminal_for(command, home=home, size=size, cwd=home, **more) as opened:
            browser = Life(opened, self._patience)
            browser.begin()
            self._press(chance, browser, agent)
            browser.end()
        self._weigh(browser)

    def _press(self, chance: Random, browser: "Life", agent: "Agent | None") -> None:
        pressed, strokes = 0, _strokes(chance)
        while pressed < self._keys and not browser.has_left:
            burst = [next(strokes) for _ in range(chance.randint(1, BURST))]
            browser.press(burst)
            pressed += len(burst)
            self.tally.counts["keys"] += len(burst)
            if agent and chance.random() < 0.2:
                agent.write(chance)
                self.tally.counts["foreign writes"] += 1
            if chance.random() < 0.02:
                browser.resize(chance.randint(10, 220), chance.randint(4, 60))
            if chance.random() < 0.5 or "\x1b" in burst:
                browser.wait()

    def _weigh(self, browser: "Life") -> None:
        """Compare the browser's memory use early and late in its life."""
        quarter = len(browser.weights) // 4
        if not quarter:
            return
        early = statistics.median(browser.weights[quarter : 2 * quarter])
        late = statistics.median(browser.weights[-quarter:])
        self.tally.figures["MiB at most"].append(max(browser.weights))
        self.tally.figures["MiB grown"].append(late - early)
        if late - early > GROWTH:
            self.tally.faults.append(f"grew from {early:.0f} to {late:.0f} MiB")


class Life:
    """A browser in a terminal, from its start to its end."""

    def __init__(self, opened: Terminal, patience: float) -> None:
        self._terminal, self._patience = opened, patience
        self._tail, self._asked = b"", 0
        self._keys: list[str] = []
        self.has_left = False
        self.weights: list[float] = []

    def begin(self) -> None:
        """Wait until it listens to signals: it does when its tabs are drawn."""
        self._until(b"\x1b[?1049h")
        self._until(b"Mem")
        self.wait()

    def press(self, keys: Sequence[str]) -> None:
        self._keys = [*self._keys[-40:], *keys]
        self._terminal.type("".join(keys).encode())

    def resize(self, columns: int, lines: int) -> None:
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._terminal.descriptor, termios.TIOCSWINSZ, size)

    def wait(self) -> None:
        """Wait until it is idle or has ended."""
        if self._terminal.program.poll() is None:
            os.kill(self._terminal.program.pid, ASKED)
            self._until(mark(self._asked).encode())
            self._asked += 1
        if not self.has_left:
            self.weights.append(_weight(self._terminal.program.pid))

    def end(self) -> None:
        """Quit it."""
        if not self.has_left:
            self._terminal.type(QUIT)
            self._until(None)
        code = self._terminal.program.wait(self._patience)
        if code:
            raise self._wrong(f"ended with {code}")

    def _until(self, wanted: bytes | None) -> None:
        """Read until something is sent, or the program ends."""
        deadline = time.monotonic() + self._patience
        while wanted is None or wanted not in self._tail:
            left = deadline - time.monotonic()
            handle = self._terminal.descriptor
            if left < 0 or not select.select([handle], [], [], left)[0]:
                self._ask_for_stacks()
                raise self._wrong("hangs")
            try:
                more = os.read(handle, 65536)
            except OSError:  # how Linux says that nothing is at the other end
                more = b""
            self._tail = (self._tail + more)[-131_072:]
            if not more:
                self.has_left = True
                return

    def _ask_for_stacks(self) -> None:
        """Have it write its stacks, if it still can."""
        self._terminal.program.send_signal(STUCK)
        with suppress(subprocess.TimeoutExpired):
            self._terminal.program.wait(STACKS_TAKE)

    def _wrong(self, what: str) -> BrowserError:
        said = re.findall(rb"recollect: [^\r\n]+", self._tail)
        return BrowserError(f"the browser {what} after {self._keys!r} {said[-1:]}")


class Agent:
    """Another program that adds, changes and removes notes of its own."""

    def __init__(self, stores: Path) -> None:
        self._folders = sorted({path.parent for path in stores.rglob("MEMORY.md")})

    def write(self, chance: Random) -> None:
        number = chance.randrange(9)
        path = chance.choice(self._folders) / f"agent-{number}.md"
        if path.exists() and chance.random() < 0.5:
            path.unlink()
            return
        text = f"name: agent-{number}\ndescription: {chance.random()}\n"
        path.write_text(f"---\n{text}type: project\n---\n{text}", "utf-8")


def _machine(folder: Path) -> Machine:
    machine = Machine(folder / "home")
    settings = machine.home / "config/recollect/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n", "utf-8")
    editor = machine.home / "editor"
    editor.write_text(EDITOR, "utf-8")
    editor.chmod(0o755)
    return machine


def _strokes(chance: Random) -> Iterator[str]:
    """Keys of commands most of the time, and letters, words and clicks."""
    commands = [
        "".join(map(_sent, keys.split()))
        for command in REGISTRY.commands
        if command.id not in LEAVING
        for keys in command.keys
    ]
    common = [NAMED[name] for name in ("enter", "enter", "escape", "down", "up", "tab")]
    while True:
        part = chance.random()
        if part < 0.65:
            yield chance.choice(commands)
        elif part < 0.85:
            yield chance.choice(common)
        elif part < 0.92:
            yield chr(chance.randrange(33, 127)).replace("q", "j").replace("Q", "J")
        elif part < 0.97:
            yield chance.choice(WORDS)
        elif part < 0.99:
            at = f"{chance.randrange(1, 80)};{chance.randrange(1, 24)}"
            yield f"\x1b[<0;{at}M\x1b[<0;{at}m"
        else:
            yield "\x1b[200~pasted\nlines\x1b[201~"


def _sent(key: str) -> str:
    """The bytes that a terminal sends for a key."""
    if key.startswith("ctrl+"):
        return chr(ord(key[-1]) & 0x1F)
    return NAMED.get(key, key)


def _weight(process: int) -> float:
    """The MiB of memory that a process uses alone."""
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def _bytes(stores: Path) -> dict[str, bytes]:
    return {
        name: raw for name, raw in contents(stores).items() if Path(name).name != LOCK
    }


def _not_undone(work: Desk, before: dict[str, bytes]) -> list[str]:
    """The files that differ from the original ones after everything is undone."""
    while (answer := work.run("undo", "--yes")).code == 0:
        pass
    after = _bytes(work.store)
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return [f"undo ended ({answer.err}), and differs: {names}"] if names else []


def _reports(machine: Machine) -> str:
    """The crash reports and stacks that the program wrote."""
    found = [*machine.state.glob("reports/*"), *machine.home.glob(STACKS)]
    return "".join(f"\n{path.read_text('utf-8')}" for path in found)
