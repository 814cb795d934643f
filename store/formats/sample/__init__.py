"""The sample format: stores that live in memory, for tests that need no files.

A store is a dictionary of pages. A page named `*.log` only grows, one memory a line;
any other page is one memory. Lines and pages are `title | type | links by title`.
"""

from store.formats.sample.folder import Folder
from store.formats.sample.format import SampleFormat

__all__ = ["Folder", "SampleFormat"]
