"""The story's data files, with the dates that they mention filled in."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from store.demo.days import Days

Table = dict[str, Any]

FENCE = "+++\n"
"""Stands above and below the header of a page."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
"""By name, whatever language the machine speaks."""

_DATE = re.compile(r"\{(day|month):(\d+)\}")


class Source(Struct, frozen=True):
    """A data file or a folder of them."""

    place: Traversable
    days: Days

    @classmethod
    def story(cls, days: Days) -> "Source":
        """The folder that holds all of them."""
        return cls(files("store.demo") / "story", days)

    @property
    def name(self) -> str:
        """The name without what follows the dot."""
        return self.place.name.partition(".")[0]

    def __truediv__(self, name: str) -> "Source":
        return Source(self.place / name, self.days)

    def parts(self, suffix: str = "") -> Iterator["Source"]:
        """What is in the folder, in the same order on every machine."""
        places = sorted(self.place.iterdir(), key=lambda place: place.name)
        for place in places:
            if place.name.endswith(suffix):
                yield Source(place, self.days)

    def table(self) -> Table:
        """A TOML file; one that is not there says nothing."""
        return tomllib.loads(self._text()) if self.place.is_file() else {}

    def page(self) -> tuple[Table, str]:
        """A markdown file's TOML header and its text."""
        _, header, body = self._text().split(FENCE, 2)
        return tomllib.loads(header), body.strip("\n") + "\n"

    def _text(self) -> str:
        return _DATE.sub(self._date, self.place.read_text("utf-8"))

    def _date(self, match: re.Match[str]) -> str:
        moment = self.days.ago(int(match[2]), "12:00")
        if match[1] == "month":
            return MONTHS[moment.month - 1]
        return moment.date().isoformat()
