"""Settings from the environment. With none set: the embedded mode, SQLite and a broker of files in `var/`."""

from pathlib import Path

from environ import Env

from config.settings.parts import BRIEFLY, broker, database, hosts, origin, stored_secret

env = Env()


def given(name: str, default: str = "") -> str:
    """A variable of the environment; one that is set to nothing counts as not set."""
    return env.str(name, default="") or default


BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(given("DATA_DIR", str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = given("SECRET_KEY") or stored_secret(DATA_DIR / "secret_key")

# The address that people type. Everything about hosts, cookies and https follows from it.
PUBLIC_URL = given("PUBLIC_URL", "http://localhost:8000").rstrip("/")
HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = [*hosts(PUBLIC_URL), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = origin(PUBLIC_URL)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SESSION_COOKIE_AGE = 30 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "scoring.apps.ScoringConfig",
    "annotation.apps.AnnotationConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "template_partials",
    "django_celery_results",
    "csp",
    "rest_framework",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
    "annotation.middleware.TimeZoneMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,  # template_partials puts its loader in front, with cached loaders behind it
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": database(given("DATABASE_URL"), DATA_DIR / "semblance.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# One web process, so a cache in its memory is shared by all of it.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

LANGUAGE_CODE = "en"
TIME_ZONE = given("TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
MEDIA_ROOT = DATA_DIR / "files"
UPLOAD_MAX_BYTES = 200 * 1024 * 1024  # a file that somebody brings in; forms and API check it
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024  # a form without its files
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
FILE_UPLOAD_PERMISSIONS = 0o640

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if given("EMAIL_URL") else "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Semblance: "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_SESSION_REMEMBER = True
ALLAUTH_TRUSTED_PROXY_COUNT = int(given("TRUSTED_PROXIES", "0"))
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Semblance"

DEFAULT_FROM_EMAIL = SERVER_EMAIL = given("DEFAULT_FROM_EMAIL", "Semblance <semblance@localhost>")
EMAIL_TIMEOUT = 10
if given("EMAIL_URL"):
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
}

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
        "annotation.tasks.beat_heart": 30,
        "scoring.tasks.screen_raters": 60,
    }.items()
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": given("LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        "celery": {"level": "WARNING"},
        "celery.app.trace": {"level": "ERROR"},
    },
}
