"""Kernels as objects, deviations, and the way from a claim or a command to compiled code."""
