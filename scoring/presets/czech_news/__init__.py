"""Czech News: training pairs as selected, and test pairs with the ratings of their stacks (section 8)."""

from scoring.exports.context_tests import CONTEXT_FILES
from scoring.exports.publication import DataFile, Publication
from scoring.forecasting.papers import CZECH_NEWS
from scoring.presets.czech_news.files import export_czech_news

TRAIN = ("sentence1", "sentence2", "value")

PUBLICATION = Publication(
    paper="the Czech News Dataset for Semantic Textual Similarity",
    decimals=4,
    write=export_czech_news,
    files=(*CONTEXT_FILES, *(DataFile(f"train-{part}.tsv", "train", TRAIN) for part in ("N1", "N2", "RAW"))),
    printed=CZECH_NEWS,
)
