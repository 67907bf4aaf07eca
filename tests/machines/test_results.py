"""What models answered in runs, reports and releases: in places of its own, and in nothing else."""

import csv
import json
import re
from io import StringIO

import pytest

from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.answers import Behaviour
from annotation.domain.simulation.rounds import simulate_round
from annotation.models import Item, Project
from scoring.domain.machines.adding import remove_machine
from scoring.exports.report.sections import sections
from scoring.models import Machine, MachineAnswer
from scoring.queries import runs_of_today
from tests.factories import NOON, add_pairs, make_project
from tests.machines.server import choose_longest
from tests.machines.worlds import model_of, worked
from tests.releases.making import contents, released, run_of
from tests.runs.projects import relatedness

pytestmark = pytest.mark.django_db
NEW = {"machine_judgments.csv", "machine_judgments.jsonl", "machine_judgments.parquet", "machines.json"}
ABOUT = {"README.md", "CITATION.cff", "croissant.json", "datacite.json", "manifest.json", "results.json"}


@pytest.fixture
def project():
    """Three people rate twelve pairs."""
    made = make_project("stss131")
    add_pairs(made, 12)
    plan_round(project=made, round_key="main", people=3)
    list(simulate_round(project=made, round_key="main", people=3, behaviour=Behaviour(), seed=1, now=NOON))
    return made


def table(content):
    return list(csv.DictReader(StringIO(content.decode())))


def test_nothing_but_the_files_of_models_changes_in_a_release(project, server):
    before = released(project, run_of(project))
    assert runs_of_today(project).count() == 1
    server.replies = ["=1+1"]
    worked(model_of(project, server.url, repeats=2, reverses=True, version="weights of May"))

    assert runs_of_today(project).count() == 0
    after = released(project, run_of(project))

    old, new = contents(before), contents(after)
    assert set(new) - set(old) == NEW
    same = {name for name in old if old[name] == new[name]}
    assert {name for name in old if name not in same} <= ABOUT
    assert {key: own for key, own in after.run.results.items() if key != "machines"} == before.run.results
    rows = table(new["machine_judgments.csv"])
    assert len(rows) == 36
    assert {(row["arm"], row["counted"], row["not_counted_because"]) for row in rows} == {("judge", "0", "machine")}
    assert {(row["repeat"], row["reversed"]) for row in rows} == {("1", "0"), ("2", "0"), ("1", "1")}
    answers = {answer.raw: answer.value for answer in MachineAnswer.objects.filter(problem="")}
    assert all(float(row["value"]) == answers[row["raw"]] for row in rows)
    assert max(row["attempt"] for row in rows) == "2"
    (settings,) = json.loads(new["machines.json"])
    assert settings["instructions"] == Machine.objects.get().instructions != ""
    assert server.url not in new["machines.json"].decode() and "sk-secret" not in str(new)
    card = new["README.md"].decode()
    assert "## Models as annotators" in card and "Models that answered as annotators" in card
    assert "Models as annotators" not in old["README.md"].decode()


def test_the_report_has_a_section_of_its_own(project, server):
    worked(model_of(project, server.url))
    results = run_of(project).results

    found = {section.title: section.tables for section in sections(results, [])}
    overview, compared = found["Models as annotators"]
    assert [row.label for row in overview.rows] == ["judge"]
    assert compared.title == "main, context-free: models compared with annotators"
    others = [tables for title, tables in found.items() if title != "Models as annotators"]
    assert re.search(r"\bjudge\b", str(others)) is None
    own = results["machines"]["arms"][0]["ratings"]["free"]
    assert (own["items"], own["alternative"]["people"]) == (12, 3)


def test_choices_of_a_model_are_released_with_their_items(server):
    project = relatedness("relatedness")
    server.answer = choose_longest
    worked(model_of(project, server.url, sample=20))

    rows = table(contents(released(project))["machine_judgments.csv"])

    keys = {item.key: item for item in Item.objects.filter(project=project)}
    assert len(rows) == 20
    for row in rows:
        shown = [row[f"item{place}"] for place in range(1, 5)]
        assert {row["best"], row["worst"]} < set(shown)
        positions = [row["prompt"].index("\n".join(keys[key].texts)) for key in shown]
        assert positions == sorted(positions)


def test_a_run_whose_model_was_removed_makes_no_release(project, server):
    worked(model_of(project, server.url))
    run = run_of(project)
    remove_machine(machine=Machine.objects.get(), actor=None, now=NOON)

    release = released(Project.objects.get(), run)

    assert release.state == "failed"
    assert "12 answers of models, now there are 0" in release.problem
