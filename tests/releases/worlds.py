"""A small project of every paper, with judgments of people who have names, addresses and crowd ids."""

from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command

from annotation.domain.material import import_judgments
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.models import Participation, User
from tests.factories import (
    NOON,
    add_dialogues,
    add_pairs,
    add_texts,
    answer_all,
    do_round,
    make_project,
    make_user,
    news_project,
)
from tests.remembering import remembered

SECRETS = ("zuzana", "novotna", "secret-mail", "w0rker")
"""Of everybody who took part; no file may hold any of them."""


def simulate(project, round_key="main", **options):
    call_command("simulate", project.key, round_key, stdout=StringIO(), **options)


def name_everybody(project):
    """Gives accounts and crowd ids what must not come out."""
    users = User.objects.filter(annotators__project=project)
    users.update(first_name="Zuzana", last_name="Novotna")
    for user in users:
        User.objects.filter(pk=user.pk).update(username=f"zuzana.{user.pk}", email=f"z{user.pk}@secret-mail.example")
    for annotator in project.annotators.exclude(external_id=""):
        annotator.external_id = f"W0RKER-{annotator.pk}"
        annotator.save()


@remembered
def explored():
    """Czech News before the validation: nobody has answered in R3."""
    project = news_project()
    do_round(project, "R2")
    plan_round(project=project, round_key="R3")
    return project


@remembered
def czech_news():
    project = explored()
    for validator in project.participations.filter(round="R3"):  # the people of R2
        answer_all(validator)
    return project


@remembered
def stss131():
    project = make_project("stss131", key="ratings")
    add_pairs(project, 6, calibration=2)
    plan_round(project=project, round_key="main", people=4)
    simulate(project, people=4)
    return project


@remembered
def dscs():
    project = make_project("dscs", key="pools", students__people="2", crowd__people="3")
    add_pairs(project, 5)
    plan_round(project=project, round_key="main")
    simulate(project)
    return project


@remembered
def semrel():
    project = make_project("semrel", key="pairs")
    add_pairs(project, 12, language="cs", extra={"topic": "=weather"})
    plan_round(project=project, round_key="main", people=4)
    simulate(project)
    return project


@remembered
def giccs():
    project = make_project("giccs", key="dialogues")
    add_dialogues(project, 3)
    plan_round(project=project, round_key="main", people=5)
    simulate(project)
    return project


@remembered
def best_worst():
    project = make_project("best_worst", key="texts", best="most positive", worst="least positive")
    add_texts(project, 12, language="en", extra={"topic": "=weather"})
    plan_round(project=project, round_key="main", people=4)
    simulate(project)
    return project


@remembered
def rating():
    project = make_project("rating", key="slider", ratings="3")
    add_pairs(project, 6)
    plan_round(project=project, round_key="main", people=4)
    simulate(project)
    return project


@remembered
def contested():
    """Ratings from elsewhere: eight people are divided about the first two of four pairs."""
    project = make_project("rating", key="divided")
    add_pairs(project, 4)
    rows = [(f"p{item}", person, _divided(item, person)) for item in range(1, 5) for person in range(8)]
    text = "".join(f"{item},person {person},{value}\n" for item, person, value in rows)
    _import(project, f"item,annotator,value\n{text}")
    return project


def _divided(item, person):
    return (0 if person % 2 else 4) if item < 3 else 2


@remembered
def contested_texts():
    """Choices from elsewhere: of five screens, the first text is best on two and worst on two."""
    project = make_project("best_worst", key="split", best="most positive", worst="least positive", tuple_size="3")
    add_texts(project, 3, language="en")
    chosen = (("t1", "t2"), ("t1", "t3"), ("t2", "t1"), ("t2", "t1"), ("t2", "t3"))
    rows = "".join(f"t1,t2,t3,{best},{worst},person {at}\n" for at, (best, worst) in enumerate(chosen))
    _import(project, f"item1,item2,item3,best,worst,annotator\n{rows}")
    return project


def _import(project, text):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "judgments.csv"
        path.write_text(text, encoding="utf-8")
        import_judgments(project=project, path=path, round_key=None, now=NOON)


WORLDS = {own.__name__: own for own in (czech_news, semrel, giccs, dscs, stss131, best_worst)}
CONTESTED = {own.__name__: own for own in (contested, contested_texts)}


def exclude_somebody(project, round_key, reason="Zuzana Novotna <z@secret-mail.example> was careless."):
    """Somebody who answered, by a manager."""
    people = Participation.objects.filter(project=project, round=round_key, annotator__isnull=False)
    place = people.exclude(state="excluded").order_by("seat").first()
    actor = User.objects.filter(username="manager").first() or make_user("manager")
    return exclude(participation_id=place.pk, reason=reason, actor=actor, now=NOON)
