"""GiCCS: utterances with their dialogues and scores."""

from scoring.exports.publication import DataFile, Publication
from scoring.forecasting.papers import Printed
from scoring.presets.giccs.files import export_giccs

PUBLICATION = Publication(
    paper="GiCCS",
    write=export_giccs,
    files=(DataFile("giccs.csv"),),
    printed=Printed(
        source="GiCCS: split-half reliability 0.975 with five annotators per tuple (BAS SmartKom, 3-turn)",
        reliability=0.975,
        people=5,
        items=90,
    ),
)
