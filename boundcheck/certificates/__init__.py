"""Certificates of refutation: what is written, and the independent program that checks it."""
