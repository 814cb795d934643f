"""What a query finds, as lines for other programs: jq for journals, SQL for ledgers."""
