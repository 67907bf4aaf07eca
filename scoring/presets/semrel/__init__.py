"""SemRel2024: pairs with scores from 0 to 1, in train, dev and test."""

from scoring.exports.publication import Publication
from scoring.forecasting.papers import SEMREL
from scoring.presets.semrel.files import export_semrel

PUBLICATION = Publication(paper="SemRel2024", write=export_semrel, always_split=True, printed=SEMREL)
