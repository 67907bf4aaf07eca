"""Requests to servers that people name: webhooks, models and archives of data."""
