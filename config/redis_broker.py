"""Redis as the broker: Kombu's transport, whose worker outlives a connection that is lost with work in hand."""

from kombu.transport import redis
from redis.exceptions import ConnectionError


class Channel(redis.Channel):
    def _connparams(self, asynchronous=False):
        """As Kombu has it; for a connection that is gone, an error that Celery expects and answers by a new one.

        Giving back or acknowledging what a lost connection delivered, Kombu asks the connection that is no more for
        its host: an AttributeError, at which the worker ends.
        """
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("This connection to the broker was lost.")
        return super()._connparams(asynchronous)


class Transport(redis.Transport):
    Channel = Channel
