"""How large the body of a request may be: decided by its address, before any of it is read."""

import re

from django.conf import settings

OF_STRANGERS = 1024**2  # bytes; their forms have a few fields
AROUND = 64 * 1024  # what a form adds to the file in it
UPLOADS = re.compile(
    r"/projects/(new/file|[^/]+/(import|import/corpus|judgments/import|practice|recruiting/addresses))/"
)


def most_bytes(path: str, *, known: bool) -> int:
    """Return how many bytes the body of a request to a path may have.

    Parameters: known, whether it comes from somebody who has signed in, or at least seems to.
    """
    if not known:
        return OF_STRANGERS
    largest = settings.UPLOAD_MAX_BYTES if UPLOADS.fullmatch(path) else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return largest + AROUND
