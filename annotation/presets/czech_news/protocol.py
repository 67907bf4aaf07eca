"""The numbers of Czech News, each with its section."""

from decimal import Decimal

from annotation.protocols.designs.news import SelectionDesign, SequenceDesign, StackDesign
from annotation.protocols.scale import Scale, labels
from annotation.protocols.spec import Protocol, Round
from annotation.protocols.terms import Context, Material, Role

PROTOCOL = Protocol(
    key="czech_news",
    title="Czech News: selection and validation",
    material=Material.INCIDENTS,
    question="How similar in meaning are the two sentences?",
    # Czech News 4.1: a slide bar, similarity on a scale of 0-6.
    scale=Scale(
        minimum=Decimal(0),
        maximum=Decimal(6),
        step=Decimal(1),
        labels=labels((0, "nothing in common"), (6, "the same meaning")),
    ),
    rounds=(
        Round(
            key="R1",
            title="Selection",
            design=SelectionDesign(
                incidents=6,  # Fig. 1: one annotator processed six full incidents, without overlap
                context_sentences=2,  # section 8: a limited surrounding context; the paper gives no number
                roles=(  # Fig. 1 and 5.2: green 6, orange 3, red 0
                    Role("A", "most similar", "green", Decimal(6)),
                    Role("B", "in between", "orange", Decimal(3)),
                    Role("C", "least similar", "red", Decimal(0)),
                ),
                marks_inflected_forms=True,  # ours: 4.1 does not say whether other forms were highlighted
            ),
            sessions=(Context.DEPENDENT,),
        ),
        Round(
            key="R2",
            title="Exploration",
            # 4.2: three validators an annotator, the first 30 (S, A, B, C) tuples; 4.2.1 has an overlapping block, but
            # gives no number for it
            design=SequenceDesign(source="R1", tuples=30, validators=3, overlap=0),
            sessions=(Context.FREE, Context.DEPENDENT),
            pause_hours=72.0,  # Fig. 4c: recommended, not enforced
            pause_enforced=False,
        ),
        Round(
            key="R3",
            title="Validation",
            design=StackDesign(
                source="R1",
                people_from="R2",  # footnote 1: the same group as in the exploratory phase
                annotators=8,  # 4.2.2, main block: eight annotators, 1200 pairs
                tuples=50,  # 4.2.2, main block
                stack_size=9,  # 4.2.2: nine groups of three, 27 validators
                calibration=tuple(map(Decimal, (0, 3, 6, 0, 3, 6))),  # 4.2.2, R3_C
                intra=5,  # 4.2.2, R3_IA
                refill_from_start=True,  # 4.2.2: the validators of both phases are the same
            ),
            sessions=(Context.FREE, Context.DEPENDENT),
            pause_hours=72.0,  # 4.2.2: forced by the interface
            pause_enforced=True,
        ),
    ),
)
