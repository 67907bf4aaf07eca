"""Settings from the environment. With none set: the embedded mode, SQLite and a broker of files in `var/`."""

from datetime import timedelta
from decimal import Decimal

from config.operation.logs import logging_settings
from config.settings.background import *
from config.settings.environment import BASE_DIR, DATA_DIR, env, variable
from config.settings.parts import database, hosts, origin, rate, storage, stored_secret
from config.version import read_version

# The version that pages, figures and files name; a deployment may add its commit.
CODE_VERSION = read_version(variable("CODE_COMMIT"))

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = variable("SECRET_KEY") or stored_secret(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])  # keys of before, until `reencrypt` has run

# The code with which the first administrator signs up; by default from the secret key.
SETUP_CODE = variable("SETUP_CODE")

# The address that people type. Everything about hosts, cookies and https follows from it.
PUBLIC_URL = variable("PUBLIC_URL", "http://localhost:8000").rstrip("/")
HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = [*hosts(PUBLIC_URL), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = origin(PUBLIC_URL)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=False)  # for the owner of the name to say
# Browsers take cookies with this prefix from this host alone, and only over https.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
MESSAGE_STORAGE = "annotation.cookies.MessageStorage"
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 30 * 24 * 3600
# Hours without use after which a session ends; 0: only its age counts.
SESSION_IDLE_AGE = timedelta(hours=float(variable("SESSION_IDLE_HOURS", "0")))
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"

# Single sign-on by OpenID Connect: where OIDC_URL, the issuer, is set. OIDC_ONLY switches passwords off.
OIDC_URL = variable("OIDC_URL").rstrip("/")
OIDC_NAME = variable("OIDC_NAME", "single sign-on")
OIDC_CLIENT_ID, OIDC_CLIENT_SECRET = variable("OIDC_CLIENT_ID"), variable("OIDC_CLIENT_SECRET")
OIDC_GROUPS_CLAIM = variable("OIDC_GROUPS_CLAIM", "groups")
OIDC_ADMIN_GROUP, OIDC_PROJECTS_GROUP = variable("OIDC_ADMIN_GROUP"), variable("OIDC_PROJECTS_GROUP")
OIDC_SCOPES = variable("OIDC_SCOPES", "openid email").split()
# Whether addresses count as confirmed without the claim `email_verified`, which some providers do not send.
OIDC_TRUST_EMAIL = env.bool("OIDC_TRUST_EMAIL", default=False)
OIDC_ONLY = bool(OIDC_URL) and env.bool("OIDC_ONLY", default=False)
OIDC_SESSION_AGE = 12 * 3600  # seconds; then the provider's groups and locked accounts count again

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        # Browsers also check where a form is redirected to, as the one of single sign-on.
        "form-action": ["'self'", *origin(OIDC_URL)],
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
    "config.apps.CollectedFilesConfig",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    # Its tables are always there: an account can be erased after single sign-on was switched off.
    "allauth.socialaccount",
    *(["annotation.single_sign_on"] if OIDC_URL else []),
    "django_htmx",
    "template_partials",
    "django_celery_results",
    "csp",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "config.operation.requests.RequestMiddleware",
    "config.serving.middleware.EncryptedApiMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.compression.PageCompressionMiddleware",
    "annotation.middleware.PrivatePagesMiddleware",
    "annotation.cookies.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotation.middleware.NulMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.serving.middleware.BodyLimitMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.serving.policy.PolicyMiddleware",
    "annotation.security.SecurityLogMiddleware",
    "annotation.middleware.LanguageMiddleware",
    "annotation.middleware.TimeZoneMiddleware",
    "annotation.middleware.SecondFactorMiddleware",
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
                "annotation.views.words.words",
                "annotation.views.words.email",
            ],
        },
    },
]

DATABASES = {"default": database(variable("DATABASE_URL"), DATA_DIR / "semblance.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# One web process, so a cache in its memory is shared by all of it.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # Rate limits and used codes are stored here: strangers must not be able to push them out.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("cs", "Čeština"), ("de", "Deutsch"), ("es", "Español"), ("ar", "العربية")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "annotation" / "account_texts"]
TIME_ZONE = variable("TIME_ZONE", "UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False  # our pages alone use them, and a header in each response costs bytes
STATICFILES_DIRS = [BASE_DIR / "static", ("help", BASE_DIR / "docs" / "pictures")]
STORAGES = {
    "default": storage(variable("STORAGE_URL")),
    "staticfiles": {"BACKEND": "config.storage.EmbeddedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
MEDIA_ROOT = DATA_DIR / "files"
UPLOAD_MAX_BYTES = 200 * 1024 * 1024  # a file that somebody imports; forms and API check it
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024  # a form without its files
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    # The 20,000 most frequent ones of data breaches.
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "annotation.passwords.StrengthValidator"},
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_ADAPTER = "annotation.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "annotation.forms.account.SignupForm",
    "change_password": "annotation.forms.account.ChangePasswordForm",
    "reset_password_from_key": "annotation.forms.account.ResetPasswordForm",
}
ACCOUNT_EMAIL_NOTIFICATIONS = True  # of every change to an account
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_RATE_LIMITS = {"login_elsewhere": "300/h/key"}  # failed sign-ins to one account from all unknown browsers
# Without emails nobody could confirm an address, so nobody may add one that may be somebody else's.
ACCOUNT_MAX_EMAIL_ADDRESSES = None if variable("EMAIL_URL") else 1
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if variable("EMAIL_URL") else "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Semblance: "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SESSION_COOKIE_AGE = timedelta(seconds=SESSION_COOKIE_AGE)  # counted from signing in, as a number would not be
ALLAUTH_TRUSTED_PROXY_COUNT = int(variable("TRUSTED_PROXIES", "0"))
# Whether administrators, and all who own or manage a project, need a second factor.
REQUIRE_SECOND_FACTOR = env.bool("REQUIRE_SECOND_FACTOR", default=False)
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = not OIDC_ONLY
MFA_FORMS = {"activate_totp": "annotation.forms.account.ActivateTOTPForm"}
MFA_ADAPTER = "annotation.second_factors.SecondFactors"
MFA_TOTP_ISSUER = "Semblance"
MFA_ALLOW_UNVERIFIED_EMAIL = not variable("EMAIL_URL")  # if no address can be confirmed
if OIDC_URL:
    SOCIALACCOUNT_ADAPTER = "annotation.single_sign_on.adapter.SingleSignOn"
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "APPS": [
                {
                    "provider_id": "sso",
                    "name": OIDC_NAME,
                    "client_id": OIDC_CLIENT_ID,
                    "secret": OIDC_CLIENT_SECRET,
                    "settings": {
                        "server_url": OIDC_URL,
                        "scope": OIDC_SCOPES,
                        "oauth_pkce_enabled": True,
                        "verified_email": OIDC_TRUST_EMAIL,
                    },
                }
            ]
        }
    }

DEFAULT_FROM_EMAIL = SERVER_EMAIL = variable("DEFAULT_FROM_EMAIL", "Semblance <semblance@localhost>")
EMAIL_TIMEOUT = 10
if variable("EMAIL_URL"):
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.parsing.JsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated", "annotation.api.access.WithinScope"],
    "DEFAULT_THROTTLE_CLASSES": ["annotation.api.throttling.OfToken", "annotation.api.throttling.OfStranger"],
    "DEFAULT_THROTTLE_RATES": {
        "token": variable("API_RATE", "1200/min"),
        "stranger": variable("API_STRANGER_RATE", "600/min"),
    },
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "DEFAULT_SCHEMA_CLASS": "annotation.api.schema.Described",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "annotation.api.problems.answer_problem",
    "URL_FORMAT_OVERRIDE": None,
}
KNOX_TOKEN_MODEL = "annotation.ApiToken"
MIGRATION_MODULES = {"knox": None}  # its own table of tokens is not used
SPECTACULAR_SETTINGS = {
    "TITLE": "Semblance",
    "DESCRIPTION": "Judgments, scores, reliability statistics and releases for the researchers of a project.",
    "VERSION": CODE_VERSION,
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "SORT_OPERATIONS": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "persistAuthorization": False},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.api.schema.add_problems",
    ],
    "ENUM_NAME_OVERRIDES": {
        "WorkState": "scoring.models.State",
        "ParticipationState": "annotation.models.State",
    },
}

# How many people may take a place from one internet address: by one link or study, and by all of them together.
JOIN_RATE = rate(variable("JOIN_RATE", "120/hour"))
JOIN_RATE_OF_ADDRESS = rate(variable("JOIN_RATE_OF_ADDRESS", "360/hour"))

# Crowd platforms: where people go back to, who may be asked to pay, and who may show the page that is made for frames.
PROLIFIC_URL = "https://app.prolific.com"
PROLIFIC_API_URL = variable("PROLIFIC_API_URL", "https://api.prolific.com").rstrip("/")
# The most that a project can pay from here, in the currency of the study.
BONUS_MOST_PER_PERSON = Decimal(variable("BONUS_MOST_PER_PERSON", "100"))
BONUS_MOST_PER_STUDY = Decimal(variable("BONUS_MOST_PER_STUDY", "5000"))
# Studies that pay less are not published from here, in the currency of the account at Prolific.
MINIMUM_HOURLY_PAY = Decimal(variable("MINIMUM_HOURLY_PAY", "8"))
MTURK_API_URL = variable("MTURK_API_URL").rstrip("/")  # empty for that of Amazon, or of its sandbox
MTURK_SUBMITS_TO = ["https://www.mturk.com", "https://workersandbox.mturk.com"]
MTURK_SITES = [
    *MTURK_SUBMITS_TO,
    "https://worker.mturk.com",
    "https://requester.mturk.com",
    "https://requestersandbox.mturk.com",
]

# Whether webhooks may lead to machines of the own network, and without https.
WEBHOOKS_TO_PRIVATE_ADDRESSES = env.bool("WEBHOOKS_TO_PRIVATE_ADDRESSES", default=False)
# The same for the servers of models that answer as annotators, such as one on this machine.
MODELS_AT_PRIVATE_ADDRESSES = env.bool("MODELS_AT_PRIVATE_ADDRESSES", default=False)

# Where releases are uploaded to, and whether that may be in the private network, and without https.
DATA_ARCHIVES = {
    "huggingface": variable("HUGGINGFACE_URL", "https://huggingface.co").rstrip("/"),
    "zenodo": variable("ZENODO_URL", "https://zenodo.org").rstrip("/"),
    "zenodo-sandbox": variable("ZENODO_SANDBOX_URL", "https://sandbox.zenodo.org").rstrip("/"),
}
ARCHIVES_AT_PRIVATE_ADDRESSES = env.bool("ARCHIVES_AT_PRIVATE_ADDRESSES", default=False)

# The hosts to which webhooks, models and uploads may lead; `.example.org` also stands for all below. Empty: any.
OUTGOING_HOSTS = [host.strip().lower() for host in env.list("OUTGOING_HOSTS", default=[])]

# Whom to tell of a weakness: an e-mail address, or an address of a page. Published as /.well-known/security.txt.
SECURITY_CONTACT = variable("SECURITY_CONTACT")

# For whoever watches the installation: details of its health, and metrics.
MONITOR_TOKEN = variable("MONITOR_TOKEN")

# Whether entries of the security log, with accounts and addresses, are also in the server log, to be forwarded with it.
FORWARD_SECURITY_LOG = env.bool("FORWARD_SECURITY_LOG", default=False)
LOGGING = logging_settings(variable("LOG_LEVEL", "INFO"))
