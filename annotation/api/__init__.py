"""The researchers' API: what a project holds. Runs and releases are in `scoring.api`."""
