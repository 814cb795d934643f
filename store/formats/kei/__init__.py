"""KeiSeiKit: traces of sessions, journals of metrics, a database, a ledger."""
