"""The numbers of DSCS, each with its section."""

from decimal import Decimal

from annotation.protocols.designs.common import Pool
from annotation.protocols.designs.rating import CompleteDesign
from annotation.protocols.scale import Scale, labels
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="dscs",
    title="DSCS: ratings by two pools",
    material=Material.PAIRS,
    question="To what extent are the two sentences similar?",
    scale=Scale(  # DSCS 4.1 and Fig. 5: 0 to 5, both ends labelled
        minimum=Decimal(0),
        maximum=Decimal(5),
        step=Decimal(1),
        labels=labels((0, "completely dissimilar"), (5, "completely similar")),
    ),
    rounds=(
        Round(
            key="main",
            title="Rating",
            design=CompleteDesign(
                pools=(
                    Pool("students", "Students", people=5),  # 4.1: five graduate students
                    # 4.1: ten unique responses; removed above 80 % of contradictions
                    Pool("crowd", "Crowd", people=10, contradictions_above=0.8),
                ),
                shuffled=True,
            ),
            sessions=(Context.FREE,),
        ),
    ),
)
