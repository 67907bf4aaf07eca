"""Plans that are registered before the judgments are collected, and what happened afterwards."""
