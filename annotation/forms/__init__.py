"""Forms of pages."""
