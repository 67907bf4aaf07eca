"""Releases: the files of a dataset, made once from what a run read, with a checksum of each.

A release is a job that may be made again after a crash: the files are the same, and only those of the worker that
finished are shown.
"""
