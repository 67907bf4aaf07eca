"""Judgments: what an answer must be, how it is saved, and extra judgments of single items."""
