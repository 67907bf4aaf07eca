"""Problems found in texts before annotation, and texts cleaned of those that the user agreed to (SemRel2024 3.3).

A row holds the texts of a file's row: one text, the two sentences of a pair, or the utterances of a dialogue. Finding
changes nothing; cleaning changes only the kinds that are named, and cleaning again changes nothing.
"""

from annotation.corpora.cleaning.balance import (
    Distribution,
    category_balance,
    length_balance,
    number_balance,
    overlap_balance,
)
from annotation.corpora.cleaning.expletives import ENGLISH_EXPLETIVES, expletive_share
from annotation.corpora.cleaning.kinds import CHANGED, DROPPED, REPORTED, Finding, Kind, Spot, visible
from annotation.corpora.cleaning.report import Report, Summary, report
from annotation.corpora.cleaning.rows import CleanRow, clean_rows, find_in_rows
from annotation.corpora.cleaning.texts import clean, find_in_text

__all__ = [
    "CHANGED",
    "DROPPED",
    "ENGLISH_EXPLETIVES",
    "REPORTED",
    "CleanRow",
    "Distribution",
    "Finding",
    "Kind",
    "Report",
    "Spot",
    "Summary",
    "category_balance",
    "clean",
    "clean_rows",
    "expletive_share",
    "find_in_rows",
    "find_in_text",
    "length_balance",
    "number_balance",
    "overlap_balance",
    "report",
    "visible",
]
