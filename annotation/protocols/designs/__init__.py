"""Designs of rounds: who judges which items, how often."""
