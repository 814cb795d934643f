"""Links are followed while they stay within the root, otherwise refused."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import RefusedError, UnreadableError
from store.files.beneath import Root
from tests.store.files.beneath.walks import CANARY


@pytest.mark.parametrize(
    ("text", "leads_to"),
    [
        ("redis.md", "graph/fixes/redis.md"),
        ("./redis.md", "graph/fixes/redis.md"),
        ("../fixes//redis.md", "graph/fixes/redis.md"),
        ("../../CORE.md", "CORE.md"),
        ("../../to-graph/fixes/redis.md", "graph/fixes/redis.md"),
        ("{top}/CORE.md", "CORE.md"),
    ],
)
def test_a_link_that_stays_within_the_root_is_followed(
    root: Root, top: Path, text: str, leads_to: str
) -> None:
    (top / "to-graph").symlink_to("graph")
    text = text.replace("{top}", str(top))
    (top / "graph" / "fixes" / "link.md").symlink_to(text)
    assert root.target("graph/fixes/link.md") == leads_to
    assert root.read("graph/fixes/link.md").raw == root.read(leads_to).raw
    assert root.link_text("graph/fixes/link.md") == text


@pytest.mark.parametrize(
    "text",
    [
        "../../../outside/redis.md",
        "../../../store/CORE.md",
        "../../out/redis.md",
        "{top}/../outside/redis.md",
        "{top}-beside/redis.md",
        "/etc/passwd",
        "/dev/zero",
        "/dev/tty",
        "/proc/self/environ",
        "nowhere.md",
        "../nowhere/redis.md",
        "link.md",
        "../../there.md",
        "../fixes",
    ],
)
def test_every_other_link_is_refused(root: Root, top: Path, text: str) -> None:
    (top / "out").symlink_to("../outside")
    (top / "there.md").symlink_to("back.md")
    (top / "back.md").symlink_to("there.md")
    (top.parent / "store-beside").symlink_to("outside")
    link = top / "graph" / "fixes" / "link.md"
    link.symlink_to(text.replace("{top}", str(top)))
    with pytest.raises(RefusedError) as refusal:
        root.read("graph/fixes/link.md")
    assert str(refusal.value).startswith("'graph/fixes/link.md' ")
    assert CANARY not in str(refusal.value)
    target = root.target("graph/fixes/link.md")
    assert target == ("graph/fixes" if text == "../fixes" else None)


def test_folders_behind_links_are_listed_only_within_the_root(
    root: Root, top: Path
) -> None:
    (top / "notes").symlink_to("graph/fixes")
    (top / "out").symlink_to("../outside")
    (top / "home").symlink_to(".")
    assert [entry.path for entry in root.entries("notes")] == ["notes/redis.md"]
    assert root.read("notes/redis.md").raw == b"# Redis\n"
    assert root.target("notes/redis.md") == "graph/fixes/redis.md"
    assert root.target("home") == ""
    for refused in (root.read, root.entries):
        with pytest.raises(RefusedError):
            refused("out")
    with pytest.raises(RefusedError):
        root.read("out/redis.md")
    with pytest.raises(RefusedError):
        root.read("home")


@pytest.mark.parametrize(("links", "followed"), [(8, True), (9, False)])
def test_at_most_eight_links_are_followed(
    root: Root, top: Path, links: int, *, followed: bool
) -> None:
    (top / "0").write_bytes(b"end")
    for number in range(links):
        (top / str(number + 1)).symlink_to(str(number))
    assert (root.target(str(links)) == "0") is followed
    if followed:
        assert root.read(str(links)).raw == b"end"


def test_only_a_link_has_a_target(root: Root, top: Path) -> None:
    (top / "dangling").symlink_to("../../no where\n")
    assert root.link_text("dangling") == "../../no where\n"
    assert root.link_text("CORE.md") is None
    assert root.link_text("graph") is None
    assert root.link_text("nowhere") is None
    assert root.target("CORE.md") == "CORE.md"


parts = st.sampled_from(["", ".", "..", "in", "out", "up", "deep", "note.md", "abs"])


@given(st.lists(parts, max_size=7).map("/".join))
def test_no_path_leaves_the_root(path: str) -> None:
    with TemporaryDirectory() as made:
        top = Path(made) / "store"
        (top / "in" / "deep").mkdir(parents=True)
        (Path(made) / "note.md").write_text(CANARY)
        (top / "in" / "note.md").write_bytes(b"inside")
        (top / "in" / "up").symlink_to("..")
        (top / "up").symlink_to("in/up/in/deep")
        (top / "out").symlink_to("..")
        (top / "in" / "deep" / "out").symlink_to("../../..")
        (top / "abs").symlink_to(made)
        with Root(top) as root:
            try:
                assert root.read(path).raw == b"inside"
            except UnreadableError as error:
                assert CANARY not in str(error)  # noqa: PT017 - either way is right
            try:
                assert all(entry.path.startswith(path) for entry in root.entries(path))
                assert (top / path).resolve().is_relative_to(top.resolve())
            except UnreadableError as error:
                assert str(error).endswith(".")  # noqa: PT017 - either way is right
