"""How well a record answers a query, and why."""

from store.search.ranking.candidate import Candidate, Wanted
from store.search.ranking.judge import Judge, judge, judge_similar
from store.search.ranking.verdict import Verdict

__all__ = ["Candidate", "Judge", "Verdict", "Wanted", "judge", "judge_similar"]
