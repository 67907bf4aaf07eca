"""Runs: judgments read once, statistics computed in parts by any number of workers, results put together once.

A run is a row, and so is each of its parts. Everything here may happen twice, at once, or after a crash in the middle:
every step claims its row by an update that only one can win, and a part's result is the same whoever computes it.
"""
