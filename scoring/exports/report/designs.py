"""Descriptions of a round in words: the plan of its design with the project's numbers, and what was collected."""

from collections.abc import Iterator
from functools import singledispatch

from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.designs.news import SelectionDesign, SequenceDesign, StackDesign
from annotation.protocols.designs.rating import CompleteDesign, IncompleteDesign, PairStackDesign, PartialDesign
from annotation.protocols.spec import Protocol, Round
from scoring.exports.collected import CONTEXTS, Amount, Collected
from scoring.exports.report.waves import looks_in_words, stopping_rule
from scoring.figures.wording import counted, listed, number, share

# A replacement copies the screens that are missing; repeated pairs say something about one annotator only.
_NOT_AGAIN = "; replacements do not."


def describe(protocol: Protocol, round_: Round, collected: Collected | None = None) -> str:
    """Return the plan of a round in two to five sentences, and what was collected if that is known."""
    several = len(protocol.rounds) > 1
    begin = f"{round_.key} ({round_.title.lower()}): " if several else ""
    return begin + work_of(protocol, round_, collected)


def work_of(protocol: Protocol, round_: Round, collected: Collected | None = None) -> str:
    """Return the description of a round without its name.

    The plan is in the present tense, as a rule; only the counted numbers of `collected` say what was done.
    """
    parts = [_work(round_.design, protocol), _sessions(round_)]
    if round_.design.in_waves:
        parts += [stopping_rule(round_.design, protocol)]
    if collected is not None:
        parts += [_carried_out(round_, collected, protocol), looks_in_words(round_.design, protocol, collected.looks)]
    return " ".join(part for part in parts if part)


def _carried_out(round_: Round, collected: Collected, protocol: Protocol) -> str:
    """Return the numbers of what was collected, and whether they are those of the plan."""
    kind = "selections" if round_.design.selects else "choices" if round_.design.compares else "ratings"
    parts = list(_facts(round_, collected, protocol.material.noun))
    if not parts:
        return (
            f"So far, no {kind} are included in the analysis." if collected.planned else "This round was not planned."
        )
    facts = "; ".join(parts)
    if collected.imported:
        return f"The {kind} were imported rather than collected with this design: {facts}."
    if collected.as_wanted:
        return f"The design was carried out in full: {facts}."
    if not collected.wanted:
        return f"In total, {facts}."
    wanted = round_.design.answers_each if round_.design.complete else collected.places
    verb = "was" if collected.places == 1 else "were"
    places = f"{counted(collected.places, 'annotator place')} {verb} planned; " if collected.places != wanted else ""
    return f"In practice, {places}{facts}."


def _facts(round_: Round, collected: Collected, noun: str) -> Iterator[str]:
    if round_.design.selects:
        if collected.sentences:
            each = _between(*collected.incidents)
            yield (
                f"{counted(collected.people, 'annotator')} made selections for "
                f"{counted(collected.sentences, 'summary sentence')}, from {each} incidents each"
            )
        return
    if round_.design.compares and collected.things:
        some = f"{collected.compared:,} of " if collected.compared != collected.items else ""
        yield f"there are {counted(collected.things, 'tuple')} built from {some}{counted(collected.items, noun)}"
        noun = "tuple"
    if collected.withdrawn:
        verb = "was" if collected.withdrawn == 1 else "were"
        withdrawn = f"{counted(collected.withdrawn, noun)}{' with a withdrawn item' if round_.design.compares else ''}"
        yield f"{withdrawn} {verb} {'left out' if round_.design.compares else 'withdrawn'}"
    kind = "choice" if round_.design.compares else "rating"
    for amount in collected.amounts:
        yield _amount(amount, noun, kind)
        if missing := max(collected.things - amount.things, 0):
            yield f"{counted(missing, noun)} {'has' if missing == 1 else 'have'} no {kind}s"
    for name in collected.empty:
        yield f"{name}: none"
    judgments, people = collected.brought_in
    if judgments:
        verb = "was" if judgments == 1 else "were"
        yield f"{judgments:,} of these {kind}s, by {counted(people, 'annotator')}, {verb} imported"
    if collected.repeated:
        verb = "is" if collected.repeated == 1 else "are"
        yield f"{counted(collected.repeated, 'further rating')} of repeated pairs {verb} included"


def _amount(amount: Amount, noun: str, kind: str) -> str:
    where = f"{amount.name}: " if amount.name else ""
    fewest, median, most = amount.each
    each = _between(fewest, most) + (f" (median {number(median, 1)})" if fewest < most else "")
    things = f"{'each of ' if amount.things > 1 else ''}{counted(amount.things, noun)}"
    given = counted(amount.judgments, kind)
    if amount.people is None or amount.person is None:
        return f"{where}the analysis includes {given}, {each} for {things}; some of the annotators are not identified"
    a_person = f" and {_between(*amount.person)} per annotator" if amount.people > 1 else ""
    people = counted(amount.people, "annotator")
    return f"{where}{people} contributed {given} to the analysis, {each} for {things}{a_person}"


def _between(fewest: int, most: int) -> str:
    return f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"


def _sessions(round_: Round) -> str:
    names = [CONTEXTS[context] for context in round_.sessions]
    if len(names) < 2:
        return ""
    text = (
        f"Annotation takes place in {len(names)} sessions with the same screens in the same order, first "
        f"{', then '.join(names)}."
    )
    if not round_.pause_hours:
        return text
    hours = counted_hours(round_.pause_hours)
    if round_.pause_enforced:
        return f"{text} The server enforces a pause of at least {hours} between the sessions."
    return f"{text} A pause of at least {hours} between the sessions is recommended and measured but not enforced."


def counted_hours(hours: float) -> str:
    return f"{number(hours)} {'hour' if hours == 1 else 'hours'}"


@singledispatch
def _work(design: object, protocol: Protocol) -> str:
    raise TypeError(f"No words for {type(design).__name__}.")


@_work.register
def _(design: SelectionDesign, protocol: Protocol) -> str:
    roles = listed([f"{role.key} ({role.title})" for role in design.roles])
    return (
        f"Under the protocol, each annotator is assigned {counted(design.incidents, 'complete incident')} that no "
        "other annotator is assigned. For every summary sentence, the annotator selects "
        f"{counted(len(design.roles), 'report sentence')}, {roles}, and rates how similar each is to the summary "
        "sentence."
    )


@_work.register
def _(design: SequenceDesign, protocol: Protocol) -> str:
    roles = len(protocol.selection(protocol_round(protocol, design)).roles)
    validators = counted(design.validators, "other annotator")
    together = "together rate all pairs" if design.overlap else "never rate the same pair and together rate all pairs"
    text = (
        f"Under the protocol, each annotator’s selections are validated by {validators}. Each validator rates one of "
        f"the {roles} pairs of each of the first {counted(design.tuples, 'selection')}, in the order of "
        f"{design.source}; the {roles} validators in a group {together}."
    )
    if design.overlap:
        overlap = f"{design.overlap:,} of these selections, drawn at random"
        text += f" In {overlap}, each pair is also rated by a second validator in the group."
    return text


@_work.register
def _(design: StackDesign, protocol: Protocol) -> str:
    roles = len(protocol.selection(protocol_round(protocol, design)).roles)
    text = (
        f"Under the protocol, the selections of {counted(design.annotators, 'annotator')} are validated. For each of "
        f"these annotators, the pairs in the first {counted(design.tuples, 'selection')} are rated by "
        f"{counted(design.stack_size * roles, 'validator')}, who are randomly assigned to stacks of "
        f"{design.stack_size}."
    )
    if design.calibration:
        values = listed([number(float(value)) for value in design.calibration])
        pairs = counted(len(design.calibration), "calibration pair")
        text += f" Each validator first rates {pairs}, with {design.source} values of {values}."
    if design.intra:
        pairs = counted(design.intra, "pair")
        text += f" Finally, each validator rates up to {pairs} again that they had rated in {design.people_from}"
        text += _NOT_AGAIN
    if design.refill_from_start:
        text += (
            " If a validator leaves, the pairs not yet rated in every session are reassigned to another person, who "
            "rates them in all sessions; only the replacement’s ratings of these pairs are included in the analysis."
        )
    return text


def protocol_round(protocol: Protocol, design: object) -> Round:
    return next(one for one in protocol.rounds if one.design is design)


@_work.register
def _(design: CompleteDesign, protocol: Protocol) -> str:
    several = len(design.pools) > 1
    pools = listed(
        [_judges(design, pool.people) + (f" ({pool.title.lower()})" if several else "") for pool in design.pools]
    )
    order = "in a random order drawn for each annotator" if design.shuffled else "in the same order"
    text = f"Under the protocol, every pair is rated by {pools}"
    text += f".{_from_pool(design, 'pair')}" if design.open else f"; each annotator rates all pairs, {order}."
    for pool in design.pools:
        if pool.contradictions_above is not None:
            text += (
                f" Annotators ({pool.title.lower()}) are excluded and replaced if more than "
                f"{share(pool.contradictions_above)} of their answers contradict the known labels. This is checked "
                "when they finish, and when they leave after answering at least "
                f"{counted(pool.screening_minimum, 'pair')} with a known label."
            )
    return text


def _judges(design: CompleteDesign | PartialDesign | BestWorstDesign, people: int) -> str:
    """Return how many annotators judge an item or a tuple, of which each group has `people`."""
    if design.in_waves and not design.adaptive:
        return f"at least {counted(design.first_answers, 'annotator', 'different annotators')}"
    number = design.first_answers if design.in_waves else people
    return counted(number, "annotator", "annotators" if design.rater_pools else "different annotators")


def _from_pool(design: CompleteDesign | PartialDesign, noun: str) -> str:
    """Return how annotators are assigned items from the shared pool of an open round, beginning with a space."""
    several = " for their group" if len(design.rater_pools) > 1 else ""
    most = (
        f"at most {counted(design.items_a_person, noun)}" if design.items_a_person else f"as many {noun}s as they like"
    )
    return (
        f" Annotators are assigned {noun}s from a shared pool{several}, those with the fewest ratings first and never "
        f"the same {noun} twice; each annotator rates {most}."
    )


@_work.register
def _(design: IncompleteDesign, protocol: Protocol) -> str:
    return _shared_out(design, protocol)


def _shared_out(design: PartialDesign, protocol: Protocol) -> str:
    """Return how many annotators rate each item, and how many items one annotator rates."""
    people = _judges(design, design.ratings)
    noun = protocol.material.noun
    if design.open:
        return f"Under the protocol, every {noun} is rated by {people}.{_from_pool(design, noun)}"
    most = ""
    if design.items_a_person:
        most = (
            f" Each annotator rates at most {counted(design.items_a_person, noun)}, or more if fewer annotator places "
            "are planned than this limit requires."
        )
    return (
        f"Under the protocol, every {noun} is rated by {people}; which {noun}s each annotator rates, and in which "
        f"order, is drawn at random.{most}"
    )


@_work.register
def _(design: PairStackDesign, protocol: Protocol) -> str:
    values = listed([number(float(value)) for value in design.calibration])
    same = counted(len(design.calibration), "calibration pair")
    text = (
        f"{_shared_out(design, protocol)} Each annotator first rates the same {same}, chosen for the values {values}."
    )
    if design.intra:
        text += (
            f" Finally, each annotator rates {counted(design.intra, 'pair')} again, drawn from the first half of the "
            f"pairs they have just rated, or from the first {design.intra} if that half is smaller{_NOT_AGAIN}"
        )
    return text


def _as_many(factor: float) -> str:
    """Return how many times as many, in words; without a number if there are just as many."""
    times = {1: "", 2: "twice "}
    return f"{times.get(factor, f'{number(factor)} times ')}as many"


@_work.register
def _(design: BestWorstDesign, protocol: Protocol) -> str:
    noun = protocol.material.noun
    things = f"{noun}s"
    as_many = _as_many(float(design.factor))
    if design.grouped:
        most = f"but at most {as_many} tuples as the dialogue has {things}"
        shown = f"all possible {design.tuple_size}-tuples of the {things} in a dialogue, {most},"
    else:
        shown = f"{design.tuple_size}-tuples of {things}, {as_many} as there are {things},"
    people = _judges(design, design.people)
    each = "Each tuple of the first wave" if design.adaptive else "Each tuple"
    text = (
        f"Best-worst scaling: under the protocol, annotators are shown {shown} and choose the {noun} that is "
        f"{design.best} and the {noun} that is {design.worst}. {each} is judged by {people}, and the order of its "
        "items is drawn at random for each annotator."
    )
    if design.tuples_a_person:
        most = counted(design.tuples_a_person, "tuple")
        text += f" Each annotator judges at most {most}, or more if fewer places are planned than this limit requires."
    if design.hard_to_say:
        text += " Annotators can mark a choice as hard to say."
    return (
        f"{text} The score of an item is the proportion of its appearances in which it was chosen as best minus the "
        "proportion in which it was chosen as worst; tables and figures show it on a scale from 0 to 1."
    )
