"""What an operation does beyond recording itself: inside trials, over ranges, to rounding errors."""
