"""Runs: judgments read once, statistics computed in parts by any number of workers, then merged once.

A run is a job, and so is each of its parts; a part's result is the same whoever computes it.
"""
