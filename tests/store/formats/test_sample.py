"""The sample format passes the contract."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from store.errors import UnreadableError
from tests.store.formats.contract import FormatContract
from tests.store.formats.sample import SampleFormat

PAGES = {
    "garden": b"Water the beans | reminder | Soil",
    "soil": b"Soil | fact | ",
    "diary.log": b"Rain | weather | Soil\nSun | weather | \nHail | weather | Rain\n",
}


class TestSample(FormatContract):
    @pytest.fixture(autouse=True)
    def _stores(self) -> None:
        self.stores: dict[Path, dict[str, bytes]] = {}

    @property
    def format(self) -> SampleFormat:
        return SampleFormat(self.stores)

    def make(self, folder: Path) -> Mapping[str, int]:
        self.stores[folder] = dict(PAGES)
        return {"memories": 5, "claims": 3}

    def bytes_of(self, store: Path, path: str) -> bytes:
        return self.stores[store][path]

    def put(self, store: Path, path: str, raw: bytes) -> None:
        self.stores[store][path] = raw

    def test_a_page_that_is_not_a_memory_is_a_flaw(self, store: Path) -> None:
        self.put(store, "garden", b"only a title")

        (flaw,) = self.read_all(store)["garden"].flaws

        assert flaw.code == "no-sample"

    def test_a_missing_store_cannot_be_opened(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableError, match="No sample"):
            self.format.open(tmp_path)
