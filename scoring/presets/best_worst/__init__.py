"""Single texts with best-worst scores, of which Ruddit's are published data."""

from scoring.exports.publication import Publication
from scoring.forecasting.papers import Printed

PUBLICATION = Publication(
    task="text-classification",
    printed=Printed(
        source=(
            "Ruddit: split-half reliability 0.847 of its released judgments of comments, with six annotators per "
            "tuple (mean of 200 splits by tuple)"
        ),
        reliability=0.847,
        people=6,
        items=6000,
    ),
)
