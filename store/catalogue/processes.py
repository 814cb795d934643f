"""Read in processes beside this one.

Reading many small files is work for the processor, not for the disk, and Python does
one thing at a time in a process. It is also a matter of safety: a file at which a
library crashes takes only its reader down, and is named.
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

from store.catalogue.reading import Batch, Queue, ReadBatch, read_batch, unread
from store.errors import UnreadableError

_MOST = 4
"""How many processes are started at most: one writer cannot keep up with more."""

_AHEAD = 4
"""Batches that may wait for each process, so that none is ever idle."""


def read_apart(queue: Queue, processors: int) -> Iterator[tuple[Batch, ReadBatch]]:
    """Keep the processes busy, hand the results out in the order of the batches."""
    processes = min(processors, _MOST)
    waiting: deque[tuple[Batch, Future[ReadBatch] | None]] = deque()
    with _pool(processes) as pool, suppress(BrokenProcessPool):
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


def _read_and_tidy(batch: Batch) -> ReadBatch:
    """Read a batch; what is left of the one before that refers to itself goes first.

    The collector of cycles rests in readers as it does beside them.
    """
    gc.collect()
    return read_batch(batch)


def _submit(pool: ProcessPoolExecutor, batch: Batch) -> Future[ReadBatch]:
    """Hand a batch to the processes; an interruption in the midst would hang them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(_read_and_tidy, batch)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _pool(processes: int) -> ProcessPoolExecutor:
    """Processes that read; forked where no thread could be caught by it."""
    alone = sys.platform == "linux" and active_count() == 1
    method = "fork" if alone else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(processes, context, initializer=_begin)


def _begin() -> None:
    """Let no reader outlive the process that it reads for, however that one ends.

    A killed process closes no queue; its readers would wait for work for ever. What a
    reader starts with stays: looking for cycles in it time and again would be in vain.
    """
    gc.freeze()
    Thread(target=_watch_the_parent, daemon=True).start()


def _watch_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _read_carefully(batch: Batch) -> ReadBatch:
    """Read a batch, in halves where its reader dies, until the one file is found."""
    with _pool(1) as pool:
        try:
            return _submit(pool, batch).result()
        except BrokenProcessPool:
            pass
    sources = batch.sources
    if len(sources) == 1:
        return unread(batch, UnreadableError("Reading this file ended its reader."))
    half = len(sources) // 2
    parts = (sources[:half], sources[half:])
    return [
        row for part in parts for row in _read_carefully(replace(batch, sources=part))
    ]
