"""The query bar: where one types, what is offered meanwhile, what came of it."""
