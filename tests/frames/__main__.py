"""Write every frame."""

import asyncio
import os
import time

from tests.frames.drawn import FOLDER, frames
from tests.frames.painted import paintings
from tests.frames.shelf import NOW, anywhere, on_shelf
from tests.idle import waiting_for_work


async def _write() -> None:
    with anywhere() as shelf, on_shelf(shelf, NOW) as library:
        for told in (frames(library), paintings(library)):
            async for name, text in told:
                (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


os.environ["TZ"] = "UTC"
time.tzset()
FOLDER.mkdir(parents=True, exist_ok=True)
for path in FOLDER.iterdir():
    path.unlink()
with waiting_for_work():
    asyncio.run(_write())
