"""Fast equals naive."""
