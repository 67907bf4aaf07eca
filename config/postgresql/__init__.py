"""Django's backend for PostgreSQL, with a cheaper health check."""
