"""Tell when stores are to be looked at again: as soon as the system says so.

```
files ── the system's notifications ──> Notices ─┐
                                                 ├─> Watcher.wait() ──> look at these
the clock, as rarely as looking is dear ─> Pace ─┘
```
"""
