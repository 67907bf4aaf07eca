"""Forms of the scoring pages."""
