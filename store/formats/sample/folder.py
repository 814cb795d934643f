"""Pages that lie in a real folder, so that what is planned can be written."""

from collections.abc import Iterator, Mapping
from pathlib import Path


class Folder(Mapping[str, bytes]):
    """The files of a folder as pages, as they are whenever they are asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __getitem__(self, name: str) -> bytes:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError as error:
            raise KeyError(name) from error

    def __iter__(self) -> Iterator[str]:
        return (entry.name for entry in sorted(self._path.iterdir()))

    def __len__(self) -> int:
        return sum(1 for _ in self)
