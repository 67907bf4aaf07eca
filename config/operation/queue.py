"""How many messages wait in the broker."""

from kombu import Queue
from kombu.exceptions import ChannelError

from config.celery import app


def waiting_messages() -> int:
    """Return the number of messages that no worker has taken yet."""
    with app.connection_for_write() as broker:
        queue = Queue(app.conf.task_default_queue, channel=broker.default_channel)
        try:
            return queue.queue_declare(passive=True).message_count
        except ChannelError:  # a queue without messages is no queue in Redis
            return 0
