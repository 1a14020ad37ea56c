"""Verdicts as rows of a document, the formats that show it, the gate, the page of a paper."""
