"""The parts of the library, one topic each; `store.library` composes them."""
