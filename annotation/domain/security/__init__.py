"""The log of security: its events are added in `log`; those of requests come from the middleware and from signals."""
