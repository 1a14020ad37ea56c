"""Random programs in the language of statements: what Python computes is what is recorded."""
