"""Verdicts rendered: terminal, JSON, Markdown."""
