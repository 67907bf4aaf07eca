"""The figures of a run, drawn once and stored."""
