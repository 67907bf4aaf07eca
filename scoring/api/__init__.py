"""The researchers' API: runs, releases with their files, and what models' predictions are worth."""
