"""An interrupted overwrite is distinguished from another program's write."""

from hypothesis import given
from hypothesis import strategies as st

from store.files.replace import is_torn

texts = st.binary(max_size=60) | st.integers(1, 3000).map(lambda size: b"x" * size)


@given(texts, texts, st.integers(0, 3000))
def test_new_bytes_followed_by_old_ones_are_recognised_as_ours(
    before: bytes, after: bytes, split: int
) -> None:
    split = min(split, len(after))

    assert is_torn(after[:split] + before[split:], before, after)


@given(st.data())
def test_any_mix_of_old_and_new_sectors_is_recognised_as_ours(
    data: st.DataObject,
) -> None:
    sectors = data.draw(st.lists(st.booleans(), min_size=1, max_size=6))
    before, after = b"a" * 512 * len(sectors), b"b" * 512 * len(sectors)

    mixed = b"".join((b"b" if new else b"a") * 512 for new in sectors)

    assert is_torn(mixed, before, after)


@given(texts, texts)
def test_bytes_in_neither_version_belong_to_another_program(
    before: bytes, after: bytes
) -> None:
    longest = max(len(before), len(after))

    assert not is_torn(before + after + b"#" * 600, before, after)
    assert longest == 0 or not is_torn(b"\0" * longest, b"a" * longest, b"b" * longest)
