"""Read in processes beside this one.

Reading many small files is work for the processor, not for the disk, and Python does
one thing at a time in a process.
"""

import multiprocessing
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

from store.catalogue.reading import Batch, ReadBatch, read_batch

_MOST = 4
"""How many processes are started at most: one writer cannot keep up with more."""

_AHEAD = 4
"""Batches that may wait for each process, so that none is ever idle."""


def read_apart(
    batches: Iterable[Batch], processors: int
) -> Iterator[tuple[Batch, ReadBatch]]:
    """Keep the processes busy, hand the results out in the order of the batches."""
    processes = min(processors, _MOST)
    # A fork costs a tenth of a new interpreter; this process has no other thread.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    queue = iter(batches)
    waiting: list[tuple[Batch, Future[ReadBatch]]] = []
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        while True:
            more = islice(queue, processes * _AHEAD - len(waiting))
            waiting += [(batch, pool.submit(read_batch, batch)) for batch in more]
            if not waiting:
                return
            batch, future = waiting.pop(0)
            yield batch, future.result()
