"""Predictions of several random seeds of a model: mean and deviation over the seeds (Czech News, tables 4 and 5)."""

import csv
from html import unescape
from statistics import fmean, stdev

import numpy as np
import pytest
from django.utils import timezone

from annotation.domain.errors import Refusal
from scoring.domain.evaluations.evaluate import AlreadyEvaluated, evaluate_model
from scoring.domain.evaluations.leaderboards import board_of, open_leaderboard
from scoring.domain.evaluations.seeds import models_of, over_seeds
from scoring.models import Evaluation, Release
from scoring.views.runs import report_of
from tests.api.worlds import caller_of, member
from tests.releases.making import released
from tests.runs.projects import dialogues, news
from tests.runs.test_evaluating import noisy
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db
SEEDS = (3, 1, 2)
PATH = "/api/v1/projects/project/"


@pytest.fixture(scope="module")
def kept(keep):
    """Validated news with a model of three seeds, and one without a seed."""
    with keep():
        made = released(news("project"))
        scores = scores_of(made)
        for seed in SEEDS:
            evaluate_model(made, "czert", noisy(scores, seed, 2.0), None, seed)
        evaluate_model(made, "plain", noisy(scores, 9, 0.5), None)
        yield made.pk


@pytest.fixture
def release(kept, db):
    return Release.objects.select_related("project", "run").get(pk=kept)


def scores_of(release):
    found = release.run.results["scores"]["R3"]["free"]
    return dict(zip(found["item"], found["mean"], strict=True))


def figures_of(release, model, name="R3.free"):
    return [one.results["scores"][name] for one in release.evaluations.filter(model=model).order_by("seed")]


def test_each_seed_is_evaluated_by_itself_and_compared_with_the_others(release):
    first, second, third = Evaluation.objects.filter(model="czert").order_by("pk")

    assert [one.seed for one in (first, second, third)] == list(SEEDS)
    compared = third.results["scores"]["R3.free"]["compared"]
    assert {"czert, seed 3", "czert, seed 1"} <= set(compared)
    assert str(third).startswith("czert, seed 2 on ")


@pytest.mark.parametrize(
    ("model", "seed", "message"),
    [
        ("czert", 3, "Seed 3 of the model “czert” has already been evaluated on this release."),
        (
            "czert",
            None,
            "Some predictions of the model “czert” have a seed and others do not. Give each of them a seed.",
        ),
        ("plain", 1, "Some predictions of the model “plain” have a seed and others do not. Give each of them a seed."),
        ("plain", None, "The model “plain” has already been evaluated on this release."),
    ],
)
def test_a_seed_is_there_once_and_all_or_none_have_one(release, model, seed, message):
    with pytest.raises(AlreadyEvaluated, match=message):
        evaluate_model(release, model, scores_of(release), None, seed)


def test_mean_and_deviation_of_every_measure_over_the_seeds(release):
    found = {one["model"]: one for one in models_of(release)["R3.free"]}

    own, each = found["czert"], figures_of(release, "czert")
    assert (own["seeds"], set(own["measures"])) == ((1, 2, 3), {"pearson", "spearman", "mse"})
    for measure in ("pearson", "spearman"):
        values = [figures["whole"][measure]["r"] for figures in each]
        assert own["measures"][measure] == pytest.approx({"mean": fmean(values), "sd": stdev(values)})
    errors = [figures["mse"] for figures in each]
    assert own["measures"]["mse"] == pytest.approx({"mean": fmean(errors), "sd": stdev(errors)})
    single = found["plain"]["measures"]["pearson"]
    assert (found["plain"]["seeds"], single["sd"]) == ((), None)
    assert single["sd_reason"] == "the standard deviation of predictions without a seed is not defined"


def test_models_come_by_the_mean_of_their_correlation():
    def figures(r):
        return {"whole": {"pearson": {"r": r}, "spearman": {"r": r}}, "mse": 1.0, "multiple_choice": None}

    rows = [("a", 1, figures(0.9)), ("b", 1, figures(0.7)), ("a", 2, figures(0.1)), ("c", 1, figures(0.7))]

    assert [one.model for one in over_seeds(rows)] == ["b", "c", "a"]


@pytest.mark.thorough
def test_models_that_choose_have_mean_and_deviation_of_their_accuracy():
    made = released(dialogues("choosing"))
    found = made.run.results["choice_scores"]
    scores = dict(zip(found["item"], found["score"], strict=True))
    for seed in (1, 2):
        evaluate_model(made, "m", noisy(scores, seed), None, seed)

    own = next(one for one in models_of(made)["choices"] if one["model"] == "m")

    values = [figures["multiple_choice"]["accuracy"] for figures in figures_of(made, "m", "choices")]
    assert own["measures"]["accuracy"] == pytest.approx({"mean": fmean(values), "sd": stdev(values)})


def test_an_accuracy_that_some_seed_lacks_is_not_defined():
    def figures(accuracy):
        both = {"pearson": {"r": 0.5}, "spearman": {"r": 0.5}}
        return {"whole": both, "mse": 1.0, "multiple_choice": {"accuracy": accuracy}}

    (own,) = over_seeds([("m", 1, figures(0.5)), ("m", 2, figures(None))])

    assert (own.measures["accuracy"]["mean"], own.measures["pearson"]["sd"]) == (None, 0.0)
    assert "for at least one seed, no group" in own.measures["accuracy"]["mean_reason"]


def test_the_leaderboard_has_every_seed_and_the_mean_over_them(release):
    open_leaderboard(release=release, opened=True, actor=None, now=timezone.now())
    client = client_of(member(release.project, "manager", "reader"))

    page = client.get("/leaderboards/project/1/")
    rows = list(csv.DictReader(client.get("/leaderboards/project/1/leaderboard.csv").text.splitlines()))

    own = board_of(release).over_seeds[0].measures["pearson"]
    text = " ".join(unescape(page.text).split())
    assert "<bdi>czert</bdi> <small>seed 3</small>" in text
    assert f"{own['mean']:.4f} ± {own['sd']:.4f}" in text
    assert "Mean ± standard deviation across the random seeds of each model" in text
    # The mean of many annotators varies less than a single one: a model that follows it can do better.
    assert "with the mean of the others; models can do better" in text
    assert [one.model for one in board_of(release).over_seeds] == ["czert"]
    assert sorted(row["seed"] for row in rows if row["model"] == "czert") == ["1", "2", "3"]
    assert {row["seed"] for row in rows if row["model"] != "czert"} == {""}


def test_the_api_takes_a_seed_and_gives_the_means(release):
    caller = caller_of(member(release.project, "researcher"))
    body = {"model": "czert", "predictions": noisy(scores_of(release), 4, 2.0)}

    made = caller.send(f"{PATH}evaluations/", body | {"seed": 4})
    again = caller.send(f"{PATH}evaluations/", body | {"seed": 4})
    models = caller.get(f"{PATH}releases/1/models/").json()["scores"]["R3.free"]

    assert (made.status_code, made.json()["seed"], again.status_code) == (201, 4, 409)
    assert caller.send(f"{PATH}evaluations/", body | {"seed": -1}).status_code == 422
    assert [one["seeds"] for one in models if one["model"] == "czert"] == [[1, 2, 3, 4]]


def test_the_report_of_the_run_has_its_models(release):
    chapter = report_of(release.run)["chapters"][-1]

    tables = {table.title: table for _, table in chapter.tables}
    own = next(one for one in models_of(release)["R3.free"] if one["model"] == "czert")["measures"]["pearson"]
    assert chapter.title == "Models"
    assert set(tables) == {
        f"Release 1: models compared with the scores R3.{context}" for context in ("free", "dependent")
    }
    table = tables["Release 1: models compared with the scores R3.free"]
    cells = {row.label: [cell.text for cell in row.cells] for row in table.rows}
    assert table.columns == ("Seeds", "Pearson’s r", "Spearman’s ρ", "Mean squared error")
    assert cells["czert"][:2] == ["3", f"{own['mean']:.4f} ± {own['sd']:.4f}"]
    assert cells["plain"][0] == "–" and "±" not in cells["plain"][1]


def test_a_run_without_models_has_no_such_section(release):
    release.evaluations.all().delete()
    made = Release.objects.get()
    assert "Models" not in [chapter.title for chapter in report_of(made.run)["chapters"]]
    assert models_of(made) == {}
    with pytest.raises(Refusal):
        evaluate_model(made, "m", dict.fromkeys(scores_of(made), np.nan), None, 1)
