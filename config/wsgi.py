import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.template.loader import get_template

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.base")

application = get_wsgi_application()
if "requests" not in sys.modules:  # REST framework loads it, 4 MB of memory, only for a client that tests use
    sys.modules["requests"] = None
    import_module("rest_framework.compat")
    del sys.modules["requests"]
import_module(settings.ROOT_URLCONF)  # before gunicorn forks, and not while the first person waits
for page in (settings.BASE_DIR / "templates" / "work").glob("*.html"):  # processes share what every annotator sees
    get_template(f"work/{page.name}")
