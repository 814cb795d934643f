"""What the browser asks the library, away from the screen: no key waits for it."""
