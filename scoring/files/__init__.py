"""The statistics on files, without a database: what `python -m scoring` runs."""
