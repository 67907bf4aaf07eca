"""Webhooks: their addresses, and deliveries that are retried."""
