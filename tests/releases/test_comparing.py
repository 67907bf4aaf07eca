"""Two releases compared: matched items, agreement, drift, items that moved, people again, and changed settings."""

import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel

from scoring.__main__ import main
from scoring.stats.repeated import Sample, agreement_of_scores, movement, two_way
from scoring.summaries.releases.comparing import compare_releases, main_place, place_of
from scoring.summaries.releases.matching import match_items
from scoring.summaries.releases.merging import merge_releases
from scoring.summaries.releases.protocols import protocol_differences
from scoring.summaries.releases.reading import Place, ReleasedData, ReleaseFault, read_release
from scoring.summaries.releases.wording import blocks_of
from tests.releases.making import contents, released
from tests.releases.packed import AFTER, BEFORE, FIRST, SECOND, Content, chosen, rated, unpacked
from tests.releases.worlds import czech_news, semrel


@pytest.fixture
def pair():
    """Two releases of the same six pairs; people changed their minds about the last one."""
    return [read_release(key, rated(key, rows)) for key, rows in (("spring", FIRST), ("autumn", SECOND))]


def test_scores_of_two_releases_are_compared(pair):
    found = compare_releases(*pair)

    x, y = (np.mean(rows, axis=0) for rows in (FIRST, SECOND))
    scores = found["scores"]
    assert found["kind"] == "ratings"
    assert found["items"] == {
        **{"shared": 6, "by_id": 6, "by_text": 0, "judged_in_both": 6},
        **{"other_texts": 0, "only_first": 0, "only_second": 0},
    }
    assert scores["pearson"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert scores["shift"] == pytest.approx((y - x).mean())
    assert scores["shift_p"] == pytest.approx(ttest_rel(x, y).pvalue)
    spread = 1.959963985 * np.std(y - x, ddof=1)
    assert [scores["limits_low"], scores["limits_high"]] == pytest.approx(
        [(y - x).mean() - spread, (y - x).mean() + spread]
    )
    assert scores["shift_low"] is None and scores["pearson_low"] is None  # six items are too few
    assert found["same_judgments"] == 0
    assert found["again"] == {"annotators": 0, "answers": 0}


def test_the_item_that_moved_is_found_and_tested(pair):
    moved = compare_releases(*pair)["moved"]

    most = moved["most"][0]
    columns = [[row[5] for row in rows] for rows in (FIRST, SECOND)]
    assert (most["item"], most["difference"]) == ("p6", pytest.approx(3.2))
    assert most["p"] == pytest.approx(ttest_ind(*columns, equal_var=False).pvalue)
    assert most["p_adjusted"] == pytest.approx(most["p"] * moved["tested"])
    assert moved["moved"] == 1


def test_a_later_release_of_the_same_project_has_the_same_judgments(pair):
    one = pair[0]

    found = compare_releases(one, one)

    assert found["same_judgments"] == 30
    assert found["again"]["annotators"] == 0
    assert (found["scores"]["shift"], found["scores"]["icc_absolute"]) == (0, pytest.approx(1))
    assert found["protocol"] == []


@pytest.mark.django_db
def test_two_rounds_of_one_release_have_people_who_answered_again():
    release = read_release("czech", Content(contents(released(czech_news()))))

    twice = [Place(key, context) for key in ("R2", "R3") for context in ("free", "dependent")]
    assert release.places == [Place("R1", "dependent"), *twice]
    assert main_place(release) == Place("R3", "free")
    found = compare_releases(release, release, (place_of(release, "R2"), place_of(release, "R2", "dependent")))

    again = found["again"]
    assert again["annotators"] == len(again["people"]) > 0
    assert again["answers"] == sum(own["answers"] for own in again["people"])
    assert all(own["days"] is not None for own in again["people"])
    with pytest.raises(ReleaseFault, match=r"no ratings that count in R9. Choose one of: R1 dependent, "):
        place_of(release, "R9")


def test_choices_are_compared_by_their_scores_and_the_same_people_by_their_tuples():
    first, second = (read_release("r", chosen("texts", choices)) for choices in (BEFORE, AFTER))

    found = compare_releases(first, second)

    assert (found["kind"], found["same_judgments"]) == ("choices", 0)
    assert [one["first"] for one in sorted(found["moved"]["most"], key=lambda one: one["item"])] == pytest.approx(
        [2 / 3, 0, -2 / 3]
    )
    again = {own["annotator"]: (own["same_best"], own["same_worst"], own["days"]) for own in found["again"]["people"]}
    assert again == {"anna": (1, 0, 181), "ben": (1, 1, 181)}
    assert found["again"]["same_worst"]["mean"] == 0.5
    assert [block.title for block in blocks_of(found)][-1] == "The same annotators again (2 annotators, 2 answers)"


@pytest.mark.django_db
def test_a_real_release_of_choices_is_read():
    release = read_release("semrel", Content(contents(released(semrel()))))

    found = compare_releases(release, release)

    assert (found["kind"], found["same_judgments"], found["again"]["annotators"]) == ("choices", 96, 0)
    assert found["items"]["judged_in_both"] == 12


def test_ratings_and_choices_are_not_compared_or_merged(pair):
    choices = read_release("texts", chosen("texts", BEFORE))

    with pytest.raises(ReleaseFault, match="cannot be compared"):
        compare_releases(pair[0], choices)
    with pytest.raises(
        ReleaseFault, match=r"cannot be merged.\nOne release has ratings, the other best-worst choices."
    ):
        merge_releases(pair[0], choices)


def test_the_same_people_rate_again_months_later():
    spring, autumn = (
        read_release(at, rated("study", rows, at=f"2026-{at}-01T12:00:00Z"))
        for at, rows in (("03", [*FIRST, [1] * 6]), ("10", [*SECOND, [1] * 6]))
    )

    found = compare_releases(spring, autumn)

    again = found["again"]
    assert (found["same_judgments"], again["annotators"], again["answers"]) == (0, 6, 36)
    first, second = np.array(FIRST[0]), np.array(SECOND[0])
    assert again["people"][0] == {
        "annotator": "study 0",
        "answers": 6,
        "pearson": pytest.approx(np.corrcoef(first, second)[0, 1]),
        "shift": pytest.approx((second - first).mean()),
        "rmse": pytest.approx(np.sqrt(((second - first) ** 2).mean())),
        "days": 214,
    }
    assert again["people"][5]["pearson"] is None
    assert again["pearson_low"] is None  # fewer than twelve people
    (block,) = [block for block in blocks_of(found) if block.title.startswith("The same annotators again")]
    assert block.rows[1][0] == "All (interval of r, 95%: n/a)"
    assert block.rows[-1] == ["study 5", "6", "n/a", "0.000", "0.000", "214.0"]


def test_releases_without_shared_or_counted_items_are_not_compared(pair):
    other = replace(pair[1], items={}, rows=())

    with pytest.raises(ReleaseFault, match="no judgment counts"):
        compare_releases(pair[0], other)
    with pytest.raises(ReleaseFault, match="share no item"):
        compare_releases(pair[0], replace(pair[1], items={}))


def release_with(items):
    rows = {key: {"item": key, "sentence1": text, "sentence2": ""} for key, text in items.items()}
    return ReleasedData("r", "", {"protocol": {}}, (), rows, ())


def test_items_are_matched_by_id_and_by_text():
    first = release_with({"a": "one", "b": "two", "c": "three  words", "d": "twice", "e": "twice", "x": "old"})
    second = release_with({"a": "one", "c2": "three words", "d2": "twice", "x": "new", "y": "two"})

    found = match_items(first, second)

    assert found.pairs == (("a", "a"), ("b", "y"), ("c", "c2"))
    assert (found.by_id, found.by_text, found.differing) == (1, 2, ("x",))
    assert (found.only_first, found.only_second) == (3, 2)


def test_protocols_are_compared_setting_by_setting():
    first = {"kind": "Protocol", "key": "k", "question": "How?", "rounds": [{"key": "R1", "design": {"people": 3}}]}
    second = {
        "kind": "Protocol",
        "key": "k",
        "question": "",
        "rounds": [{"key": "R1", "design": {"people": 4, "open": True}}],
    }

    assert protocol_differences(first, second) == [
        ("question", "How?", "–"),
        ("R1.people", "3", "4"),
        ("R1.open", "–", "yes"),
    ]


def test_two_way_icc_is_that_of_shrout_and_fleiss():
    # Judges 2 and 3 of the table of six targets in Shrout and Fleiss (1979), by their equations.
    x, y = np.array([2.0, 1, 4, 1, 5, 2]), np.array([5.0, 3, 6, 2, 6, 4])

    found = two_way(x, y)

    table = np.stack([x, y], axis=1)
    rows, columns, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
    between, judges = 2 * ((rows - grand) ** 2).sum() / 5, 6 * ((columns - grand) ** 2).sum()
    rest = ((table - rows[:, None] - columns + grand) ** 2).sum() / 5
    assert found.consistency == pytest.approx((between - rest) / (between + rest))
    assert found.absolute == pytest.approx((between - rest) / (between + rest + 2 * (judges - rest) / 6))
    assert found.absolute < found.consistency


def test_a_single_item_has_a_difference_and_nothing_else():
    sides = [Sample.of(np.array([0, 0]), np.array(own), 1) for own in ([1.0, 1.0], [2.0, 2.0])]

    found, moved = agreement_of_scores(*sides), movement(*sides)

    assert (found.items, found.shift, found.by_sampling) == (1, 1.0, 0.0)
    assert np.isnan([found.pearson, found.icc.absolute, found.shift_p, found.limits.low]).all()
    assert np.isnan(moved.p_values).all()


def test_a_large_number_of_items_has_intervals():
    generator = np.random.default_rng(3)
    items, truth = np.repeat(np.arange(80), 6), generator.normal(0, 1, 80)
    sides = [Sample.of(items, truth[items] + generator.normal(shift, 1, 480), 80) for shift in (0, 0.5)]

    found = agreement_of_scores(*sides)

    assert found.shift_interval.low < 0.5 < found.shift_interval.high
    assert found.pearson_interval.low < found.pearson < found.pearson_interval.high
    assert found.difference > found.by_sampling  # the shift is no sampling error


def test_the_command_prints_tables_and_json(tmp_path, capsys):
    folder = unpacked(rated("spring", FIRST), tmp_path / "a")
    archive = tmp_path / "b.zip"
    with zipfile.ZipFile(archive, "w") as whole:
        for name, content in rated("autumn", SECOND, question="How alike?").items():
            whole.writestr(f"autumn-release-1/{name}", content)

    assert main(["compare", str(folder), str(archive)]) == 0
    printed = capsys.readouterr().out
    assert main(["compare-releases", str(folder), str(archive), "--first-round", "main.free", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main(["compare-releases", str(folder), str(archive), "--second-round", "R7"]) == 2
    refused = capsys.readouterr().err

    assert f"Items that moved most (1 of {found['moved']['tested']} tested moved at" in printed
    assert "Settings that differ\n  Setting   First         Second\n  question  How similar?  How alike?\n" in printed
    assert (found["scores"]["items"], found["first"]["project"]) == (6, "spring")
    assert "there are no ratings that count in R7. Choose one of: main free." in refused


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda folder: (folder / "judgments.jsonl").unlink(), "judgments.jsonl is missing"),
        (lambda folder: (folder / "items.csv").write_text("item\np1\n"), "items.csv was changed"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "not those of a release"),
    ],
)
def test_files_that_are_not_those_of_a_release_are_refused(tmp_path, capsys, change, reason):
    folder = unpacked(rated("spring", FIRST), tmp_path / "a")
    change(folder)

    assert main(["compare-releases", str(folder), str(folder)]) == 2
    assert reason in capsys.readouterr().err


def test_a_path_without_a_release_is_refused(tmp_path, capsys):
    (tmp_path / "text.zip").write_text("no archive")

    assert main(["compare-releases", str(tmp_path / "text.zip"), str(tmp_path)]) == 2
    assert "not a ZIP file" in capsys.readouterr().err
    assert main(["compare-releases", str(tmp_path / "nothing"), str(tmp_path)]) == 2
    assert "there is no such folder or file" in capsys.readouterr().err
    zipfile.ZipFile(tmp_path / "empty.zip", "w").close()
    assert main(["compare-releases", str(tmp_path / "empty.zip"), str(tmp_path)]) == 2
    assert "manifest.json is missing" in capsys.readouterr().err
