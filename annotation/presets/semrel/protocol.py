"""The numbers of SemRel2024, each with its section."""

from decimal import Decimal

from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="semrel",
    title="SemRel: best-worst scaling of sentence pairs",
    material=Material.PAIRS,
    question="In which pair are the two texts most closely related in meaning, and in which the least?",
    scale=None,
    rounds=(
        Round(
            key="main",
            title="Comparing pairs",
            design=BestWorstDesign(
                best="most related",  # 3.2: the pair that is most related, and the one that is least
                worst="least related",
                tuple_size=4,  # 3.2: 4-tuples
                factor=Decimal(2),  # 3.2: reliable scores from about 2N comparisons
                people=4,  # Table 3: two to four and more annotations a tuple
                grouped=False,
                open=True,
                tuples_a_person=100,  # the paper gives none; about an hour of work
                lease_minutes=30,
                hard_to_say=False,
                check_share=Decimal("0.8"),
            ),
            sessions=(Context.FREE,),
        ),
    ),
)
