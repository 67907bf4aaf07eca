"""Plans as they are registered, kept, compared with what happened, and released."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.judgment.item_changes import withdraw_items
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.deletion import delete_project
from annotation.models import AuditEntry, Judgment, Project, Wave
from annotation.models.audit_actions import Action
from scoring.domain.registrations.happened import reference_of, registered_of
from scoring.domain.registrations.plans import answers_of, plan_of
from scoring.domain.registrations.registering import check_plan, is_intact, register_plan, save_draft
from scoring.exports.registration import as_page, as_text
from scoring.models import FixedPlan, Registration
from scoring.summaries.registered.canonical import digest, read_plan
from scoring.summaries.registered.questions import QUESTIONS, SECTIONS
from tests.factories import NOON, add_dialogues, add_incidents, add_pairs, make_project, make_user
from tests.registering.worlds import EARLY, answers, registered
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import exclude_somebody, rating

pytestmark = pytest.mark.django_db


def test_a_registered_plan_has_its_hash_and_the_log_has_it_too():
    project = make_project()
    add_pairs(project, 4)
    made = registered(project)

    plan = json.loads(made.plan)
    assert made.sha256 == digest(made.plan)
    assert (plan["number"], plan["registered_at"]) == (1, "2026-03-01T12:00:00.000000Z")
    assert plan["protocol"] == project.protocol_json
    assert plan["planned"]["items"] == 4
    assert plan["planned"]["rounds"]["main"]["most"] == 4 * project.round("main").design.answers_each
    entry = AuditEntry.objects.get(action="plan registered")
    assert entry.details == {"registration": 1, "registered_sha256": made.sha256}
    assert is_intact(made)


def test_nothing_changes_or_deletes_a_registered_plan_but_the_deletion_of_its_project(user):
    made = registered(make_project())

    for change in (made.save, made.delete, Registration.objects.all().delete, made.project.registrations.all().delete):
        with pytest.raises(FixedPlan):
            change()
    with pytest.raises(FixedPlan):
        Registration.objects.update(plan="{}")
    delete_project(project=made.project, typed="project", reason="Done.", actor=user, now=NOON)
    assert not Registration.objects.exists()
    assert AuditEntry.objects.filter(action="plan registered").exists()


@pytest.mark.postgres
def test_the_database_refuses_to_change_a_plan():
    made = registered(make_project(), actor=make_user("owner"))

    refused = pytest.raises(IntegrityError, match="A registered plan cannot be changed")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_registration SET plan = '{}'")
    with connection.cursor() as cursor:  # as when an account is erased
        cursor.execute("UPDATE scoring_registration SET registered_by_id = NULL")
    assert Registration.objects.get().plan == made.plan


def test_a_plan_that_was_changed_in_the_database_is_noticed():
    made = registered(make_project())
    changed = made.plan.replace('"number":1', '"number": 1')
    Registration.objects.filter(pk=made.pk)._raw_delete("default")
    other = Registration.objects.create(
        project=made.project, number=1, plan=changed, sha256=digest(changed), registered_at=EARLY
    )

    assert not is_intact(other)
    happened = json.loads(registered_of(made.project).happened[0])
    assert happened["interventions"]["altered plans"] == 1


def test_an_unchanged_plan_or_one_without_hypotheses_is_refused():
    project = make_project()
    with pytest.raises(Refusal, match="hypotheses"):
        register_plan(project=project, answers=answers_of(project), actor=None, now=EARLY)
    registered(project)
    with pytest.raises(Refusal, match="Nothing has changed since registration 1"):
        registered(project)
    Project.objects.update(guidelines="Other guidelines.")
    assert registered(project).number == 2


def test_the_next_plan_begins_with_the_last_one():
    project = make_project()
    made = registered(project, items=7, people={"main": 2}, analyses=["scores"])

    found = answers_of(project)

    assert (found.items, found.people, found.analyses) == (7, {"main": 2}, ["scores"])
    assert plan_of(project, found)["answers"] == made.document["answers"]


def test_people_are_suggested_where_the_protocol_knows_them():
    project, open_ = make_project(), make_project("rating", "open", open="true")
    for own in (project, open_):
        add_pairs(own, 4)

    assert answers_of(project).people == {"main": project.round("main").design.answers_each}
    assert answers_of(open_).people == {"main": None}


def test_a_draft_keeps_what_the_protocol_still_has():
    project = make_project()
    own = answers(project, items=9, people={"main": 3, "gone": 4}, analyses=["scores", "choice_scores"])
    save_draft(project=project, answers=own, now=NOON)

    found = answers_of(Project.objects.get())
    assert (found.items, found.people, found.analyses) == (9, {"main": 3}, ["scores"])
    assert found.texts == own.texts


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("semrel", (160, 160)),  # 20 items, 40 tuples, 4 people each
        ("giccs", (None, None)),  # the number of utterances of a dialogue is not known
        ("rating", (60, 60)),
    ],
)
def test_planned_judgments_follow_from_the_protocol(preset, expected):
    project = make_project(preset, **({"ratings": "3"} if preset == "rating" else {}))
    if preset == "semrel":
        expected = (2 * 20 * project.round("main").design.people,) * 2

    planned = plan_of(project, answers(project, items=20))["planned"]["rounds"]["main"]

    assert (planned["fewest"], planned["most"]) == expected


def test_judgments_of_waves_are_between_the_first_wave_and_the_budget():
    project = make_project("rating", ratings="10", open="true", stopping__icc="0.9")

    planned = plan_of(project, answers(project, items=20))["planned"]["rounds"]["main"]

    design = project.round("main").design
    assert (planned["fewest"], planned["most"]) == (20 * design.first_answers, 20 * design.budget_each)


def test_selecting_rounds_leave_their_judgments_open():
    project = make_project("czech_news")
    add_incidents(project, 4)
    plan = plan_of(project, answers(project, items=4))

    assert [plan["planned"]["rounds"][key]["most"] is None for key in ("R1", "R2", "R3")] == [True, True, False]
    assert answers_of(project).items == 4


@pytest.mark.parametrize("preset", ["czech_news", "dscs", "semrel", "rating"])
def test_the_text_has_every_question_and_what_the_system_knows(preset):
    project = make_project(preset)
    made = registered(project, texts=answers(project).texts | {"rationale": "A pilot."})

    text = as_text(made.document)

    places = [text.index(line) for line in [f"## {section}" for section in SECTIONS]]
    assert places == sorted(places)
    assert all(f"### {question}\n" in text for question in QUESTIONS.values())
    assert made.sha256 in text and "A pilot." in text and "H1: people agree." in text
    assert text.count("No answer was given.") > 5
    assert "| `" in text.split("## Every setting of the protocol")[1]
    assert ("contradict the known labels" in text) == (preset == "dscs")
    assert ("Choices of the best and the worst" in text) == (preset == "semrel")
    assert as_page("A <title>", "<p>x</p>\n").startswith("<!DOCTYPE html>\n") and "&lt;title&gt;" in as_page(
        "<title>", ""
    )


def test_waves_have_their_rule_in_the_text():
    project = make_project("rating", ratings="10", open="true", stopping__icc="0.9")

    assert "The pool is opened in waves until" in as_text(plan_of(project, answers(project)))


def test_a_run_is_compared_with_the_last_plan_before_the_first_judgment():
    project = rating()
    first = Judgment.objects.order_by("saved_at").first().saved_at
    assert registered_of(project).plans == ()
    late = registered(project, now=first + timedelta(days=900))
    assert reference_of(project) == late
    happened = json.loads(registered_of(project, 5).happened[0])
    assert happened["before"] == {"judgments before the registration": Judgment.objects.count()}
    assert happened["seeds"]["scoring run"] == 5


def test_every_deviation_is_in_the_run_the_release_and_its_data_card(settings):
    project = rating()
    first = Judgment.objects.order_by("saved_at").first().saved_at
    made = registered(project, now=first - timedelta(hours=1), analyses=["agreement"])
    exclude_somebody(project, "main")
    write_down(Action.LABEL_CHANGED, project, actor=None, now=first)
    withdraw_items(project=project, keys=["p1"], reason="A typo.", actor=make_user("other"), now=first)
    Project.objects.update(guidelines="Other guidelines.")
    project.refresh_from_db()
    registered(project, now=first + timedelta(days=1))
    settings.CODE_VERSION = "another version"

    run = run_of(project)
    found = run.results["registration"]

    names = {check: [row["name"] for row in rows] for check, rows in found["checks"].items() if rows}
    assert found["number"] == 1 and found["sha256"] == made.sha256
    assert names.pop("analyses")[:1] == ["scores"]
    assert names == {
        "versions": ["registration 2"],
        "texts": ["guidelines"],
        "items": ["items"],
        "judgments": ["main"],
        "exclusions": ["main: by the managers"],
        "withdrawn": ["withdrawn items"],
        "interventions": ["known labels changed"],
        "parameters": ["replicates", "splits"],
        "software": ["version"],
    }
    release = released(project, run=run)
    files = contents(release)
    assert digest(files["registered_plan.json"].decode()) == made.sha256
    assert release.manifest["registration"] == {
        "number": 1,
        "registered_at": made.document["registered_at"],
        "sha256": made.sha256,
        "deviations": found["deviations"],
    }
    card = files["README.md"].decode()
    assert "## Registered plan" in card and "| Random seeds | no deviation | – |" in card


def test_waves_that_managers_decided_are_named():
    project = make_project("rating", ratings="10", open="true", stopping__icc="0.9")
    registered(project)
    wave = {"project": project, "round": "main", "seed": 0, "opened": 1, "entries": 1, "state": "done"}
    Wave.objects.create(number=1, further=5, decision="target", **wave)
    Wave.objects.create(number=2, decision="budget", **wave)
    Wave.objects.create(number=3, decision="manager", **wave)

    assert json.loads(registered_of(project).happened[0])["waves"] == {
        "main, wave 1": "continued by a manager",
        "main, wave 3": "stopped by a manager",
    }


def test_calibration_is_a_part_of_designs_that_draw_it():
    project = make_project("two_contexts")
    registered(project)

    assert json.loads(registered_of(project).happened[0])["rounds"]["main"] == {"people": 0, "judgments": 0}


def test_tuples_that_are_planned_give_the_judgments_of_grouped_designs():
    project = make_project("giccs")
    add_dialogues(project, 2)
    plan_round(project=project, round_key="main")

    planned = plan_of(project, answers(project))["planned"]["rounds"]["main"]

    assert planned["most"] == project.tuples.count() * project.round("main").design.people > 0


def printed(*arguments: str, **options: object) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


def test_a_plan_is_registered_and_checked_by_commands(tmp_path):
    project = make_project()
    texts, exported = tmp_path / "answers.json", tmp_path / "plan.json"
    texts.write_text(json.dumps(answers(project).texts))

    assert "### What are the hypotheses?" in printed("register", "project", "--show")
    said = printed("register", "project", answers=str(texts), items=12, out=str(exported))

    made = Registration.objects.get()
    assert f"sha256: {made.sha256}" in said and made.document["planned"]["items"] == 12
    assert exported.read_text() == made.plan
    exported.write_text(json.dumps(json.loads(exported.read_text()), indent=4))
    assert f"This is project registration 1, registered at {made.document['registered_at']}." in printed(
        "check_registration", str(exported), sha256=made.sha256.upper()
    )


def test_changed_and_unknown_plans_are_told_apart(tmp_path):
    made = registered(make_project())
    file = tmp_path / "plan.json"

    file.write_text(made.plan.replace("people agree", "people disagree"))
    with pytest.raises(CommandError, match="another plan under this number"):
        call_command("check_registration", str(file))
    with pytest.raises(CommandError, match="expected hash"):
        call_command("check_registration", str(file), sha256=made.sha256)
    file.write_text(made.plan.replace('"project":"project"', '"project":"elsewhere"'))
    assert "not registered in this installation" in printed("check_registration", str(file))
    assert check_plan(read_plan(made.plan.encode())).registration == made
    file.write_text("[]")
    with pytest.raises(CommandError, match="not a registered plan"):
        call_command("check_registration", str(file))
    with transaction.atomic():
        Registration.objects.filter(pk=made.pk)._raw_delete("default")
        values = {"number": 7, "plan": made.plan, "sha256": made.sha256, "registered_at": EARLY}
        Registration.objects.create(project=made.project, **values)
    file.write_text(made.plan)
    with pytest.raises(CommandError, match="no longer has the hash in the audit log"):
        call_command("check_registration", str(file))


@pytest.mark.parametrize(
    ("content", "reason"),
    [("no", "not valid JSON"), ('{"hypotheses": 1}', "a text for each"), ('{"what": ""}', "no question “what”")],
)
def test_unusable_answers_are_refused(tmp_path, content, reason):
    make_project()
    file = tmp_path / "answers.json"
    file.write_text(content)

    with pytest.raises(CommandError, match=reason):
        call_command("register", "project", answers=str(file))


def test_a_plan_that_cannot_be_written_is_said_so(tmp_path):
    save_draft(project=make_project(), answers=answers(Project.objects.get()), now=NOON)

    with pytest.raises(CommandError, match="Cannot write to"):
        call_command("register", "project", out=str(tmp_path / "none" / "plan.json"), stdout=StringIO())
