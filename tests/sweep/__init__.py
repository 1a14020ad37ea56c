"""The sweep of Wang (2019), Section 6."""
