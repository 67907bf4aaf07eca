"""The numbers of best-worst scaling of single texts, each with its paper."""

from decimal import Decimal

from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="best_worst",
    title="Best-worst scaling of single texts",
    material=Material.TEXTS,
    question="Which of these texts is the best, and which is the worst?",
    scale=None,
    rounds=(
        Round(
            key="main",
            title="Comparing texts",
            design=BestWorstDesign(
                best="best",
                worst="worst",
                # Kiritchenko and Mohammad 2017, as SemRel2024 3.2 uses it: 4-tuples, about 2N of them.
                tuple_size=4,
                factor=Decimal(2),
                people=4,  # SemRel2024, table 3: two to four and more annotations a tuple
                grouped=False,
                open=True,
                tuples_a_person=100,  # no paper's; well under an hour of work
                lease_minutes=30,
                hard_to_say=False,
                check_share=Decimal("0.8"),
            ),
            sessions=(Context.FREE,),
        ),
    ),
)
