"""Operation of an installation: logs, request IDs, health pages and metrics."""
