"""The shells: how bash divides a line, and what each runs to complete a query.

What a store holds is offered to a shell only in a form that the shell takes for text.
"""

import re

from msgspec import Struct

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
"""Stands behind what completes commands and options."""

ZSH = r"""
_recollect_query() {
  (( ${words[(I)list|search|queries]} )) || return 1
  local -a begun told_begun whole told_whole
  local word told
  while IFS=$'\t' read -r word told; do
    if [[ $word == *[:=\<\>] ]]; then
      begun+=("$word") told_begun+=("$word  -- $told")
    else
      whole+=("$word") told_whole+=("$word  -- $told")
    fi
  done < <("${~${(Q)words[1]}}" --complete-query zsh \
    "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
  (( $#begun + $#whole )) || return 1
  compadd -U -l -S '' -d told_begun -a begun
  compadd -U -l -d told_whole -a whole
  return 0
}

[[ -n ${words-} ]] && _recollect_query && return 0
"""
"""Stands before what completes commands and options, and goes first."""

FISH = r"""
function __recollect_query
  set -l words (commandline -opc)
  set -l word (commandline -ct | string trim -l -c "'\"")
  $words[1] --complete-query fish $words[2..-1] "$word" 2>/dev/null
end

complete -c recollect -n '__fish_seen_subcommand_from list search queries' \
  -a '(__recollect_query)'
"""
"""Stands behind what completes commands and options."""

_PLAIN = re.compile(r"[^\w@%+=:,./-]")
"""What bash might take for something else than text."""

_ENDING = {"'": "'", '"': '"$`\\!'}
"""What ends a quote, or has a meaning within it."""


class Typed(Struct, frozen=True):
    """A line that is being typed, as far as the cursor."""

    words: tuple[str, ...]
    """Its words without their quotes; the last one is not done yet."""
    quote: str
    """The quote that is still open, if one is."""
    quoted_from: int
    """Where in the last word it was opened."""


def words_of_line(line: str) -> Typed:
    """The words of a line of bash, of which the last may be empty."""
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
    """A word in place of the last one, as bash wants it; None where it cannot be told.

    Bash keeps what stands before the quote that is open, or before the last character
    that it breaks words at, and wants the rest.
    """
    if typed.quote:
        rest = word[typed.quoted_from :]
        return None if set(_ENDING[typed.quote]) & set(rest) else rest
    begun = typed.words[-1]
    kept = max((begun.rfind(sign) + 1 for sign in breaks), default=0)
    return _PLAIN.sub(r"\\\g<0>", word[kept:])
