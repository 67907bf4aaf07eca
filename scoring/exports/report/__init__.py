"""A run as the results section of a paper: methods in words and numbers, tables, and the place of each figure."""
