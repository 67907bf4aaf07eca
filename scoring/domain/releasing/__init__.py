"""Releases: the files of a dataset, made once of what a run read, with a checksum of each.

A release is a row. Like a run it is claimed by an update that only one worker can win, and may be made again after a
crash: the files are the same, and only those of the worker that came to the end are shown.
"""
