"""The embedded broker: Kombu's filesystem transport, with messages that appear whole and in order."""

import os
import time
from pathlib import Path
from uuid import uuid4

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue, payload, **kwargs):
        """Write under a temporary name, then rename, so that a worker never reads half a message."""
        name = f"{time.time_ns():020d}_{uuid4()}.{queue}.msg"
        draft = Path(self.data_folder_out, f"{name}.draft")
        draft.write_text(dumps(payload), encoding="utf-8")
        os.replace(draft, Path(self.data_folder_in, name))


class Transport(filesystem.Transport):
    Channel = Channel


def register():
    """Register `embedded://` as a broker address, and a Redis broker that survives lost connections."""
    TRANSPORT_ALIASES["embedded"] = "config.broker:Transport"
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = "config.redis_broker:Transport"
