"""The statistics on files, without a database, as `python -m scoring` runs them."""
