import logging
import os
import time

from celery import Celery, current_task
from celery.contrib.django.task import DjangoTask
from celery.utils import uuid
from kombu.exceptions import KombuError

from config.operation.tasks import SignsOfLife

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")

logger = logging.getLogger(__name__)

RETRY_AFTER = 10.0  # seconds before a broker that did not answer is tried again


class PatientTask(DjangoTask):
    """A task whose sender continues when the broker cannot be reached.

    The work is a row in the database and the sweeps of `CELERY_BEAT_SCHEDULE` send waiting rows again, so a
    web request or a command need not fail, and only one in ten seconds waits for the broker. Inside another
    task the error is raised: there the sender is a job, which records it.
    """

    retry_at = 0.0

    def apply_async(self, *args, task_id=None, **kwargs):
        task_id = task_id or uuid()
        if current_task or self.app.conf.task_always_eager:
            return super().apply_async(*args, task_id=task_id, **kwargs)
        if time.monotonic() >= PatientTask.retry_at:
            try:
                return super().apply_async(*args, task_id=task_id, **kwargs)
            except (KombuError, OSError) as error:
                PatientTask.retry_at = time.monotonic() + RETRY_AFTER
                logger.warning("The broker does not respond: %s", error)
        logger.warning("%s waits in the database", self.name)
        return self.AsyncResult(task_id)


app = Celery("semblance", task_cls=PatientTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(SignsOfLife)
