"""Screening of raters, and a preview of what an exclusion does to the scores."""
