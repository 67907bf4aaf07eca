"""What gunicorn does wherever it is started from this folder; options of its command line come first."""

import gc
import os
import shutil
import tempfile

from django.db import connections
from gunicorn.glogging import Logger

from config.operation.logs import formatter

# Web processes count in files that they share. Set before any of them begins, and before the library is loaded.
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="semblance-metrics-")

worker_class = "config.serving.worker.WholeRequestWorker"
# Whoever sends SCRIPT_NAME would choose which part of the path is looked up, past what a proxy refuses by its path.
forwarder_headers = ""
preload_app = True  # processes share what was loaded before they began


class logger_class(Logger):
    """The server's log in the form of the application's."""

    def setup(self, cfg):
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(formatter())


def when_ready(server):
    """Before the first process begins: no connection is shared, and what is loaded is left alone by the collector,
    which would write to it and end the sharing."""
    connections.close_all()
    gc.collect()
    gc.freeze()


def on_exit(server):
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
