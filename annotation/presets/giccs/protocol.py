"""The numbers of GiCCS, from its description of the data annotation."""

from decimal import Decimal

from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material

PROTOCOL = Protocol(
    key="giccs",
    title="GiCCS: best-worst scaling inside a dialogue",
    material=Material.DIALOGUES,
    question="Which utterance is most similar in meaning to the last turn of the dialogue, and which is least similar?",
    scale=None,
    rounds=(
        Round(
            key="main",
            title="Comparing utterances",
            design=BestWorstDesign(
                best="most similar",  # data annotation: the most and the least similar to the last utterance
                worst="least similar",
                tuple_size=3,  # data annotation: 3-tuples
                factor=Decimal(2),  # data annotation: 2N = 10 distinct 3-tuples of the N = 5 utterances
                people=5,  # data annotation: five annotations for each 3-tuple
                grouped=True,
                open=True,
                tuples_a_person=50,  # the paper gives none; about half an hour of work
                lease_minutes=30,
                hard_to_say=False,
                check_share=Decimal("0.8"),
            ),
            sessions=(Context.FREE,),
        ),
    ),
)
