"""How static files are named in production."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleAwareStorage(CompressedManifestStaticFilesStorage):
    """Names every file by its content, also those that our JavaScript modules import from each other."""

    support_js_module_import_aggregation = True
