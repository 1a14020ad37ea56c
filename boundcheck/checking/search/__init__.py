"""The search for the worst instance: in populations of one program, one by one, and down to the simplest."""
