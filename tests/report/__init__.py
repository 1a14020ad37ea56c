"""Tests of reports: what is read, what is rendered, and what a browser makes of it."""
