"""A small project of every paper, with judgments of people who have names, addresses and crowd ids."""

from io import StringIO

from django.core.management import call_command

from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.models import Participation, User
from tests.factories import NOON, add_dialogues, add_pairs, add_texts, do_round, make_project, make_user, news_project
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
def czech_news():
    project = news_project()
    do_round(project, "R2")
    do_round(project, "R3", "r3")
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


WORLDS = {own.__name__: own for own in (czech_news, semrel, giccs, dscs, stss131, best_worst)}


def exclude_somebody(project, round_key, reason="Zuzana Novotna <z@secret-mail.example> was careless."):
    """Somebody who answered, by a manager."""
    people = Participation.objects.filter(project=project, round=round_key, annotator__isnull=False)
    place = people.exclude(state="excluded").order_by("seat").first()
    actor = User.objects.filter(username="manager").first() or make_user("manager")
    return exclude(participation_id=place.pk, reason=reason, actor=actor, now=NOON)
