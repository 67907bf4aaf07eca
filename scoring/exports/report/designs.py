"""What people did in a round, in words and with the project's own numbers; by the design of the round."""

from functools import singledispatch

from annotation.protocols.spec import (
    BestWorstDesign,
    CompleteDesign,
    Context,
    Material,
    Protocol,
    Round,
    SelectionDesign,
    SequenceDesign,
    StackDesign,
)
from scoring.figures.wording import counted, listed, number, share

SESSIONS = {Context.FREE: "without context", Context.DEPENDENT: "with context"}


def describe(protocol: Protocol, round_: Round) -> str:
    """The work of a round in two to five sentences."""
    parts = [_work(round_.design, protocol), _sessions(round_)]
    several = len(protocol.rounds) > 1
    begin = f"{round_.key} ({round_.title.lower()}): " if several else ""
    return begin + " ".join(part for part in parts if part)


def _sessions(round_: Round) -> str:
    names = [SESSIONS[context] for context in round_.sessions]
    if len(names) < 2:
        return ""
    text = f"They did so in {len(names)} sessions, first {', then '.join(names)}, the same screens in the same order."
    if not round_.pause_hours:
        return text
    hours = counted_hours(round_.pause_hours)
    how = "was enforced by the server" if round_.pause_enforced else "was recommended and measured, not enforced"
    return f"{text} A pause of {hours} between them {how}."


def counted_hours(hours: float) -> str:
    return f"{number(hours)} {'hour' if hours == 1 else 'hours'}"


@singledispatch
def _work(design: object, protocol: Protocol) -> str:
    raise TypeError(f"No words for {type(design).__name__}.")


@_work.register
def _(design: SelectionDesign, protocol: Protocol) -> str:
    roles = listed([f"{role.key} {_article(role.title)}" for role in design.roles])
    return (
        f"each person was given {counted(design.incidents, 'whole incident')} that nobody else was given. For every "
        f"sentence of the summary they chose {counted(len(design.roles), 'sentence')} of the reports ({roles}) "
        "and rated how similar each is to it."
    )


def _article(title: str) -> str:
    return f"the {title}" if title.startswith(("most", "least")) else title


@_work.register
def _(design: SequenceDesign, protocol: Protocol) -> str:
    roles = len(protocol.selection(protocol_round(protocol, design)).roles)
    validators = counted(design.validators, "other person", "other people")
    return (
        f"the selections of each person were validated by {validators}. Of the first "
        f"{counted(design.tuples, 'selection')} each validator rated one of the {roles} pairs, in the order of "
        f"{design.source}; the validators of a group never rated the same pair, and together rated all."
    )


@_work.register
def _(design: StackDesign, protocol: Protocol) -> str:
    roles = len(protocol.selection(protocol_round(protocol, design)).roles)
    text = (
        f"the selections of {counted(design.annotators, 'person', 'people')} were validated. The pairs of the first "
        f"{counted(design.tuples, 'selection')} of each were rated by stacks of {design.stack_size}, into which the "
        f"{design.stack_size * roles} validators were drawn at random."
    )
    if design.calibration:
        values = listed([number(float(value)) for value in design.calibration])
        pairs = counted(len(design.calibration), "calibration pair")
        text += f" Before them everybody rated {pairs}, of {values} in {design.source}."
    if design.intra:
        pairs = counted(design.intra, "pair")
        text += f" After them they rated {pairs} again that they had rated in {design.people_from}."
    return text


def protocol_round(protocol: Protocol, design: object) -> Round:
    return next(one for one in protocol.rounds if one.design is design)


@_work.register
def _(design: CompleteDesign, protocol: Protocol) -> str:
    several = len(design.pools) > 1
    pools = listed(
        [counted(pool.people, "rater") + (f" ({pool.title.lower()})" if several else "") for pool in design.pools]
    )
    order = "in an order of their own" if design.shuffled else "in the same order"
    text = f"Every pair was to be rated by {pools}; everybody rated all pairs, {order}."
    for pool in design.pools:
        if pool.contradictions_above is not None:
            text += (
                f" Who contradicted the known labels in more than {share(pool.contradictions_above)} of the answers "
                f"({pool.title.lower()}) was excluded and replaced."
            )
    return text


@_work.register
def _(design: BestWorstDesign, protocol: Protocol) -> str:
    things = "utterances" if protocol.material == Material.DIALOGUES else "pairs"
    if design.grouped:
        shown = f"all possible {design.tuple_size}-tuples of the utterances of a dialogue"
    else:
        for_each = f"{number(float(design.factor))} times as many as {things}"
        shown = f"{design.tuple_size}-tuples of {things}, {for_each},"
    people = counted(design.people, "person", "different people")
    text = (
        f"Best-worst scaling: people were shown {shown} and chose the one that is {design.best} and the one that is "
        f"{design.worst}. Every tuple was to be answered by {people}; the order of "
        "its items was drawn for everybody anew."
    )
    if design.tuples_a_person:
        text += f" One person answered at most {counted(design.tuples_a_person, 'tuple')}."
    if design.hard_to_say:
        text += " A choice could be marked as hard to say."
    scores = (
        "The score of an item is the share of its appearances in which it was chosen as best less that in which it was "
    )
    return f"{text} {scores}chosen as worst, also given on a scale from 0 to 1."
