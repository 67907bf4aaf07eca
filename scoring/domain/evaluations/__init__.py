"""Models compared with a release: predictions, baselines, leaderboards."""
