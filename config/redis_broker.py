"""Redis as the broker: Kombu's transport, with a worker that survives a lost connection with work in hand."""

from kombu.transport import redis
from redis.exceptions import ConnectionError


class Channel(redis.Channel):
    def _connparams(self, asynchronous=False):
        """Return Kombu's parameters; for a lost connection, raise an error that makes Celery reconnect.

        When it returns or acknowledges messages of a lost connection, Kombu asks the missing connection for its host:
        an AttributeError, which ends the worker.
        """
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("This connection to the broker was lost.")
        return super()._connparams(asynchronous)


class Transport(redis.Transport):
    Channel = Channel
