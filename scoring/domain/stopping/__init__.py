"""Looks at a round that is opened in waves: whether it has enough judgments, and which come next."""
