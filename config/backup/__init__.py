"""Backups: the rows and files of an installation as one file, restored into an empty one, on either database."""
