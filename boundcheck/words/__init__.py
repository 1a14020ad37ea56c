"""The words that claims are written in, what a claim is, and where claims are found."""
