"""The topics of `recollect help TOPIC`, and the errors for unknown words."""

from collections import Counter
from itertools import chain
from textwrap import fill

from store.errors import WrongUseError
from store.formats.register import FORMATS
from store.kinds import KINDS
from store.search.fields import fields_of
from store.text import guess, near
from tui.names import COMMANDS

TOPICS = {
    "query": """\
QUERY, for `list`, `search`, `--query` and the search box (/) of the browser:

  redis timeout          both words, anywhere; a capital letter makes case matter
  "connection timeout"   the phrase
  redis|valkey           either
  -draft  !tag:old       not
  ~conection             similar words (typos)
  ^fix                   the title begins with it
  /re(dis|try)/          regular expression

  type:fix,solution      one of several values
  tag:redis  stage:fading  status:ready  tool:Bash  store:homelab  project:api
  in:body  in:title      search only there
  is:pinned              also: vault active fading dormant archived orphan broken
                         unseen onesided duplicate marked changed new secret
                         hidden-text suspicious; of conversations: subagent
  has:edges  edge:SOLVES
  importance>=.7  strength<.2  uses=0  links>5
  created<30d            less than 30 days ago; also updated, seen
  updated>2026-01-01  on:2026-02-14  since:last

Field names can be shortened (imp, str). Words that look like an option go after --,
or are negated with ! instead of -.

Fields, by kind of record:

""",
    "keys": """\
Keys of the browser. ? lists all that work where you are, : finds commands by name.

  /  search              j k  down, up         p  pin          e  edit
  enter  read            l    links            t  tag          r  link
  esc  cancel, close     h    back             d  archive      D  delete
  tab  next pane         H L  back, forward    u  undo         ^r redo
  1-0  views             g    go to …          U  history      !  allow edits
  F  filters             y    copy …           space  mark     x  fix a problem
  s  sort                z    zoom             w  export       q  close, quit

Keys can be changed: see `recollect help settings`.
""",
    "settings": """\
Settings are in config.toml, in $XDG_CONFIG_HOME/recollect (:settings shows the path).
All of them are optional. Invalid settings are reported with their line.

  theme = "dark"                 the colours of the browser

  [keys]                         keys of commands, separated by commas; "" for none
  filter = "/, ctrl+f"

  [queries]                      saved queries
  stale = "is:orphan strength<.2"

  [stores.work]                  a folder as a store, under a name
  path = "~/notes/work"
  format = "pages"

  [semantic]                     search by meaning: "off", "ollama", "openai" or
  provider = "ollama"            "model2vec"; texts are only sent to what you set here

Everything else, such as prices of models: docs/settings.md of the project.
""",
    "formats": """\
Formats of stores, recognised by their content; --as FORMAT opens a folder as one.

""",
    "safety": """\
Stores are never changed unless you run a command that changes something, or allow
edits in the browser (!).

  preview        --dry-run prints the plan and the diff of every change
  undo           `recollect undo`, also tomorrow; `recollect history` lists changes
  backups        every file is backed up before it is written
  conflicts      a file that changed on disk is not overwritten (exit code 3)
  read-only      --read-only or RECOLLECT_READ_ONLY=1 refuses every change
  confirmation   deletions, and changes of 10 records or more, ask first (--yes)
  privacy        nothing is sent anywhere; crash reports contain no memory text
""",
    "glossary": """\
  store      a folder or database in which an agent keeps memories
  memory     one thing that an agent wrote down, with title, type and tags
  fade       lose strength over time unless used: active, fading, dormant, archived
  strength   importance × uses, less with time: active from 0.5, fading from 0.2,
             dormant from 0.05, below that archived; there is no upper end
  pin        protect from fading; pinned conversations are copied to the vault
  vault      recollect's copies of conversations, which no agent deletes
  edge       a typed link between two memories, such as SOLVES
  episode    an entry in a daily log
  journal    what agents logged about their work: task metrics, events, agent runs
  problem    something damaged, outdated or inconsistent, and its fix
  index      recollect's own copy of what the stores contain; safe to delete
  ref        the short name of a record, such as memory:2cf486be8d5325
""",
    "environment": """\
  RECOLLECT_STORES        stores and folders to open without -s, separated by :
  RECOLLECT_READ_ONLY=1   like --read-only
  VISUAL, EDITOR          the editor for `recollect edit` and e in the browser
  NO_COLOR                no colours
  XDG_CACHE_HOME          recollect/catalogue.db: the index (safe to delete)
  XDG_STATE_HOME          recollect/: undo journal, backups, vault, crash reports
  XDG_CONFIG_HOME         recollect/config.toml: the settings
""",
}
"""The text of each topic."""


def text_of(topic: str) -> str:
    """The text of a topic; raises WrongUseError if there is no such topic."""
    way = _EVERYDAY.get(topic, "")
    topic = way.removeprefix("help ") if way.startswith("help ") else topic
    if topic in TOPICS:
        listed = {"formats": _formats, "query": _fields}.get(topic, str)
        return TOPICS[topic] + listed()
    known = ["browse", *TOPICS]
    names = [*known, *(command.name for command in COMMANDS)]
    meant = f"; did you mean {way!r}?" if way else guess(topic, names)
    raise WrongUseError(
        f"unknown command or topic {topic!r}{meant} (topics: {', '.join(known)})"
    )


def _formats() -> str:
    """A line for each format: its name, and what its stores are."""
    return "".join(f"  {form.name:13}  {form.about}\n" for form in FORMATS)


def _fields() -> str:
    """The fields of each kind, after those that most kinds have."""
    named = {kind: [f.name for f in fields_of(frozenset([kind]))] for kind in KINDS}
    counts = Counter(chain.from_iterable(map(dict.fromkeys, named.values())))
    shared = [name for name, count in counts.items() if count > len(KINDS) / 2]
    rows = {"most kinds": shared, **named}
    for kind in KINDS:
        rows[kind] = [name for name in named[kind] if name not in shared]
    return "".join(
        fill(
            f"  {kind:13}  {', '.join(dict.fromkeys(names))}",
            79,
            subsequent_indent=" " * 17,
        )
        + "\n"
        for kind, names in rows.items()
    )


_EVERYDAY = {
    word: command
    for command, words in {
        "help browse": "browse",
        "search": "find grep query",
        "list": "all ls ll tags",
        "show": "cat get open view",
        "new": "add create remember",
        "delete": "del forget remove rm",
        "move": "mv",
        "copy": "cp",
        "link": "connect ln",
        "versions --diff": "diff",
        "undo": "revert",
        "history": "changes log",
        "health": "check fix lint problems",
        "sync": "index refresh reload update",
        "stores": "info status",
        "report": "stats",
        "help settings": "config configuration configure settings",
        "--install-completion": "completion completions",
    }.items()
    for word in words.split()
}
"""The commands for words of other programs."""


def unknown(word: str) -> str:
    """The error for an unknown word, with a similar command if there is one."""
    meant = _EVERYDAY.get(word) or _meant(word)
    way = f"did you mean `recollect {meant}`?" if meant else "see recollect --help"
    return f"unknown command or path: {word!r}; {way}"


def _meant(word: str) -> str | None:
    """The nearest command; a kind of record suggests `list KIND`."""
    kind = near(word, KINDS)
    is_kind = kind is not None and kind.startswith(word)
    names = ["version", "help", *(command.name for command in COMMANDS)]
    return f"list {kind}" if is_kind else near(word, names)
