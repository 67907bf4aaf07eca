"""Connections to PostgreSQL whose health is seen without a query."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, except that the health check before a request queries the server only if there is a reason to.

    A server that ends a connection, as when it restarts, sends a message and closes it. So on a connection without
    anything to read the query would cost every page a round trip and tell nothing.
    """

    def is_usable(self) -> bool:
        """Return whether the server still has the connection open, and no error has made it unusable."""
        if self.in_atomic_block or self.errors_occurred:
            return super().is_usable()
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0) or super().is_usable()
