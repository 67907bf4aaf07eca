"""Files into items and judgments: all of a file, or nothing and the list of what is wrong with it."""

from annotation.domain.material.items import import_cleaned, import_items, look_through
from annotation.domain.material.judgments import import_judgments
from annotation.domain.material.policy import Imported, ImportPolicy, Invalid, Repeated
from annotation.domain.material.rows import FileRefused, Problem

__all__ = [
    "FileRefused",
    "ImportPolicy",
    "Imported",
    "Invalid",
    "Problem",
    "Repeated",
    "import_cleaned",
    "import_items",
    "import_judgments",
    "look_through",
]
