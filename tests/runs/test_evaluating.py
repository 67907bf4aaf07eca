import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr, ttest_1samp

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import complete
from annotation.models import Group
from scoring.domain.evaluations import baselines
from scoring.domain.evaluations.evaluate import add_baselines, evaluate_model
from scoring.domain.evaluations.model_figures import compared_with_others
from scoring.domain.runs.snapshots import snapshot_of
from scoring.domain.runs.starting import start_run
from scoring.models import Evaluation, Release
from scoring.stats.comparing import meng
from scoring.stats.text import dice_overlap
from scoring.summaries.tree import SHAPE
from tests.runs.projects import dialogues, labelled, news, relatedness

pytestmark = pytest.mark.django_db
FAST = {"splits": 4, "replicates": 4, "subsets": 4}


def release_of(project, **values):
    run = complete(start_run(project=project, actor=None, parameters=FAST))
    made = {"number": 1, "state": "done", "manifest": {}, "sha256": "ab", "code_version": "1"}
    return Release.objects.create(project=project, run=run, **made | values)


def vary_texts(project):
    """Texts that overlap more or less, so that the baseline has something to say."""
    for place, item in enumerate(project.items.order_by("pk")):
        item.sentence1, item.sentence2 = "a b c d e f", " ".join("abcdefghij"[place % 6 :][:4])
        item.save()
    return project


@pytest.fixture
def chosen():
    return release_of(vary_texts(relatedness("project")))


@pytest.fixture
def scores(chosen):
    found = chosen.run.results["choice_scores"]
    return dict(zip(found["item"], found["score"], strict=True))


def noisy(scores, seed=1, spread=0.3):
    noise = np.random.default_rng(seed).normal(0, spread, len(scores))
    return {item: score + extra for (item, score), extra in zip(scores.items(), noise.tolist(), strict=True)}


def test_correlations_with_intervals(chosen, scores, user):
    predictions = noisy(scores)
    evaluation = evaluate_model(chosen, " my model ", predictions, user)
    assert (evaluation.model, evaluation.created_by, evaluation.predictions) == ("my model", user, predictions)
    figures = evaluation.results["scores"]["choices"]
    whole = pearsonr(list(predictions.values()), list(scores.values()))
    low, high = whole.confidence_interval(0.95)
    assert (evaluation.results["main"], evaluation.results["shape"]) == ("choices", SHAPE)
    assert (figures["items"], figures["pairs"], figures["missing"]) == (12, 12, {"number": 0, "items": []})
    assert figures["whole"]["pearson"]["r"] == pytest.approx(whole.statistic)
    assert figures["whole"]["pearson"]["interval"] == pytest.approx({"low": low, "high": high})
    assert figures["whole"]["spearman"]["r"] == pytest.approx(
        spearmanr(list(predictions.values()), list(scores.values())).statistic
    )
    assert figures["pearson"] == pytest.approx(whole.statistic, abs=0.001) == round(figures["pearson"], 3)
    assert figures["multiple_choice"] is None
    assert figures["ceiling"]["average_rater"] is None


def test_missing_items_are_told_and_left_out(chosen, scores):
    some = {item: value for item, value in noisy(scores).items() if item not in ("p3", "p7")}
    figures = evaluate_model(chosen, "m", some, None).results["scores"]["choices"]
    assert (figures["pairs"], figures["missing"]) == (10, {"number": 2, "items": ["p3", "p7"]})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"q1": 1.0}, "not in the release: “q1”"),
        ({"p1": float("nan")}, "Predictions must be finite numbers of at most"),
        ({"p1": float("inf")}, "Predictions must be finite numbers of at most"),
        ({"p1": 10**400}, "Predictions must be finite numbers of at most"),
        ({"p1": 1e300}, "Predictions must be finite numbers of at most"),
        ({"p1": "0.3"}, "Predictions must be finite numbers of at most"),
        ({"p1": None}, "Predictions must be finite numbers of at most"),
        ({"p1": True}, "Predictions must be finite numbers of at most"),
    ],
)
def test_wrong_predictions_are_refused(chosen, scores, changes, reason):
    with pytest.raises(Refusal, match=reason):
        evaluate_model(chosen, "m", scores | changes, None)
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize("predictions", [{}, {"p1": 1, "p2": 2, "p3": 3}])
def test_too_few_predictions(chosen, predictions):
    with pytest.raises(Refusal, match="at least four pairs"):
        evaluate_model(chosen, "m", predictions, None)
    assert not Evaluation.objects.exists()


def test_predictions_without_variance(chosen, scores):
    with pytest.raises(Refusal, match="all scores are equal"):
        evaluate_model(chosen, "m", dict.fromkeys(scores, 1.0), None)


@pytest.mark.parametrize("name", ["m", " m ", "", "x" * 201, "Dice overlap"])
def test_name_that_is_taken_or_none(chosen, scores, name):
    evaluate_model(chosen, "m", noisy(scores), None)
    with pytest.raises(Refusal, match=r"Enter a model name|already"):
        evaluate_model(chosen, name, scores, None)


def test_release_that_is_not_done(chosen):
    chosen.state = "running"
    with pytest.raises(Refusal, match="not finished yet"):
        evaluate_model(chosen, "m", {}, None)


def test_release_whose_judgments_are_gone(chosen, scores):
    chosen.run.snapshot.delete(save=False)
    chosen.run.snapshot.name = "runs/gone.npz"
    with pytest.raises(Refusal, match="can no longer be read"):
        evaluate_model(chosen, "m", scores, None)


def test_compared_with_every_other_model(chosen, scores):
    one, other = noisy(scores, 1), noisy(scores, 2, 0.8)
    other.pop("p1")
    first = evaluate_model(chosen, "one", one, None)
    second = evaluate_model(chosen, "other", other, None)
    common = [item for item in scores if item != "p1"]
    columns = [np.round([values[item] for item in common], 3) for values in (other, one)]
    gold = np.array([scores[item] for item in common])
    r = [np.corrcoef(column, gold)[0, 1] for column in columns]
    expected = meng(r[0], r[1], np.corrcoef(*columns)[0, 1], 11)
    compared = second.results["scores"]["choices"]["compared"]
    assert set(compared) == {"Dice overlap", "one"}
    assert compared["one"]["pairs"] == 11
    assert compared["one"]["z"] == pytest.approx(expected.z)
    everybody = chosen.evaluations.all()
    now = compared_with_others(first, everybody, "choices")
    assert set(now) == {"Dice overlap", "other"}
    assert now["other"]["z"] == pytest.approx(-expected.z)
    assert now["other"]["p_left"] == pytest.approx(expected.p_right)
    assert compared_with_others(second, everybody, "choices") == compared
    # Had both come at the same moment, neither would know of the other.
    stored = compared.pop("one")
    assert compared_with_others(second, [first], "choices")["one"] == pytest.approx(stored)


def test_model_that_is_another_one(chosen, scores):
    evaluate_model(chosen, "one", noisy(scores), None)
    same = evaluate_model(chosen, "again", noisy(scores), None)
    compared = same.results["scores"]["choices"]["compared"]["one"]
    assert compared["z"] is None
    assert compared["z_reason"]


def test_baseline_comes_with_the_first_model(chosen, scores):
    evaluate_model(chosen, "m", noisy(scores), None)
    baseline = Evaluation.objects.get(model="Dice overlap")
    items = chosen.project.items.all()
    assert baseline.predictions == {item.key: dice_overlap(item.sentence1, item.sentence2) for item in items}
    assert (baseline.created_by, baseline.baseline) == (None, True)
    assert not Evaluation.objects.get(model="m").baseline
    assert add_baselines(chosen) == []


def test_baseline_without_variance_is_left_out():
    release = release_of(relatedness("project"))
    assert add_baselines(release) == []


def test_baseline_cannot_be_given_by_hand():
    release = release_of(relatedness("project"))  # its texts overlap alike, so the baseline stays away
    with pytest.raises(Refusal, match="is the name of a built-in model"):
        evaluate_model(release, "Dice overlap", {"p1": 1.0}, None)


def test_sentence_embeddings_are_an_extra(chosen, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(baselines, "import_module", absent)
    with pytest.raises(Refusal, match=r"model2vec. Install requirements-embeddings\.txt"):
        add_baselines(chosen, embeddings="anything")


VECTORS = {"[UNK]": (0, 0), **{word: (1, place) for place, word in enumerate("abcdef")}}


@pytest.fixture
def embeddings(tmp_path):
    """A model of model2vec that knows the words a to f."""
    model2vec = pytest.importorskip("model2vec", reason="requirements-embeddings.txt is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {word: number for number, word in enumerate(VECTORS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    folder = tmp_path / "tiny"
    model2vec.StaticModel(np.array(list(VECTORS.values()), dtype=np.float32), tokenizer).save_pretrained(folder)
    return str(folder)


def test_sentence_embeddings_as_a_baseline(chosen, embeddings):
    chosen.project.items.filter(key="p1").update(sentence2="x y z")
    again = release_of(chosen.project, number=2)

    made = {one.model: one for one in add_baselines(again, embeddings=embeddings)}

    assert [(name, one.baseline) for name, one in made.items()] == [
        ("Dice overlap", True),
        ("Sentence embeddings (tiny)", True),
    ]
    predictions = made["Sentence embeddings (tiny)"].predictions
    texts = dict(chosen.project.items.values_list("key", "sentence2"))
    assert set(predictions) == set(texts) - {"p1"}  # the model knows no word of it
    for item, value in predictions.items():
        one, other = (
            np.mean([VECTORS[word] for word in text.split() if word in VECTORS], axis=0)
            for text in ("a b c d e f", texts[item])
        )
        assert value == pytest.approx(one @ other / np.linalg.norm(one) / np.linalg.norm(other), abs=1e-6)


def test_model_of_embeddings_that_is_not_there(chosen, embeddings):
    with pytest.raises(Refusal, match="Could not load the model /nowhere/tiny"):
        add_baselines(chosen, embeddings="/nowhere/tiny")


def test_multiple_choice_of_dialogues():
    release = release_of(vary_texts(dialogues("project")))
    found = release.run.results["choice_scores"]
    scores = dict(zip(found["item"], found["score"], strict=True))
    perfect = evaluate_model(release, "perfect", scores, None).results["scores"]["choices"]["multiple_choice"]
    whole = {"groups": 3, "left_out": 0, "accuracy": 1.0, "by_chance": pytest.approx(0.2)}
    assert {name: value for name, value in perfect.items() if name != "turns"} == whole
    assert sum(one["groups"] for one in perfect["turns"].values()) == 3
    inverted = {item: -value for item, value in scores.items()} | {}
    inverted.pop("d3/u1")
    worst = evaluate_model(release, "inverted", inverted, None).results["scores"]["choices"]["multiple_choice"]
    assert (worst["groups"], worst["left_out"], worst["accuracy"]) == (2, 1, 0.0)


def test_multiple_choice_by_the_number_of_turns():
    project = vary_texts(dialogues("project"))
    longer = project.groups.order_by("position").first()
    Group.objects.filter(pk=longer.pk).update(turns=[{"speaker": "A", "text": "a"}] * 9)
    release = release_of(project)
    found = release.run.results["choice_scores"]
    scores = dict(zip(found["item"], found["score"], strict=True))
    worst_there = {item: -value if item.startswith(longer.key) else value for item, value in scores.items()}

    figures = evaluate_model(release, "m", worst_there, None).results["scores"]["choices"]

    by_turns, own = figures["multiple_choice"]["turns"], figures["apart"]["turns"]
    assert by_turns["9"] == {"groups": 1, "left_out": 0, "accuracy": 0.0, "by_chance": pytest.approx(0.2)}
    (other,) = by_turns.keys() - {"9"}
    assert (by_turns[other]["groups"], by_turns[other]["accuracy"]) == (2, 1.0)
    assert (own["9"]["items"], own["9"]["pearson"]) == (5, pytest.approx(-1))


def test_dialogues_without_known_turns_have_no_accuracy_by_turns():
    project = vary_texts(dialogues("project"))
    project.groups.update(turns=[])
    release = release_of(project)
    found = release.run.results["choice_scores"]

    figures = evaluate_model(release, "m", dict(zip(found["item"], found["score"], strict=True)), None)

    choice = figures.results["scores"]["choices"]["multiple_choice"]
    assert (choice["groups"], choice["turns"]) == (3, None)
    assert choice["turns_reason"] == "no item belongs to a dialogue with a known number of turns"


def test_p_values_of_a_model(chosen, scores):
    predictions = noisy(scores)
    figures = evaluate_model(chosen, "m", predictions, None).results["scores"]["choices"]
    columns = list(predictions.values()), list(scores.values())

    assert figures["whole"]["pearson"]["test"] == pytest.approx({"degrees": 10, "p": pearsonr(*columns).pvalue})
    assert figures["whole"]["spearman"]["test"]["p"] == pytest.approx(spearmanr(*columns).pvalue)
    assert figures["pearson_test"]["p"] == pytest.approx(pearsonr(np.round(columns[0], 3), columns[1]).pvalue)
    assert figures["typical_rater"]["z_reason"] == "the judgments are choices, not ratings"


def test_a_perfect_model_has_no_p_value(chosen, scores):
    figures = evaluate_model(chosen, "m", scores, None).results["scores"]["choices"]

    assert figures["whole"]["pearson"]["test"] == {
        "degrees": None,
        "degrees_reason": "the correlation is 1 or -1",
        "p": None,
        "p_reason": "the correlation is 1 or -1",
    }


def test_the_typical_rater_is_compared_with_a_model_by_what_the_others_said():
    release = release_of(labelled("project"))
    run, snapshot = release.run.results, snapshot_of(release.run)
    typical, table = run["raters"]["main"]["free"]["typical"], run["scores"]["main"]["free"]
    each = dict(zip(run["raters"]["main"]["free"]["annotator"], run["raters"]["main"]["free"]["pearson"], strict=True))
    rated = snapshot.rated
    person = snapshot.raters.pseudonyms.index(typical["closest_annotator"])
    own_rows = rated.keep(rated.raters == person)
    theirs = dict(zip(own_rows.items.tolist(), own_rows.values.tolist(), strict=True))
    others = {item: rated.values[(rated.items == item) & (rated.raters != person)].mean() for item in theirs}
    predictions = noisy(dict(zip(table["item"], table["mean"], strict=True)), spread=1.0)

    found = evaluate_model(release, "m", predictions, None).results["scores"]["main.free"]["typical_rater"]

    known = [r for r in each.values() if r is not None]
    assert (found["raters"], found["mean"]) == (len(known), pytest.approx(np.mean(known)))
    assert (found["best"], found["worst"]) == (max(known), min(known))
    assert found["closest"] == min(known, key=lambda r: abs(r - np.mean(known))) == each[found["closest_annotator"]]
    assert found["pairs"] == len(theirs)
    model = [round(predictions[snapshot.items.keys[item]], 3) for item in theirs]
    own, rest = [theirs[item] for item in theirs], [others[item] for item in theirs]
    r = pearsonr(own, rest).statistic, pearsonr(model, rest).statistic, pearsonr(own, model).statistic
    assert (found["person"], found["model"]) == pytest.approx(r[:2])
    assert found["z"] == pytest.approx(meng(*r, len(theirs)).z)


def test_ratings_have_a_ceiling():
    release = release_of(labelled("project"))
    table = release.run.results["scores"]["main"]["free"]
    scores = dict(zip(table["item"], table["mean"], strict=True))
    figures = evaluate_model(release, "perfect", scores, None).results["scores"]["main.free"]
    people = release.run.results["agreement"]["main"]["free"]
    assert figures["pearson"] == 1.0
    assert figures["pearson_interval"]["low"] is None
    assert figures["mse"] == 0
    assert figures["ceiling"] == {
        name: value for name, value in people.items() if name.startswith(("average_rater", "mse_bound", "mse_oracle"))
    }
    assert figures["ceiling"]["mse_bound"] > 0
    raters = [r for r in release.run.results["raters"]["main"]["free"]["pearson"] if r is not None]
    expected = ttest_1samp(raters, 1.0)
    against = figures["against_raters"]
    assert (against["raters"], against["degrees"]) == (len(raters), len(raters) - 1)
    assert (against["t"], against["p_two_sided"]) == pytest.approx((expected.statistic, expected.pvalue))


def test_run_of_an_earlier_version_has_no_raters_to_compare_with():
    release = release_of(labelled("project"))
    del release.run.results["raters"]
    table = release.run.results["scores"]["main"]["free"]

    figures = evaluate_model(release, "m", dict(zip(table["item"], table["mean"], strict=True)), None)

    against = figures.results["scores"]["main.free"]["against_raters"]
    assert (against["raters"], against["t"]) == (0, None)
    assert against["t_reason"].startswith("fewer than two annotators")
    typical = figures.results["scores"]["main.free"]["typical_rater"]
    assert (typical["raters"], typical["z"]) == (0, None)
    assert typical["z_reason"] == "the run was made by an earlier version, without the typical rater"


def test_languages_are_told_apart():
    project = vary_texts(relatedness("project"))
    project.items.filter(key__in=("p1", "p2", "p3", "p4", "p5")).update(language="en")
    project.items.filter(key="p6").update(language="de")
    release = release_of(project)
    found = release.run.results["choice_scores"]
    scores = dict(zip(found["item"], found["score"], strict=True))
    predictions = noisy(scores)

    apart = evaluate_model(release, "m", predictions, None).results["scores"]["choices"]["apart"]

    english = {f"p{one}" for one in range(1, 6)}
    sides = [[item for item in scores if (item in english) is here] for here in (True, False)]
    r = [pearsonr([predictions[item] for item in side], [scores[item] for item in side]).statistic for side in sides]
    own = apart["language"]["en"]
    assert list(apart) == ["language"]
    assert (own["items"], own["pearson"]) == (5, pytest.approx(r[0]))
    assert own["z"] == pytest.approx((np.arctanh(r[0]) - np.arctanh(r[1])) / np.sqrt(1 / 2 + 1 / 4))
    assert own["pearson_low"] is None and "fewer than 10 pairs of values" in own["pearson_low_reason"]
    assert (apart["language"]["de"]["z"], apart["language"]["de"]["items"]) == (None, 1)
    assert apart["language"]["de"]["z_reason"].startswith("fewer than four items")


def test_both_contexts_of_the_last_round():
    release = release_of(news("project"))
    items = release.run.results["scores"]["R3"]["free"]["item"]
    results = evaluate_model(release, "m", dict(zip(items, range(len(items)), strict=True)), None).results
    assert (results["main"], list(results["scores"])) == ("R3.free", ["R3.free", "R3.dependent"])
    assert results["scores"]["R3.dependent"]["pairs"] == len(items)


def spread_out(items, names=tuple("012345")):
    """A distribution of each item: most answers on one level, the others even."""
    share = 0.4 / (len(names) - 1)
    return {
        item: {f"p_{name}": 0.6 if at == place % len(names) else share for at, name in enumerate(names)}
        for place, item in enumerate(items)
    }


def test_distributions_of_ratings_are_compared_with_those_of_people():
    release = release_of(vary_texts(labelled("project")))
    items = release.run.results["scores"]["main"]["free"]["item"]
    predicted = spread_out(items)
    normal = {item: {"mean": float(place), "sd": 1.0 + place / 10} for place, item in enumerate(items)}

    by_level = evaluate_model(release, "levels", {}, None, distributions=predicted)
    by_moments = evaluate_model(release, "moments", {}, None, distributions=normal)

    figures = [made.results["scores"]["main.free"]["distributions"] for made in (by_level, by_moments)]
    assert by_level.predictions["p1"] == pytest.approx(0.08 * 15)
    assert (by_level.distributions, by_level.results["predictions"]) == (predicted, 6)
    for found in figures:
        assert (found["items"], found["impossible"], found["uniform"]) == (6, 0, pytest.approx(np.log(6)))
        assert 0 <= found["entropy"] <= found["cross_entropy"]
        assert 0 <= found["wasserstein"] <= 5
    assert (figures[0]["spread"] is None) == ("spread_reason" in figures[0])
    baseline = Evaluation.objects.get(baseline=True).results["scores"]["main.free"]
    assert baseline["distributions"] is None


def test_distributions_of_choices_predict_scores(chosen, scores):
    names = ("best", "middle", "worst")
    predicted = spread_out(scores, names) | {"p1": {"p_best": 1.0, "p_middle": 0.0, "p_worst": 0.0}}

    made = evaluate_model(chosen, "m", {"p2": 0.25}, None, distributions=predicted)

    found = made.results["scores"]["choices"]["distributions"]
    assert (made.predictions["p1"], made.predictions["p2"], len(made.predictions)) == (1.0, 0.25, 12)
    assert (found["items"], found["impossible"], found["cross_entropy"]) == (12, 1, None)
    assert found["cross_entropy_reason"] == "a level that was answered has probability 0 for 1 of the items"


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        ({"p_best": 0.5, "p_middle": 0.5}, "probabilities p_best, p_middle, p_worst, which sum to 1"),
        ({"p_best": 0.5, "p_middle": 0.5, "p_worst": 0.5}, "Check these items: “p1”"),
        ({"p_best": 1.5, "p_middle": -0.5, "p_worst": 0.0}, "Check these items: “p1”"),
        ({"mean": 0.5, "sd": 0.1}, "Check these items: “p1”"),
    ],
)
def test_wrong_distributions_are_refused(chosen, own, reason):
    with pytest.raises(Refusal, match=reason):
        evaluate_model(chosen, "m", {}, None, distributions={"p1": own})
    with pytest.raises(Refusal, match="not in the release: “q1”"):
        evaluate_model(chosen, "m", {}, None, distributions={"q1": own})
