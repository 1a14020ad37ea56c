"""Random programs that state something true, or the same a little wrong: the text of a file with one claim."""
