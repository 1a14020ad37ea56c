"""Searching for the worst instance of a claim, and making what was found readable."""
