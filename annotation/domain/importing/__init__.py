"""Files into items and judgments: all of a file, or nothing and the list of what is wrong with it."""

from annotation.domain.importing.handling import Handling, Imported, Invalid, Repeated
from annotation.domain.importing.items import import_cleaned, import_items, look_through
from annotation.domain.importing.judgments import import_judgments
from annotation.domain.importing.rows import FileRefused, Problem

__all__ = [
    "FileRefused",
    "Handling",
    "Imported",
    "Invalid",
    "Problem",
    "Repeated",
    "import_cleaned",
    "import_items",
    "import_judgments",
    "look_through",
]
