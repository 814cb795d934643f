"""Which keys mean which command, where: the truth that chords, hints and help share."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from tui.keys.names import Keys, is_printed


class Place(Struct, frozen=True):
    """Where keys are pressed: a pane, or a bar in which text is typed."""

    name: str
    """What commands call it."""
    chain: tuple[str, ...]
    """Itself and the places whose keys hold here too, nearest first."""
    is_typing: bool = False
    """Whether keys that write text write it."""


class Bound(Struct, frozen=True):
    """A command's keys."""

    command: str
    """The command's id."""
    place: str
    """Where the keys hold."""
    keys: tuple[Keys, ...]
    """Each of these sequences means the command; the first is the one to be told."""


class Clash(Struct, frozen=True):
    """Keys that would mean two commands in one place."""

    keys: Keys
    """The keys; of two sequences that begin alike the shorter."""
    commands: tuple[str, str]
    """The commands that want them."""
    place: str
    """Where."""


@dataclass(frozen=True)
class Keymap:
    """What keys mean. A value: who wants other keys makes another one."""

    bound: Mapping[str, Bound]
    """The keys of each command, by its id."""
    places: Mapping[str, Place]
    """Every place by its name."""

    @classmethod
    def of(cls, bound: Iterable[Bound], places: Iterable[Place]) -> "Keymap":
        """The keymap of these commands."""
        return cls(
            {one.command: one for one in bound}, {one.name: one for one in places}
        )

    def keys(self, command: str) -> tuple[Keys, ...]:
        """The keys of a command; none where it has none."""
        return self.bound[command].keys

    def keys_in(self, place: str, command: str) -> tuple[Keys, ...]:
        """The keys of a command that hold in a place."""
        meanings = self.meanings(place)
        return tuple(
            keys for keys in self.keys(command) if meanings.get(keys) == command
        )

    def changed(self, keys: Mapping[str, tuple[Keys, ...]]) -> "Keymap":
        """The keymap with other keys for some commands."""
        changes = {
            command: replace(self.bound[command], keys=wanted)
            for command, wanted in keys.items()
        }
        return Keymap({**self.bound, **changes}, self.places)

    def meanings(self, place: str) -> Mapping[Keys, str]:
        """What can be pressed in a place, and the command that each means."""
        return self._meanings[place]

    def clashes(self) -> Iterator[Clash]:
        """Keys that mean two things, or of which one begins another."""
        for place in self.places.values():
            for one, other in combinations(self._holding(place), 2):
                for ours, theirs in product(one.keys, other.keys):
                    shorter, longer = sorted((ours, theirs), key=len)
                    if longer[: len(shorter)] == shorter:
                        yield Clash(shorter, (one.command, other.command), place.name)

    @cached_property
    def _meanings(self) -> Mapping[str, Mapping[Keys, str]]:
        return {
            place.name: {
                keys: bound.command
                for bound in self._holding(place)
                for keys in bound.keys
            }
            for place in self.places.values()
        }

    def _holding(self, place: Place) -> list[Bound]:
        """What holds in a place; of inherited keys only those that write no text."""
        return [
            replace(bound, keys=tuple(filter(_writes_nothing, bound.keys)))
            if place.is_typing
            else bound
            for bound in self.bound.values()
            if bound.place in place.chain
        ]


def _writes_nothing(keys: Keys) -> bool:
    return not is_printed(keys[0])
