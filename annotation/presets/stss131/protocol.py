"""The numbers of STSS-131."""

from decimal import Decimal

from annotation.protocols.designs.common import Pool
from annotation.protocols.designs.rating import CompleteDesign
from annotation.protocols.scale import Scale, labels
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="stss131",
    title="STSS-131: ratings of sentence pairs",
    material=Material.PAIRS,
    question="How similar in meaning are the two texts?",
    scale=Scale(  # STSS-131, table 1: a rating scale from 0.00 to 4.00
        minimum=Decimal(0),
        maximum=Decimal(4),
        step=Decimal("0.1"),
        labels=labels(
            (0, "unrelated"),
            (1, "vaguely similar"),
            (2, "very much alike"),
            (3, "strongly related"),
            (4, "identical"),
        ),
    ),
    rounds=(
        Round(
            key="main",
            title="Rating",
            # The extract prints no number of raters; STSS-65, whose method it follows, had 32.
            design=CompleteDesign(pools=(Pool("raters", "Raters", people=32),), shuffled=True),
            sessions=(Context.FREE,),
        ),
    ),
)
