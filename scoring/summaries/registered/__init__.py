"""Registered plans: their canonical form and hash, the analyses they name, and deviations from them."""
