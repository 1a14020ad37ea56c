"""Many claims, kept as they finish, on any number of workers."""
