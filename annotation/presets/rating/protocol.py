"""Ratings of pairs on any scale: the numbers are ours, and every project sets its own."""

from decimal import Decimal

from annotation.protocols.designs.rating import IncompleteDesign
from annotation.protocols.scale import Scale, labels
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="rating",
    title="Ratings of pairs",
    material=Material.PAIRS,
    question="How similar in meaning are the two texts?",
    scale=Scale(
        minimum=Decimal(0),
        maximum=Decimal(4),
        step=Decimal(1),
        labels=labels((0, "different meanings"), (4, "the same meaning")),
    ),
    rounds=(
        Round(
            key="main",
            title="Rating",
            design=IncompleteDesign(ratings=5, items_a_person=100),
            sessions=(Context.FREE,),
        ),
    ),
)
