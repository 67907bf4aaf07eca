"""Scores and judgments of a release in the forms that other programs import.

They are made from the release's own files, which stay as they are; the same release always gives the same bytes.
"""

from scoring.exports.outgoing.contents import NEEDED
from scoring.exports.outgoing.registry import OUTGOING, Outgoing, records_of

__all__ = ["NEEDED", "OUTGOING", "Outgoing", "records_of"]
