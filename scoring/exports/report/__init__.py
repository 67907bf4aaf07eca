"""A run as the results section of a paper: methods in words and numbers, tables, and where each figure stands."""
