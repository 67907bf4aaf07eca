"""Background work: Celery, its broker, and the intervals of its tasks."""

from config.settings.environment import DATA_DIR, variable
from config.settings.parts import BRIEFLY, broker

# Another worker takes up a job whose worker gave no sign of life for this many seconds.
WORKER_LOST_AFTER = float(variable("WORKER_LOST_AFTER", "20"))
# An attempt at a job may take this many seconds, and a process of a worker may hold this many megabytes of data.
JOB_TIME_LIMIT = float(variable("JOB_TIME_LIMIT", "10800"))
WORKER_MEMORY_LIMIT = int(variable("WORKER_MEMORY_LIMIT", "4096"))

CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = broker(variable("REDIS_URL"), DATA_DIR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_TASK_PUBLISH_RETRY_POLICY = BRIEFLY
CELERY_RESULT_BACKEND = "django-db"
CELERY_RESULT_EXPIRES = 24 * 3600
CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = True  # tasks are idempotent
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(variable("REDIS_URL"))  # on files its messages would only pile up
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds, "ignore_result": True}}
    for task, seconds in {
        "annotation.tasks.end_pauses": 60,
        "annotation.tasks.invite_seated": 60,
        "annotation.tasks.sweep": min(10.0, WORKER_LOST_AFTER),
        "annotation.tasks.forget_security_events": 6 * 3600,
        "annotation.tasks.forget_the_unconfirmed": 6 * 3600,
        "annotation.tasks.delete_expired": 6 * 3600,
        "annotation.tasks.beat_heart": 30,
        "annotation.tasks.mail_messages": 60,
        "annotation.tasks.remind_of_deadlines": 300,
        "annotation.tasks.remind_stopped": 3600,
        "annotation.tasks.invite_waiting": 60,
        "annotation.tasks.forget_waiting": 6 * 3600,
        "annotation.tasks.forget_unanswered_uploads": 6 * 3600,
        "scoring.tasks.screen_raters": 60,
        "scoring.tasks.emit_found": 60,
        "scoring.tasks.mail_notices": 60,
        "scoring.tasks.measure_projects": 3600,
        "scoring.tasks.send_digests": 600,
    }.items()
}
