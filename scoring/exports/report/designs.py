"""Descriptions of a round in words: the plan of its design with the project's numbers, and what was collected."""

from collections.abc import Iterator
from functools import singledispatch

from annotation.protocols.spec import (
    BestWorstDesign,
    CompleteDesign,
    IncompleteDesign,
    PairStackDesign,
    PartialDesign,
    Protocol,
    Round,
    SelectionDesign,
    SequenceDesign,
    StackDesign,
)
from scoring.exports.collected import CONTEXTS, Amount, Collected
from scoring.figures.wording import counted, listed, number, share

# A new place copies the screens that are missing; what is repeated tells something of one person only.
_NOT_AGAIN = "; people who replace somebody do not."


def describe(protocol: Protocol, round_: Round, collected: Collected | None = None) -> str:
    """Return the plan of a round in two to five sentences, and what was collected if that is known."""
    several = len(protocol.rounds) > 1
    begin = f"{round_.key} ({round_.title.lower()}): " if several else ""
    return begin + work_of(protocol, round_, collected)


def work_of(protocol: Protocol, round_: Round, collected: Collected | None = None) -> str:
    """Return the description of a round without its name.

    The plan is told in the present tense, as a rule: only the counted numbers of `collected` say what was done.
    """
    parts = [_work(round_.design, protocol), _sessions(round_)]
    if collected is not None:
        parts += [_carried_out(round_, collected, protocol)]
    return " ".join(part for part in parts if part)


def _carried_out(round_: Round, collected: Collected, protocol: Protocol) -> str:
    """Return the numbers of what was collected, and whether they are those of the plan."""
    kind = "selections" if round_.design.selects else "choices" if round_.design.compares else "ratings"
    parts = list(_facts(round_, collected, protocol.material.noun))
    if not parts:
        return f"There are no {kind} that count yet." if collected.planned else "This round was not planned."
    facts = "; ".join(parts)
    if collected.imported:
        return f"The {kind} were imported and not collected by this plan: {facts}."
    if collected.as_wanted:
        return f"This plan was carried out: {facts}."
    if not collected.wanted:
        return f"In all, {facts}."
    wanted = round_.design.answers_each if round_.design.complete else collected.places
    places = f"{counted(collected.places, 'place')} were planned; " if collected.places != wanted else ""
    return f"In fact, {places}{facts}."


def _facts(round_: Round, collected: Collected, noun: str) -> Iterator[str]:
    if round_.design.selects:
        if collected.sentences:
            each = _between(*collected.incidents)
            yield (
                f"{counted(collected.people, 'person', 'people')} made selections for "
                f"{counted(collected.sentences, 'sentence')}, of {each} incidents each"
            )
        return
    if round_.design.compares and collected.things:
        yield f"there are {counted(collected.things, 'tuple')} of {counted(collected.items, noun)}"
        noun = "tuple"
    if collected.withdrawn:
        verb = "was" if collected.withdrawn == 1 else "were"
        yield f"{counted(collected.withdrawn, 'tuple')} {verb} withdrawn with an item"
    for amount in collected.amounts:
        yield _amount(amount, noun, "choice" if round_.design.compares else "rating")
        if missing := max(collected.things - amount.things, 0):
            yield f"{counted(missing, noun)} {'has' if missing == 1 else 'have'} none"
    for name in collected.empty:
        yield f"{name}: none that count"
    if collected.repeated:
        verb = "counts" if collected.repeated == 1 else "count"
        yield f"{counted(collected.repeated, 'further rating')} of repeated pairs {verb}"


def _amount(amount: Amount, noun: str, kind: str) -> str:
    where = f"{amount.name}: " if amount.name else ""
    fewest, median, most = amount.each
    each = _between(fewest, most) + (f" (median {number(median, 1)})" if fewest < most else "")
    things = f"{'each of ' if amount.things > 1 else ''}{counted(amount.things, noun)}"
    verb = "count" if amount.judgments > 1 else "counts"
    given = f"{counted(amount.judgments, kind)} that {verb}, {each} of {things}"
    if amount.people is None or amount.person is None:
        return f"{where}there are {given}, by people of whom some are unknown"
    people = counted(amount.people, "person", "people")
    a_person = f", {_between(*amount.person)} by each person" if amount.people > 1 else ""
    return f"{where}{people} gave {given}{a_person}"


def _between(fewest: int, most: int) -> str:
    return f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"


def _sessions(round_: Round) -> str:
    names = [CONTEXTS[context] for context in round_.sessions]
    if len(names) < 2:
        return ""
    text = f"This is done in {len(names)} sessions, first {', then '.join(names)}, the same screens in the same order."
    if not round_.pause_hours:
        return text
    hours = counted_hours(round_.pause_hours)
    how = "is enforced by the server" if round_.pause_enforced else "is recommended and measured, not enforced"
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
        f"By the protocol, each person is given {counted(design.incidents, 'whole incident')} that nobody else is "
        f"given. For every sentence of the summary they choose {counted(len(design.roles), 'sentence')} of the reports "
        f"({roles}) and rate how similar each is to it."
    )


def _article(title: str) -> str:
    return f"the {title}" if title.startswith(("most", "least")) else title


@_work.register
def _(design: SequenceDesign, protocol: Protocol) -> str:
    roles = len(protocol.selection(protocol_round(protocol, design)).roles)
    validators = counted(design.validators, "other person", "other people")
    together = "together rate all" if design.overlap else "never rate the same pair, and together rate all"
    text = (
        f"By the protocol, the selections of each person are validated by {validators}. Of the first "
        f"{counted(design.tuples, 'selection')} each validator rates one of the {roles} pairs, in the order of "
        f"{design.source}; the {roles} validators of a group {together}."
    )
    if design.overlap:
        overlap = f"{design.overlap:,} of these selections, drawn at random"
        text += f" In {overlap}, each pair is then rated by a second validator of the group too."
    return text


@_work.register
def _(design: StackDesign, protocol: Protocol) -> str:
    roles = len(protocol.selection(protocol_round(protocol, design)).roles)
    text = (
        f"By the protocol, the selections of {counted(design.annotators, 'person', 'people')} are validated. The pairs "
        f"of the first {counted(design.tuples, 'selection')} of each are rated by stacks of {design.stack_size}, into "
        f"which {design.stack_size * roles} validators are drawn at random."
    )
    if design.calibration:
        values = listed([number(float(value)) for value in design.calibration])
        pairs = counted(len(design.calibration), "calibration pair")
        text += f" Before them everybody rates {pairs}, of {values} in {design.source}."
    if design.intra:
        pairs = counted(design.intra, "pair")
        text += f" After them they rate {pairs} again, if they rated that many in {design.people_from}{_NOT_AGAIN}"
    if design.refill_from_start:
        text += (
            " If somebody leaves, the pairs that they have not rated in every session go to another person, who rates "
            "them in all sessions; only that person’s ratings of them count."
        )
    return text


def protocol_round(protocol: Protocol, design: object) -> Round:
    return next(one for one in protocol.rounds if one.design is design)


@_work.register
def _(design: CompleteDesign, protocol: Protocol) -> str:
    several = len(design.pools) > 1
    pools = listed(
        [counted(pool.people, "rater") + (f" ({pool.title.lower()})" if several else "") for pool in design.pools]
    )
    order = "in an order drawn for each person" if design.shuffled else "in the same order"
    text = f"By the protocol, every pair is rated by {pools}"
    text += f".{_from_pool(design, 'pair')}" if design.open else f"; everybody rates all pairs, {order}."
    for pool in design.pools:
        if pool.contradictions_above is not None:
            text += (
                f" Raters ({pool.title.lower()}) are excluded and replaced if more than "
                f"{share(pool.contradictions_above)} of their answers contradict the known labels. This is checked "
                "when they finish, and when they leave after at least "
                f"{counted(pool.screening_minimum, 'answer')} to pairs with a known label."
            )
    return text


def _from_pool(design: CompleteDesign | PartialDesign, noun: str) -> str:
    """Return how people take items from the common pool of an open round, beginning with a space."""
    several = " of their group" if len(design.rater_pools) > 1 else ""
    most = (
        f"at most {counted(design.items_a_person, noun)}" if design.items_a_person else f"as many {noun}s as they like"
    )
    return (
        f" People take {noun}s from a common pool{several}, first the {noun} with the fewest ratings, and never the "
        f"same {noun} twice; one person rates {most}."
    )


@_work.register
def _(design: IncompleteDesign, protocol: Protocol) -> str:
    return _shared_out(design, protocol)


def _shared_out(design: PartialDesign, protocol: Protocol) -> str:
    """Return by how many people each item is rated, and how many items one person rates."""
    people = counted(design.ratings, "person", "different people")
    noun = protocol.material.noun
    if design.open:
        return f"By the protocol, every {noun} is rated by {people}.{_from_pool(design, noun)}"
    most = ""
    if design.items_a_person:
        most = f" One person rates at most {counted(design.items_a_person, noun)}, or more if fewer places are planned."
    return (
        f"By the protocol, every {noun} is rated by {people}; which {noun}s and in which order is drawn for each "
        f"person.{most}"
    )


@_work.register
def _(design: PairStackDesign, protocol: Protocol) -> str:
    values = listed([number(float(value)) for value in design.calibration])
    same = counted(len(design.calibration), "calibration pair")
    text = (
        f"{_shared_out(design, protocol)} Before them everybody rates the same {same}, chosen for the values {values}."
    )
    if design.intra:
        text += (
            f" After them they rate {counted(design.intra, 'pair')} again, drawn from the first half of those that "
            f"they have just rated, or from the first {design.intra} if half are fewer{_NOT_AGAIN}"
        )
    return text


@_work.register
def _(design: BestWorstDesign, protocol: Protocol) -> str:
    things = f"{protocol.material.noun}s"
    for_each = "twice" if design.factor == 2 else f"{number(float(design.factor))} times"
    if design.grouped:
        most = f"at most {for_each} as many as it has {things}"
        shown = f"all possible {design.tuple_size}-tuples of the {things} of a dialogue, {most},"
    else:
        shown = f"{design.tuple_size}-tuples of {things}, {for_each} as many as there are {things},"
    people = counted(design.people, "person", "different people")
    text = (
        f"Best-worst scaling: by the protocol, people are shown {shown} and choose the one that is {design.best} and "
        f"the one that is {design.worst}. Every tuple is answered by {people}; the order of its items is drawn for "
        "each person."
    )
    if design.tuples_a_person:
        most = counted(design.tuples_a_person, "tuple")
        text += f" One person answers at most {most}, or more where fewer places are planned than that takes."
    if design.hard_to_say:
        text += " A choice can be marked as hard to say."
    scores = (
        "The score of an item is the share of its appearances in which it was chosen as best less that in which it was "
    )
    return f"{text} {scores}chosen as worst, also given on a scale from 0 to 1."
