"""Best-worst projects with a practice set, and people who practise, for tests."""

from annotation.domain.planning.rounds import plan_round
from annotation.domain.practice import answers as practice
from annotation.domain.practice.stages import CheckAhead, Feedback, Passed, Stage, Try, stage_of
from annotation.models import Group, Item, Participation, PracticeAnswer, PracticePart, PracticeTask, Project, User
from tests.factories import NOON, add_pairs, join, make_project, make_user, reread

TURNS = [{"speaker": "Ann", "text": "Shall we go?"}, {"speaker": "Ben", "text": "Yes, let us go now."}]
RIGHT, WRONG = (1, 3), (2, 3)


def pairs_project(*, open_: bool = True, pairs: int = 8, key: str = "project", **changes: str) -> Project:
    """A semrel project with pairs: open with one answer a tuple, or fixed with two."""
    numbers = {"people": "1"} if open_ else {"open": "no", "tuples_a_person": "0", "people": "2"}
    project = make_project("semrel", key, **numbers | changes)
    add_pairs(project, pairs, language="en")
    return project


def dialogue_project(key: str = "project") -> Project:
    project = make_project("giccs", key, people="1")
    group = Group.objects.create(project=project, key="d1", position=1, turns=TURNS, language="en")
    Item.objects.bulk_create(
        Item(
            project=project,
            group=group,
            key=f"d1/{number}",
            position=number,
            sentence1=TURNS[-1]["text"],
            sentence2=f"Utterance {number}.",
        )
        for number in range(1, 6)
    )
    return project


def add_tasks(project: Project, *, examples: int = 0, practice: int = 0, check: int = 0, **values: object) -> None:
    """Tasks in which the first item is right as best and the third as worst; their texts tell part and number."""
    design = project.protocol.rounds[0].design
    in_dialogue, alone = (project.protocol.material == name for name in ("dialogues", "texts"))
    for part, number in (
        (PracticePart.EXAMPLE, examples),
        (PracticePart.PRACTICE, practice),
        (PracticePart.CHECK, check),
    ):
        for position in range(1, number + 1):
            names = [f"{part} {position}, item {place}" for place in range(1, design.tuple_size + 1)]
            PracticeTask.objects.create(
                project=project,
                part=part,
                position=position,
                texts=[[f"{name}."] if in_dialogue or alone else [f"{name}, one.", f"{name}, two."] for name in names],
                turns=TURNS if in_dialogue else [],
                best=RIGHT[0],
                worst=RIGHT[1],
                why=f"Because of **{part} {position}**.",
                **values,
            )


def practising_person(user: User | None = None, *, open_: bool = True, people: int = 2, **tasks: int) -> Participation:
    """Somebody with consent given in a planned project with such tasks."""
    project = pairs_project(open_=open_)
    add_tasks(project, **tasks)
    plan_round(project=project, round_key="main", people=people)
    return join(project, "main", user or make_user())


def stage(participation: Participation) -> Stage:
    return stage_of(reread(participation))


def present_try(participation: Participation) -> Try:
    here = stage(participation)
    present = here.first if isinstance(here, CheckAhead) else here
    assert isinstance(present, Try), present
    return present


def answer_task(participation: Participation, choice: tuple[int, int] = RIGHT, **changes: object) -> PracticeAnswer:
    """Answers the present task."""
    present = present_try(participation)
    best, worst = choice
    turn = {"task_id": present.task.pk, "attempt": present.attempt, "best": best, "worst": worst, "now": NOON}
    return practice.answer(participation_id=participation.pk, **turn | changes)


def go_on(participation: Participation) -> Participation:
    here = stage(participation)
    task = here.answer.task_id if isinstance(here, Feedback) else None
    return practice.go_on(participation_id=participation.pk, task_id=task, now=NOON)


def do_practice(participation: Participation, choice: tuple[int, int] = RIGHT) -> Participation:
    """All practice tasks, up to the check or the work."""
    while reread(participation).practising and not isinstance(stage(participation), CheckAhead | Passed):
        answer_task(participation, choice)
        go_on(participation)
    return reread(participation)


def do_check(participation: Participation, *choices: tuple[int, int]) -> Participation:
    """One attempt at the check, an answer for each choice."""
    for choice in choices:
        answer_task(participation, choice)
    return reread(participation)
