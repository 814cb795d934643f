"""Read sources in several processes.

Reading many small files is limited by the CPU rather than the disk, and a Python
process runs one thread at a time. It is also safer: if a library crashes on a file,
only its reader process dies, and the file is reported.
"""

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from threading import Thread, active_count

from msgspec.structs import replace

from store.catalogue.read import Batch, Queue, ReadBatch, read_batch, unread
from store.errors import UnreadableError
from store.formats.port import OpenStore

_MOST = 4
"""The most processes to start; a single writer cannot keep up with more."""

_AHEAD = 4
"""Batches queued for each process, so that none is idle."""


_FORKED = 50_000
"""The most files for which readers are forked.

A forked reader keeps the memory of their list, of which it needs nothing: 64 MB of
200,000 files, instead of the 16 MB of a new process, which takes 0.1 seconds to start.
"""


def read_apart(
    queue: Queue, processors: int, files: int = 0
) -> Iterator[tuple[Batch, ReadBatch]]:
    """Keep the processes busy; yields the results in the order of the batches."""
    processes = min(processors, _MOST)
    waiting: deque[tuple[Batch, Future[ReadBatch] | None]] = deque()
    forks = files <= _FORKED
    with _pool(processes, forks=forks) as pool, suppress(BrokenProcessPool):
        while True:
            while len(waiting) < processes * _AHEAD and (batch := queue.take()):
                waiting.append((batch, None))
                waiting[-1] = (batch, _submit(pool, batch))
            if not waiting:
                return
            batch, future = waiting[0]
            result = future.result() if future else []
            waiting.popleft()
            yield batch, result
    for batch in (*(batch for batch, _ in waiting), *queue.rest()):
        yield batch, _read_carefully(batch)


_OPEN: dict[int, OpenStore] = {}
"""The stores that stay open until this reader ends, with the sync that started it."""


def _read_and_tidy(batch: Batch) -> ReadBatch:
    """Read a batch, after freeing the reference cycles from the one before.

    The garbage collector is off in readers, as it is in the main process.
    """
    gc.collect()
    with suppress(UnreadableError):
        if batch.format.stays_open and batch.store not in _OPEN:
            _OPEN[batch.store] = batch.format.open(batch.path)
    return read_batch(batch, _OPEN.get(batch.store))


def _submit(pool: ProcessPoolExecutor, batch: Batch) -> Future[ReadBatch]:
    """Submit a batch; SIGINT is blocked, as an interruption here would cause a hang."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_read_and_tidy, batch)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pool(processes: int, *, forks: bool = True) -> ProcessPoolExecutor:
    """Reader processes; forked only if there are no other threads."""
    alone = sys.platform == "linux" and active_count() == 1
    method = "fork" if alone and forks else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(processes, context, initializer=_begin)


def _begin() -> None:
    """End this reader when its parent process ends, however that happens.

    A killed parent does not close its queues, so readers would wait forever.
    `gc.freeze` excludes objects from the start from every later collection.
    """
    gc.freeze()
    Thread(target=_watch_the_parent, daemon=True).start()


def _watch_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _read_carefully(batch: Batch) -> ReadBatch:
    """Read a batch; if the reader dies, try halves until the file is found."""
    with _pool(1) as pool:
        try:
            return _submit(pool, batch).result()
        except BrokenProcessPool:
            pass
    sources = batch.sources
    if len(sources) == 1:
        return unread(batch, UnreadableError("The reader crashed on this file."))
    half = len(sources) // 2
    parts = (sources[:half], sources[half:])
    return [
        row for part in parts for row in _read_carefully(replace(batch, sources=part))
    ]
