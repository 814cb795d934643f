"""Changes to stores: intent, draft, plan, apply, undo. See README.md."""
