"""Imported pairs rated without context, then with it: the third round of Czech News, without the first two."""

from decimal import Decimal

from annotation.protocols.designs.rating import PairStackDesign
from annotation.protocols.scale import Scale, labels
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="two_contexts",
    title="Pairs rated without context, then with it",
    material=Material.PAIRS,
    question="How similar in meaning are the two sentences?",
    # Czech News 4.1: similarity on a scale of 0-6.
    scale=Scale(
        minimum=Decimal(0),
        maximum=Decimal(6),
        step=Decimal(1),
        labels=labels((0, "nothing in common"), (6, "the same meaning")),
    ),
    rounds=(
        Round(
            key="main",
            title="Rating in two contexts",
            design=PairStackDesign(
                ratings=9,  # Czech News 4.2.2: stacks of nine
                items_a_person=50,  # 4.2.2, main block
                calibration=tuple(map(Decimal, (0, 3, 6, 0, 3, 6))),  # 4.2.2, R3_C
                intra=5,  # 4.2.2, R3_IA; there of an earlier round, here of the main block
            ),
            sessions=(Context.FREE, Context.DEPENDENT),
            pause_hours=72.0,  # 4.2.2: forced by the interface
            pause_enforced=True,
        ),
    ),
)
