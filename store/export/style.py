"""How exported pages look: by day and by night, on screens of any width, on paper."""

STYLE = """
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #1d2330; --soft: #5b6472;
  --line: #dcd8cd; --well: #f1eee6; --you: #8a6100; --agent: #0b66a8; --good: #1b7a35;
  --bad: #b3202c; }
@media (prefers-color-scheme: dark) { :root { --paper: #10151d; --ink: #dfe4ec;
  --soft: #8d97a6; --line: #2a3342; --well: #1a212c; --you: #ffd060; --agent: #7cc4ff;
  --good: #6ed48a; --bad: #ff6e78; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.2rem 6rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .6rem; }
h2 { font-size: .95rem; color: var(--soft); margin: 2.4rem 0 .8rem;
  border-top: 1px solid var(--line); padding-top: .6rem; }
article + article { margin-top: 4rem; border-top: 3px double var(--line);
  padding-top: 2rem; }
a { color: var(--agent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0;
  color: var(--soft); font-size: .85rem; }
dt, dd { margin: 0; }
pre, code { font: .86em/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { background: var(--well); padding: .7rem .9rem; border-radius: .4rem;
  overflow-x: auto; white-space: pre-wrap; tab-size: 4; }
code { background: var(--well); padding: .1em .3em; border-radius: .25rem; }
pre code { background: none; padding: 0; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line);
  color: var(--soft); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line);
  padding: .25rem .6rem; text-align: left; }
.words { margin: 1.4rem 0 .6rem; }
.who { font-weight: 650; font-size: .85rem; margin: 0 0 .2rem; }
.who time { color: var(--soft); font-weight: 400; margin-left: .5rem; }
.you > .who { color: var(--you); } .agent > .who { color: var(--agent); }
.you > .said { white-space: pre-wrap; border-left: 3px solid var(--you);
  padding-left: .9rem; }
details { margin: .15rem 0; font-size: .88rem; color: var(--soft); }
summary { cursor: pointer; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
details > :not(summary) { margin-left: 1.1rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
ins { color: var(--good); text-decoration: none; }
del { color: var(--bad); text-decoration: none; }
.between { color: var(--soft); font-size: .8rem; margin: 1rem 0; }
@media print { details > summary { list-style: none; } }
"""
"""The style sheet; nothing in it is loaded from anywhere."""
