"""Reads with more than one caller: a QuerySet in, a QuerySet out."""
