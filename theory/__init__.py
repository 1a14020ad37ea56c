"""Claims of five papers on random features, one folder for each."""
