"""Some memories about a few topics, and how often words occur in them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from store.search.similar import Sketch, tags_of, words_of


@dataclass
class Counted:
    """Counts words in the memories themselves."""

    sketches: Sequence[Sketch]

    def __post_init__(self) -> None:
        self._tags = Counter(tag for one in self.sketches for tag in tags_of(one))
        self._words = Counter(word for one in self.sketches for word in words_of(one))

    @property
    def memories(self) -> int:
        return len(self.sketches)

    def with_tag(self, tag: str) -> int:
        return self._tags[tag]

    def with_word(self, word: str) -> int:
        return self._words[word]


TIMEOUTS = Sketch(
    "memory:timeouts",
    "Fixed Redis connection timeouts",
    ("Redis", "timeout", "homelab"),
    "Added socket_keepalive=True to the pool, because the firewall drops idle ones.",
)
DROPS = Sketch(
    "memory:drops",
    "Redis drops under load",
    ("redis", "timeout", "homelab"),
    "The firewall closes what is idle; socket_keepalive helps.",
)
BACKUP = Sketch(
    "memory:backup", "Nightly backup", ("homelab",), "Copies the volumes to the NAS."
)
PROXY = Sketch(
    "memory:proxy", "Proxy in front", ("homelab",), "The proxy asks the firewall."
)
LETTERS = Sketch("memory:letters", "Cafés in Kyoto", (), "京都の喫茶店. Bring cash.")
MORE = Sketch("memory:more", "More CAFES", (), "喫茶店 with good cake; bring books.")
OTHERS = [
    Sketch(f"memory:{n}", f"Note {n}", ("homelab",) * (n % 2), "The thing about it.")
    for n in range(6)
]
ALL = [TIMEOUTS, DROPS, BACKUP, PROXY, LETTERS, MORE, *OTHERS]
COUNTED = Counted(ALL)
