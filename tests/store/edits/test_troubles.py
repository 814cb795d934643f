"""What goes wrong while files are written is told in a sentence that names them."""

from store.edits.doing.troubles import reason, translated
from store.files.replacing import ForeignError


def test_a_file_that_another_program_has_changed_is_named() -> None:
    trouble = translated(ForeignError("graph/fixes/one.md", None))

    assert str(trouble) == (
        "Another program has changed 'graph/fixes/one.md' meanwhile; "
        "nothing was written."
    )
    assert trouble.exit_code == 3


def test_what_is_left_is_said_only_where_all_is_as_it_was() -> None:
    for error in (ForeignError("one.md", None), OSError(28, "No space left")):
        told = reason(error).removesuffix(".")

        assert str(translated(error)).startswith(told)
        assert "was" not in told
