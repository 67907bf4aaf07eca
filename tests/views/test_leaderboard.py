"""The leaderboard of a release: for everybody while it is open, for nobody otherwise."""

import csv
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.models import AuditEntry
from scoring.domain.evaluations.evaluate import evaluate_model
from scoring.domain.evaluations.leaderboards import board_of, open_leaderboard
from scoring.models import Evaluation, Release
from tests.factories import make_user
from tests.releases.making import released as really_released
from tests.runs.projects import dialogues
from tests.views.releasing import BOARD, RELEASES, client_as, evaluated, figures_of, released
from tests.views.sending import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def release() -> Release:
    """A release with three models and an open leaderboard."""
    made = released()
    evaluated(made, "Dice overlap", 0.4, baseline=True)
    evaluated(made, "best", 0.9, mse=0.5)
    evaluated(made, "Third <b>", 0.3, missing={"number": 2, "items": ["p1", "p2"]}, pairs=18)
    opened(made)
    return made


def opened(release: Release, state: bool = True) -> None:
    open_leaderboard(release=release, opened=state, actor=None, now=timezone.now())


def words(response) -> str:
    return " ".join(unescape(response.content.decode()).split())


def models(response) -> list[str]:
    return [one.model for one in response.context["table"].page]


def test_everybody_sees_an_open_leaderboard(release):
    page = Client().get(BOARD)

    assert page.status_code == 200
    assert models(page) == ["best", "Dice overlap", "Third <b>"]
    assert "<bdi>Third &lt;b&gt;</bdi>" in page.text
    told = words(page)
    assert "(20 items), with 95 % confidence intervals" in told
    assert "r = 0.812 with the mean of the others" in told
    assert "0.188 expected (s²/n)" in told
    assert "0.250: the same, multiplied by (n − 1)/(n − 3)" in told
    assert '<bdi>Dice overlap</bdi> <span class="badge">baseline</span>' in told
    assert told.count(">baseline<") == 1
    assert "the best" in told
    assert "5.00<small>p < 0.001</small>" in told
    assert "18<small>2 missing</small>" in told


def test_models_evaluated_by_different_versions_are_told_apart(release):
    assert "different versions of Semblance" not in Client().get(BOARD).text

    Evaluation.objects.filter(model="best").update(results=release.evaluations.get(model="best").results | {"shape": 4})

    assert "different versions of Semblance" in Client().get(BOARD).text


@pytest.mark.parametrize("path", [BOARD, f"{BOARD}leaderboard.csv"])
@pytest.mark.parametrize("who", ["nobody", "outsider", "researcher", "manager"])
def test_a_closed_leaderboard_is_not_there_for_anybody(release, who, path):
    client = client_as(release.project, who)
    assert client.get(path).status_code == 200
    opened(release, False)

    found = [client.get(path), client.get(path.replace("/1/", "/2/")), client.get(path.replace("project", "nothing"))]

    assert [one.status_code for one in found] == [404, 404, 404]


def test_a_release_that_is_not_done_has_no_leaderboard(release):
    waiting = Release.objects.create(project=release.project, number=2, run=release.run, code_version="1")

    with pytest.raises(Refusal, match="not finished yet"):
        opened(waiting)

    Release.objects.filter(pk=waiting.pk).update(leaderboard_open=True)
    assert Client().get(BOARD.replace("/1/", "/2/")).status_code == 404


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("", ["best", "Dice overlap", "Third <b>"]),
        ("-rank", ["Third <b>", "Dice overlap", "best"]),
        ("model", ["best", "Dice overlap", "Third <b>"]),
        ("-model", ["Third <b>", "Dice overlap", "best"]),
        ("pearson", ["best", "Dice overlap", "Third <b>"]),
        ("-spearman", ["Third <b>", "Dice overlap", "best"]),
        ("ahead", ["best", "Dice overlap", "Third <b>"]),
        ("mse", ["best", "Dice overlap", "Third <b>"]),
        ("items", ["best", "Dice overlap", "Third <b>"]),
        ("-items", ["Third <b>", "best", "Dice overlap"]),
        ("nonsense", ["best", "Dice overlap", "Third <b>"]),
    ],
)
def test_readers_put_the_table_in_order(release, sort, order):
    assert models(Client().get(BOARD, {"sort": sort})) == order


def test_the_column_in_use_is_marked_and_turns(release):
    page = Client().get(BOARD, {"sort": "pearson"})

    (marked,) = [one for one in page.context["table"].headings if one.sorted]
    assert (marked.title, marked.sorted) == ("Pearson’s r", "descending")
    assert marked.href == "?scores=main.free&sort=-pearson"
    assert page.text.count("aria-sort=") == 1
    assert models(Client().get(f"{BOARD}{marked.href}")) == ["Third <b>", "Dice overlap", "best"]


def test_equal_models_share_a_rank_and_have_no_z():
    release = released()
    for model in ("b", "a"):
        evaluated(release, model, 0.5)
    evaluated(release, "perfect", 1.0, name="main.free")
    evaluated(release, "perfect too", 1.0)

    board = board_of(release)

    assert [(one.rank, one.model) for one in board.standings] == [
        (1, "perfect"),
        (1, "perfect too"),
        (3, "a"),
        (3, "b"),
    ]
    assert board.standings[0].ahead is None
    assert board.standings[1].ahead["z"] is None
    opened(release)
    told = words(Client().get(BOARD))
    assert "not defined</span><small>they are alike" in told
    assert "1.000 <small>there is none" in told


def test_other_scores_have_a_table_of_their_own():
    release = released()
    one = evaluated(release, "m", 0.5, name="R3.free")
    one.results["scores"]["R3.dependent"] = figures_of(0.2)
    one.save()
    opened(release)

    page = Client().get(BOARD, {"scores": "R3.dependent"})

    assert "mean ratings in R3, with context" in words(page)
    assert 'href="?scores=R3.free">Compare with the mean ratings in R3, without context' in words(page)
    assert page.context["table"].board.standings[0].figures["pearson"] == 0.2
    assert Client().get(BOARD, {"scores": "nothing"}).context["table"].board.scores == "R3.free"


def test_a_ceiling_that_is_not_defined_says_why():
    release = released()
    reason = "the judgments are choices, not ratings"
    ceiling = {}
    for name in ("average_rater", "mse_bound", "mse_oracle"):
        ceiling |= {name: None, f"{name}_reason": reason}
    evaluated(release, "m", 0.5, ceiling=ceiling, name="choices")
    opened(release)

    told = words(Client().get(BOARD))

    assert told.count(f"not defined: {reason}") == 3
    assert "best-worst scores" in told


def test_without_models_it_says_so():
    opened(released())

    assert "No models evaluated yet." in Client().get(BOARD).text
    assert Client().get(f"{BOARD}leaderboard.csv").status_code == 404


def test_the_table_is_downloaded(release):
    evaluated(release, "=formula", 1.0)
    response = Client().get(f"{BOARD}leaderboard.csv")

    rows = list(csv.DictReader(response.text.splitlines()))

    assert response["Content-Disposition"] == 'attachment; filename="project-1-leaderboard.csv"'
    assert [row["model"] for row in rows] == ["'=formula", "best", "Dice overlap", "Third <b>"]
    assert [row["baseline"] for row in rows] == ["0", "0", "1", "0"]
    assert (rows[0]["pearson_low"], rows[0]["best_ahead_z"], rows[0]["rank"]) == ("", "", "1")
    assert (rows[3]["items"], rows[3]["missing"], rows[3]["multiple_choice"]) == ("18", "2", "")
    low, high = float(rows[1]["pearson_low"]), float(rows[1]["pearson_high"])
    assert low < 0.9 < high


def test_people_ahead_of_a_model_have_a_column_where_raters_are_known(release):
    assert "t of the annotators’ lead" not in Client().get(BOARD).text
    ahead = {"raters": 8, "t": 3.456, "p_two_sided": 0.0106}
    same = {"raters": 8, "t": None, "t_reason": "all raters are alike", "p_two_sided": None}
    evaluated(release, "behind", 0.2, against_raters=ahead)
    evaluated(release, "unknown", 0.1, against_raters=same)

    told = words(Client().get(BOARD))
    rows = list(csv.DictReader(Client().get(f"{BOARD}leaderboard.csv").text.splitlines()))

    assert "3.46<small>p = 0.011</small>" in told
    assert "not defined</span><small>all raters are alike</small>" in told
    assert models(Client().get(BOARD, {"sort": "-people"}))[0] == "behind"
    assert [row["people_ahead_t"] for row in rows] == ["", "", "", "3.456", ""]
    assert rows[3]["people_ahead_p"] == "0.0106"


def test_the_typical_person_and_p_values_are_shown_where_they_are_known(release):
    assert "z of the typical annotator’s lead" not in Client().get(BOARD).text
    single = {"raters": 8, "mean": 0.6, "best": 0.912, "worst": 0.345, "closest": 0.611}
    tests = {"pearson_test": {"p": 1e-9, "degrees": 18.0}, "spearman_test": {"p": 0.0421, "degrees": 18.0}}
    evaluated(release, "behind", 0.2, typical_rater={**single, "z": 2.345, "p_two_sided": 0.019}, **tests)
    undefined = {"z": None, "z_reason": "too few pairs", "p_two_sided": None}
    no_test = {"p": None, "p_reason": "none", "degrees": None, "degrees_reason": "none"}
    evaluated(release, "unknown", 0.1, typical_rater=single | undefined, pearson_test=no_test)

    told = words(Client().get(BOARD))
    rows = list(csv.DictReader(Client().get(f"{BOARD}leaderboard.csv").text.splitlines()))

    assert "r from 0.345 to 0.912 (8 annotators); typical annotator: 0.611" in told
    assert "2.35<small>p = 0.019</small>" in told or "2.34<small>p = 0.019</small>" in told
    assert "not defined</span><small>too few pairs</small>" in told
    assert "<small>p < 0.001, df 18</small>" in told
    assert "<small>p = 0.042, df 18</small>" in told
    assert models(Client().get(BOARD, {"sort": "-typical"}))[0] == "behind"
    assert [row["typical_ahead_z"] for row in rows] == ["", "", "", "2.345", ""]
    assert (rows[3]["pearson_p"], rows[3]["pearson_degrees"], rows[4]["pearson_p"]) == ("1e-09", "18.0", "")


def test_many_models_come_in_pages_in_the_same_queries(release):
    with CaptureQueriesContext(connection) as few:
        Client().get(BOARD)
    for number in range(60):
        evaluated(release, f"m{number:02}", 0.2 - number / 1000)

    with CaptureQueriesContext(connection) as many:
        page = Client().get(BOARD, {"sort": "model"})

    assert len(few) == len(many) == 2
    assert len(models(page)) == 50
    assert "Page 1 of 2" in words(page)
    assert 'href="?sort=model&page=2"' in words(page)
    assert len(models(Client().get(BOARD, {"sort": "model", "page": "2"}))) == 13


def test_managers_open_and_close_it_and_the_log_keeps_who(release):
    opened(release, False)
    client = client_as(release.project, "manager")

    page = client.post(f"{RELEASES}1/leaderboard/", {"open": "1"}, follow=True)
    again = client.post(f"{RELEASES}1/leaderboard/", {"open": "1"}, follow=True)

    assert "The leaderboard is now public." in page.text
    assert "Make the leaderboard private" in again.text
    entries = AuditEntry.objects.filter(actor__username="manager")
    assert [(entry.action, entry.details) for entry in entries] == [("leaderboard opened", {"release": 1})]
    client.post(f"{RELEASES}1/leaderboard/", {"open": "0"})
    assert Client().get(BOARD).status_code == 404
    assert entries.filter(action="leaderboard closed").count() == 1


def test_of_a_release_that_waits_it_cannot_be_opened(release):
    Release.objects.create(project=release.project, number=2, run=release.run, code_version="1")

    page = client_as(release.project, "manager").post(f"{RELEASES}2/leaderboard/", {"open": "1"}, follow=True)

    assert "The release is not finished yet, so it has no leaderboard." in page.text
    assert not Release.objects.get(number=2).leaderboard_open


@pytest.mark.parametrize(("who", "status"), [("nobody", 302), ("outsider", 404), ("researcher", 404)])
def test_nobody_else_opens_it(release, who, status):
    opened(release, False)

    response = client_as(release.project, who).post(f"{RELEASES}1/leaderboard/", {"open": "1"})

    assert response.status_code == status
    assert not Release.objects.get().leaderboard_open


def test_models_that_choose_have_their_accuracy():
    """The whole way, from dialogues that people compared to the page."""
    release = really_released(dialogues("project"))
    found = release.run.results["choice_scores"]
    scores = dict(zip(found["item"], found["score"], strict=True))
    inverted = {item: -value for item, value in scores.items()}
    partly = {item: value for item, value in inverted.items() if not item.startswith("d3/")}
    for model, predictions in (("perfect", scores), ("inverted", inverted), ("partly", partly)):
        evaluate_model(release, model, predictions, make_user(model))
    opened(release, True)

    page = client_of(make_user("reader")).get(BOARD, {"sort": "choice"})

    assert models(page)[0] == "perfect"
    assert page.context["table"].headings[6].sorted == "descending"
    assert "1.000<small>by chance 0.20</small>" in words(page)
    assert page.context["table"].board.standings[1].ahead["pairs"] in (10, 15)
    rows = list(csv.DictReader(Client().get(f"{BOARD}leaderboard.csv").text.splitlines()))
    assert rows[0] | {"model": "perfect", "multiple_choice": "1.0", "rank": "1"} == rows[0]


def test_distributions_have_columns_only_if_a_model_predicts_them(release):
    assert "cross-entropy" not in Client().get(BOARD).text
    found = {"items": 20, "impossible": 0, "entropy": 1.1, "uniform": 1.79, "cross_entropy": 1.25}
    found |= {"wasserstein": 0.4, "spread": None, "spread_reason": "all are equal"}
    evaluated(release, "spread", 0.5, distributions=found)

    page = Client().get(f"{BOARD}?sort=cross-entropy")

    assert models(page)[0] == "spread"
    assert '<td class="number">1.250</td>' in page.text
    assert "<small>all are equal</small>" in page.text
    assert "the least possible is 1.100" in words(page)
    rows = {row["model"]: row for row in csv.DictReader(Client().get(f"{BOARD}leaderboard.csv").text.splitlines())}
    assert [rows["spread"][name] for name in ("cross_entropy", "wasserstein", "spread")] == ["1.25", "0.4", ""]
    assert rows["best"]["cross_entropy"] == ""
