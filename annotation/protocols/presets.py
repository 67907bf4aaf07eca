"""The presets: the numbers of the published protocols, each with its paper and section."""

from decimal import Decimal

from annotation.protocols.errors import ProtocolError
from annotation.protocols.scale import Label, Scale
from annotation.protocols.spec import (
    BestWorstDesign,
    CompleteDesign,
    Context,
    Material,
    Pool,
    Protocol,
    Role,
    Round,
    SelectionDesign,
    SequenceDesign,
    StackDesign,
)

FREE_THEN_DEPENDENT = (Context.FREE, Context.DEPENDENT)


def labels(*texts: tuple[int, str]) -> tuple[Label, ...]:
    return tuple(Label(Decimal(value), text) for value, text in texts)


CZECH_NEWS = Protocol(
    key="czech_news",
    title="Czech News: selection, validation, stacks of nine",
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
            ),
            sessions=(Context.DEPENDENT,),
        ),
        Round(
            key="R2",
            title="Exploration",
            # 4.2: three validators an annotator, the first 30 (S, A, B, C) tuples
            design=SequenceDesign(source="R1", tuples=30, validators=3),
            sessions=FREE_THEN_DEPENDENT,
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
            ),
            sessions=FREE_THEN_DEPENDENT,
            pause_hours=72.0,  # 4.2.2: forced by the interface
            pause_enforced=True,
        ),
    ),
)

STSS131 = Protocol(
    key="stss131",
    title="STSS-131: ratings from 0.0 to 4.0",
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

DSCS = Protocol(
    key="dscs",
    title="DSCS: two pools of raters, 0 to 5",
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

SEMREL = Protocol(
    key="semrel",
    title="SemRel: best-worst scaling of sentence pairs",
    material=Material.PAIRS,
    question="In which pair are the two texts the most closely related in meaning, and in which the least?",
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

GICCS = Protocol(
    key="giccs",
    title="GiCCS: best-worst scaling inside a dialogue",
    material=Material.DIALOGUES,
    question="Which utterance is the most similar in meaning to the last turn of the dialogue, and which the least?",
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

PRESETS = {preset.key: preset for preset in (CZECH_NEWS, SEMREL, GICCS, DSCS, STSS131)}


def preset(key: str) -> Protocol:
    """The preset of that name.

    Raises:
        ProtocolError: there is none; the message lists those there are.
    """
    try:
        return PRESETS[key]
    except KeyError:
        raise ProtocolError(f"There is no preset “{key}”. The presets: {', '.join(PRESETS)}.") from None
