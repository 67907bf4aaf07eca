"""The researchers' API: a project's content. Runs and releases are in `scoring.api`."""
