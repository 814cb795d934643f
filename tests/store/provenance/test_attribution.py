"""Every line of a text belongs to the step that wrote it, whatever happened."""

from hypothesis import given
from hypothesis import strategies as st

from store.provenance.calls import Call, Edit, Step, plain, replay
from store.provenance.history import NOBODY, Line, attribute, split

WORDS = st.text("abc é\r\v\u2028", max_size=4)


class Tale:
    """A text that is written and edited, with the known author of each line."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.steps: list[Step] = []
        self.calls: list[Call] = []
        self._said = 0

    @property
    def text(self) -> str:
        return "".join(f"{line.text}\n" for line in self.lines)

    def line(self, words: str) -> Line:
        """A unique line."""
        self._said += 1
        return Line(f"<{self._said:05}>{words}.", len(self.calls))

    def write(self, keeps: list[bool], new: list[tuple[int, str]]) -> None:
        """Rewrite the text: some lines stay in order, others are inserted."""
        flags = [*keeps, *[True] * len(self.lines)]
        lines = [line for line, stays in zip(self.lines, flags, strict=False) if stays]
        for at, words in new:
            lines.insert(at % (len(lines) + 1), self.line(words))
        self.lines = lines
        self._called(Call("Write", content=self.text))

    def edit(self, at: int, size: int, new: list[str]) -> None:
        """Replace some lines by others."""
        if not self.lines:
            return
        at %= len(self.lines)
        old = self.lines[at : at + 1 + size]
        put = [self.line(words) for words in new] or [self.line("")]
        self.lines[at : at + 1 + size] = put
        texts = ["\n".join(one.text for one in lines) for lines in (old, put)]
        self._called(Call("Edit", edits=(Edit(texts[0], texts[1]),)))

    def touch(self, at: int, new: list[str]) -> None:
        """Insert lines of an unknown author."""
        at %= len(self.lines) + 1
        made = [self.line(words)._replace(maker=NOBODY) for words in new]
        self.lines[at:at] = made

    def _called(self, call: Call) -> None:
        self.calls.append(call)


OPS = st.one_of(
    st.tuples(
        st.just("write"),
        st.lists(st.booleans(), max_size=8),
        st.lists(st.tuples(st.integers(0, 9), WORDS), max_size=4),
    ),
    st.tuples(
        st.just("edit"),
        st.integers(0, 9),
        st.integers(0, 2),
        st.lists(WORDS, max_size=3),
    ),
)


def attributed(calls: list[Call], text: str) -> list[Line]:
    return attribute(list(replay(calls)), text)


@given(ops=st.lists(OPS, max_size=12), has_ends=st.booleans())
def test_each_line_belongs_to_the_call_that_last_wrote_it(
    ops: list[tuple[str, ...]], *, has_ends: bool
) -> None:
    tale = Tale()
    tale.write([], [(0, "first"), (1, "second")])
    for name, *given_ in ops:
        getattr(tale, name)(*given_)

    text = tale.text if has_ends else tale.text[:-1]

    assert attributed(tale.calls, text) == tale.lines


@given(st.lists(OPS, max_size=6), st.integers(0, 9), st.lists(WORDS, max_size=3))
def test_lines_changed_outside_belong_to_no_call(
    ops: list[tuple[str, ...]], at: int, new: list[str]
) -> None:
    tale = Tale()
    tale.write([], [(0, "first"), (1, "second")])
    for name, *given_ in ops:
        getattr(tale, name)(*given_)
    tale.touch(at, new)

    assert attributed(tale.calls, tale.text) == tale.lines


CALLS = st.builds(
    Call,
    tool=st.just("Edit"),
    content=st.none() | st.text("ab\n\r", max_size=6),
    edits=st.lists(
        st.builds(
            Edit,
            st.text("ab\n\r", max_size=3),
            st.text("ab\n", max_size=3),
            st.booleans(),
        ),
        max_size=3,
    ).map(tuple),
    before=st.none() | st.text("ab\n\r", max_size=6),
)


@given(st.lists(CALLS, max_size=6), st.text("ab\n\r", max_size=8))
def test_the_lines_are_always_those_of_the_text(calls: list[Call], text: str) -> None:
    lines = attributed(calls, plain(text))

    assert [line.text for line in lines] == split(plain(text))
    assert {line.maker for line in lines} <= set(range(NOBODY, len(calls)))


def test_an_edit_within_a_line_owns_only_that_line() -> None:
    calls = [
        Call("Write", content="one\ntwo\nthree\n"),
        Call("Edit", edits=(Edit("wo\nth", "WO\nth"),)),
    ]

    assert attributed(calls, "one\ntWO\nthree\n") == [
        Line("one", 0),
        Line("tWO", 1),
        Line("three", 0),
    ]


def test_identical_lines_are_distinguished_by_where_they_were_edited() -> None:
    calls = [
        Call("Write", content="x\n\nx\n\nx\n"),
        Call("Edit", edits=(Edit("x\n\nx", "x\n\nx\n\nx"),)),
    ]

    makers = [line.maker for line in attributed(calls, "x\n\nx\n\nx\n\nx\n")]

    assert makers[:2] == [0, 0]
    assert makers[-1] == 0
    assert sorted(makers) == [0, 0, 0, 0, 0, 1, 1]


def test_an_edit_without_details_has_its_own_lines() -> None:
    calls = [Call("Edit", edits=(Edit("was", "is\nand is"),))]

    assert attributed(calls, "it\nis\nand is\nso\n") == [
        Line("it", NOBODY),
        Line("is", 0),
        Line("and is", 0),
        Line("so", NOBODY),
    ]


def test_the_text_in_a_result_overrides_the_reconstructed_one() -> None:
    calls = [
        Call("Write", content="one\ntwo\n"),
        Call("Edit", edits=(Edit("two", "2"),), before="zero\none\ntwo\n"),
    ]

    assert attributed(calls, "zero\none\n2\n") == [
        Line("zero", NOBODY),
        Line("one", 0),
        Line("2", 1),
    ]


def test_converted_line_ends_belong_to_no_call() -> None:
    calls = [
        Call("Write", content="one\r\ntwo\r\n"),
        Call("Edit", edits=(Edit("two\r\n", "2\r\n"),)),
    ]

    assert attributed(calls, plain("\ufeffone\r\n2\r\n")) == [
        Line("one", 0),
        Line("2", 1),
    ]


def test_texts_too_large_to_compare_keep_common_ends() -> None:
    old = "".join(f"{n}\n" for n in range(30_000))
    new = "".join(f"{n * 2}\n" if n % 30_000 else "0\n" for n in range(30_001))

    lines = attributed([Call("Write", content=old)], new)

    assert lines[0] == Line("0", 0)
    assert lines[1].maker == NOBODY
