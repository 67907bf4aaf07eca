"""Rehearsals: simulated annotators complete a copy of a project."""
