"""Accounts: the first administrator, API tokens, a person's own data, and its erasure."""
