"""The security log: `log` adds its events; those of requests come from the middleware and from signals."""
