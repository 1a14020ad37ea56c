"""What was observed, what may be concluded from it, and at which error."""
