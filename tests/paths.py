"""How much of the program runs for one key and for one command.

`python -m tests.paths` prints the figures; `--names` lists the functions as well.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from datetime import UTC, datetime
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType

from store import demo
from store.answers.stores import Writing
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from store.machine import Places
from store.settings import Settings
from tests.project import ROOMS, ROOT
from tests.tui.browser.stories.visit import visiting
from tui.browser.session import Kept

NOW = datetime(2026, 3, 1, tzinfo=UTC)

WATCH = """
import atexit, json, sys, threading

called = set()

def watch(frame, event, argument):
    if event == "call" and frame.f_code.co_flags & 1:  # a function, not a class body
        if not frame.f_code.co_name.startswith("<"):
            called.add(frame.f_code.co_filename)

def report():
    sys.setprofile(None)
    ours = {
        name: module.__file__ in called
        for name, module in sys.modules.items()
        if name.partition(".")[0] in {"store", "tui", "widgets"}
        and not hasattr(module, "__path__")
    }
    with open(PLACE, "w") as file:
        json.dump(ours, file)

atexit.register(report)
threading.setprofile(watch)
sys.setprofile(watch)
"""
"""A `sitecustomize`, which Python runs before anything else: the modules of ours that
a command loads, and whether a function of each is called."""


def functions_of_a_key(folder: Path, key: str) -> "Watch":
    """The functions that a key runs, by file and name, until the list is settled."""
    watch = Watch()
    threading.setprofile(watch.see)
    try:
        asyncio.run(_press(folder, key, watch))
    finally:
        threading.setprofile(None)
    return watch


async def _press(folder: Path, key: str, watch: "Watch") -> None:
    demo.write(folder / "demo", NOW)
    places = Places(*(folder / one for one in ("cache", "state", "config")))
    now = int(NOW.timestamp()) * 1_000_000
    with Library(folder / "catalogue.db", now, writing=Writing(places)) as library:
        library.stores.choose(beneath([folder / "demo"], FORMATS).stores)
        library.sync()
        kept = Kept(Settings(), places)
        async with visiting(library, (120, 36), kept=kept) as visit:
            await visit.press("exclamation_mark")
            await visit.press(key, "u")
            with watch:
                await visit.press(key)
            assert "u undo" in visit.status, visit.status


class Watch:
    """Notes the functions of ours that are called, in this thread and later ones."""

    def __init__(self) -> None:
        self._is_on = False
        self._codes: dict[CodeType, set[bool]] = {}

    def __enter__(self) -> None:
        self._is_on = True
        sys.setprofile(self.see)

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)
        self._is_on = False

    def see(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call; Python calls this for each."""
        if self._is_on and event == "call":
            here = threading.current_thread() is threading.main_thread()
            self._codes.setdefault(frame.f_code, set()).add(here)

    def called(self, *, here: bool) -> set[tuple[str, str]]:
        """The functions of the screen's thread, or of others, by file and name.

        Comprehensions and class bodies are not counted.
        """
        ours = tuple(f"{ROOT}{os.sep}{room}{os.sep}" for room in ROOMS)
        return {
            (str(Path(code.co_filename).relative_to(ROOT)), code.co_qualname)
            for code, threads in self._codes.items()
            if here in threads and code.co_flags & CO_OPTIMIZED
            if code.co_filename.startswith(ours) and not code.co_name.startswith("<")
        }


def modules_of(folder: Path, *words: str) -> dict[str, bool]:
    """The modules that a command loads, and whether a function of each is called."""
    place = folder / "loaded.json"
    text = WATCH.replace("PLACE", repr(str(place)))
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(folder)}
    for name in ("CACHE", "STATE", "CONFIG"):
        environment[f"XDG_{name}_HOME"] = str(folder / name.lower())
    command = [sys.executable, str(ROOT / "tui/start.py"), *words]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return json.loads(place.read_text(encoding="utf-8"))


def _say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", action="store_true", help="list what is called")
    parser.add_argument("--key", default="p", help="the key to press")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        watch = functions_of_a_key(Path(folder), options.key)
        listed = ("list", "memories", "--json", "-s", f"{folder}/demo")
        modules_of(Path(folder), *listed)
        loaded = modules_of(Path(folder), *listed)
    for here, thread in ((True, "the screen's thread"), (False, "worker threads")):
        called = watch.called(here=here)
        files = Counter(file for file, _ in called)
        told = f"{len(called)} functions of ours in {len(files)} modules"
        _say(f"{options.key}: {told}, in {thread}")
        for file, number in files.most_common() if options.names else ():
            names = ", ".join(sorted(name for at, name in called if at == file))
            _say(f"{number:4} {file}: {names}")
    unused = [name for name, is_used in loaded.items() if not is_used]
    share = len(unused) / len(loaded)
    _say(f"list --json: {len(loaded)} modules of ours, {share:.0%} without a call")
    if options.names:
        _say("without a call:", *sorted(unused))


if __name__ == "__main__":
    main()
