"""A command line as words: finds the command, and splits lines as shells do."""

from collections.abc import Sequence
from itertools import islice, zip_longest

from msgspec import Struct

from store.text import regex
from tui.names import ALIASES

# Words and options of the command line, sorted before argparse sees them.

_WITH_VALUE = frozenset(
    {
        *("-s", "--store", "--as", "--theme", "--now", "--at", "--gap", "--limit"),
        *("--offset", "--sort", "--forecast", "--saved", "--save", "--delete"),
        *("--query", "--format", "--kind", "--output", "-o", "--to", "--type"),
        *("--field", "--body", "--from"),
    }
)
"""Options that take a value."""

_HELP = "-h"

_STORES = ("-s/", "-s.", "-s~")
"""Prefixes of `-s` with its value in the same word, if that is clearly a path. Anything
else, such as `-stage:fading`, is a negated part of a query."""

_OPTION = "--"
"""The prefix of other options; alone, it ends them."""

_NAMING = frozenset({"-s", "--store", "--to"})
"""Options that name a store."""

_LONG = {"-s": "--store"}
"""The long forms of these options that have a short one."""

_DASHED = regex(r"-[^-].+")
"""A name of a store that argparse would take for an option."""

_WORDY = frozenset(
    {
        *("report", "export", "list", "queries", "search"),
        *("archive", "copy", "delete", "merge", "move", "pin", "restore", "unpin"),
        *("append", "set", "tag", "unlink"),
    }
)
"""Commands whose words can be anything, or are on both sides of options."""


_LIMITED, _LIMIT = frozenset({"export", "list", "search"}), "--limit"
"""Commands in which `-n` before a number is this option, and not a part of a query."""

_LISTING, _MEMORIES = "list", "memories"
"""The command whose kind may be left out before a query, and its kind then."""

_ASKING = regex(r"^(?:-..|[!/])|[:<>=~\"^|(]")
"""What is in queries and not in the name of a kind."""


def first_word(argv: Sequence[str]) -> str | None:
    """The first word that is neither an option nor an option's value."""
    place = _place_of_first_word(argv)
    return None if place is None else argv[place]


def unaliased(argv: Sequence[str]) -> list[str]:
    """The command line with the present name of its command."""
    argv = _with_dashed_stores(argv)
    place = _place_of_first_word(argv)
    if place is None:
        return list(argv)
    command, rest = ALIASES.get(argv[place], argv[place]), argv[place + 1 :]
    if command in _LIMITED and _OPTION not in rest:
        both = zip_longest(rest, rest[1:], fillvalue="")
        rest = [_LIMIT if w == "-n" and n.isdecimal() else w for w, n in both]
    return [*argv[:place], command, *rest]


def _with_dashed_stores(argv: Sequence[str]) -> list[str]:
    """The command line with names such as `-home-me-kiln` joined to their option."""
    joined: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word == _OPTION:
            joined += [word, *rest]
        elif joined and joined[-1] in _NAMING and _DASHED.fullmatch(word):
            joined[-1] = f"{_LONG.get(joined[-1], joined[-1])}={word}"
        else:
            joined.append(word)
    return joined


def with_words_last(argv: Sequence[str]) -> list[str]:
    """The command line with all options before the words that can be anything.

    argparse takes words in one go and loses those after an option. It also treats
    everything that starts with a dash as an option, including names of transcript
    folders and negated parts of a query.
    """
    place = _place_of_first_word(argv)
    if place is None or argv[place] not in _WORDY:
        return list(argv)
    options: list[str] = []
    words: list[str] = []
    rest = iter(argv[place + 1 :])
    for word in rest:
        if word == _OPTION:
            words += rest
        elif word in _WITH_VALUE:
            options += [word, *islice(rest, 1)]
        elif word == _HELP or word.startswith((_OPTION, *_STORES)):
            options.append(word)
        else:
            words.append(word)
    if argv[place] == _LISTING and words and _ASKING.search(words[0]):
        words.insert(0, _MEMORIES)
    behind = [_OPTION, *words] if words else []
    return [*argv[: place + 1], *options, *behind]


def _place_of_first_word(argv: Sequence[str]) -> int | None:
    places = iter(range(len(argv)))
    for place in places:
        if argv[place] in _WITH_VALUE:
            next(places, None)
        elif not argv[place].startswith("-"):
            return place
    return None


def singular(kind: str) -> str:
    """The singular of a kind of record."""
    return f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")


# Shells: how bash splits a line, and the scripts that complete queries.
#
# Text from stores is passed to a shell only in a form that it treats as text.

BASH = r"""
_recollect_query() {
  _shtab_recollect "$@"
  [ ${#COMPREPLY[@]} -eq 0 ] || return 0
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    "${1/#\~/$HOME}" --complete-query bash \
      "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  [[ "${COMPREPLY[0]-}" != *[:=\<\>] ]] || compopt -o nospace 2>/dev/null || :
}

complete -o bashdefault -F _recollect_query recollect
"""
"""Appended to the generated completion script."""

ZSH = r"""
_recollect_query() {
  (( ${words[(I)list|search|queries]} )) || return 1
  local -a begun notes_begun whole notes_whole
  local word note
  while IFS=$'\t' read -r word note; do
    if [[ $word == *[:=\<\>] ]]; then
      begun+=("$word") notes_begun+=("$word  -- $note")
    else
      whole+=("$word") notes_whole+=("$word  -- $note")
    fi
  done < <("${~${(Q)words[1]}}" --complete-query zsh \
    "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
  (( $#begun + $#whole )) || return 1
  compadd -U -l -S '' -d notes_begun -a begun
  compadd -U -l -d notes_whole -a whole
  return 0
}

[[ -n ${words-} ]] && _recollect_query && return 0
"""
"""Inserted before the generated completion script, and tried first."""

FISH = r"""
function __recollect_query
  set -l words (commandline -opc)
  set -l word (commandline -ct | string trim -l -c "'\"")
  $words[1] --complete-query fish $words[2..-1] "$word" 2>/dev/null
end

complete -c recollect -n '__fish_seen_subcommand_from list search queries' \
  -a '(__recollect_query)'
"""
"""Appended to the generated completion script."""

_PLAIN = regex(r"[^\w@%+=:,./-]")
"""Characters that bash might not treat as text."""

_ENDING = {"'": "'", '"': '"$`\\!'}
"""Characters that end a quote or have a meaning inside it."""


class Typed(Struct, frozen=True):
    """A line being typed, up to the cursor."""

    words: tuple[str, ...]
    """Its words without quotes; the last one may be incomplete."""
    quote: str
    """The quote that is still open, or empty."""
    quoted_from: int
    """The position in the last word at which the quote was opened."""


def words_of_line(line: str) -> Typed:
    """The words of a bash line; the last one may be empty."""
    words: list[str] = []
    word, quote, opened, is_begun = "", "", 0, False
    characters = iter(line)
    for character in characters:
        if character == "\\" and quote != "'":
            word, is_begun = word + next(characters, ""), True
        elif character == quote:
            quote = ""
        elif character in _ENDING and not quote:
            quote, opened, is_begun = character, len(word), True
        elif character.isspace() and not quote:
            words += [word] if is_begun else []
            word, is_begun = "", False
        else:
            word, is_begun = word + character, True
    return Typed((*words, word), quote, opened)


def escaped(word: str, typed: Typed, breaks: str) -> str | None:
    """The part of a completed word that bash expects, escaped; None if impossible.

    Bash keeps the text before the open quote, or up to the last character that breaks
    words, and expects the rest.
    """
    if typed.quote:
        rest = word[typed.quoted_from :]
        return None if set(_ENDING[typed.quote]) & set(rest) else rest
    begun = typed.words[-1]
    kept = max((begun.rfind(sign) + 1 for sign in breaks), default=0)
    return _PLAIN.sub(r"\\\g<0>", word[kept:])
