"""Write errors are reported in one sentence that names the files."""

from store.edits.conflict import reason, translated
from store.files.writable import ForeignError


def test_a_file_changed_by_another_program_is_named() -> None:
    trouble = translated(ForeignError("graph/fixes/one.md", None))

    assert str(trouble) == (
        "Another program has changed 'graph/fixes/one.md' in the meantime; "
        "nothing was written."
    )
    assert trouble.exit_code == 3


def test_nothing_was_written_is_only_said_if_it_is_true() -> None:
    for error in (ForeignError("one.md", None), OSError(28, "No space left")):
        told = reason(error).removesuffix(".")

        assert str(translated(error)).startswith(told)
        assert "was" not in told
