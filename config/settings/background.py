"""Work in the background: Celery, its broker, and what is done at which interval."""

from config.settings.environment import DATA_DIR, given
from config.settings.parts import BRIEFLY, broker

# A step of a job whose worker gave no sign for so many seconds is begun again.
WORKER_LOST_AFTER = float(given("WORKER_LOST_AFTER", "20"))

CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = broker(given("REDIS_URL"), DATA_DIR / "broker")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker as long as it takes
CELERY_TASK_PUBLISH_RETRY_POLICY = BRIEFLY
CELERY_RESULT_BACKEND = "django-db"
CELERY_RESULT_EXPIRES = 24 * 3600
CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = True  # tasks are idempotent
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(given("REDIS_URL"))  # on files its messages would only pile up
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds, "ignore_result": True}}
    for task, seconds in {
        "annotation.tasks.end_pauses": 60,
        "annotation.tasks.invite_seated": 60,
        "annotation.tasks.start_waiting_imports": 30,
        "annotation.tasks.start_waiting_plans": 30,
        "annotation.tasks.send_circulars": 60,
        "annotation.tasks.send_mailings": 60,
        "annotation.tasks.pay_bonuses": 60,
        "annotation.tasks.forget_the_unconfirmed": 6 * 3600,
        "annotation.tasks.beat_heart": 30,
        "annotation.tasks.mail_messages": 60,
        "annotation.tasks.remind_of_deadlines": 300,
        "scoring.tasks.screen_raters": 60,
        "scoring.tasks.go_on_with_runs": min(10.0, WORKER_LOST_AFTER),
        "scoring.tasks.draw_what_is_left": max(20.0, WORKER_LOST_AFTER),
        "scoring.tasks.go_on_with_releases": min(10.0, WORKER_LOST_AFTER),
        "scoring.tasks.go_on_with_rehearsals": max(20.0, WORKER_LOST_AFTER),
        "scoring.tasks.tell_finished_rounds": 60,
        "scoring.tasks.send_deliveries": 15,
    }.items()
}
