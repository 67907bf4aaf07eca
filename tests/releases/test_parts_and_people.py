"""The split-half reliability of train, dev and test, and people by their answers, in report and card."""

import pytest

from annotation.domain.planning.rounds import plan_round
from annotation.models import PersonalAnswer, Question, QuestionKind
from scoring.domain.releases.report import collection_of, results_with_answers, results_with_parts
from scoring.exports.report.methods import methods
from scoring.exports.report.sections import sections
from tests.factories import add_pairs, make_project
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import exclude_somebody, semrel, simulate, stss131

pytestmark = pytest.mark.django_db


def words_of(run):
    return {paragraph.title: paragraph.text for paragraph in methods(collection_of(run))}


def tables_of(run):
    return {table.title: table for section in sections(results_with_parts(run), []) for table in section.tables}


def test_each_part_of_a_split_has_its_reliability():
    run = run_of(semrel(), splits=100)
    release = released(run.project, run, options={"sizes": "train=0.5,dev=0.25,test=0.25"})

    found = release.manifest["split_half"]

    assert set(found) == {"train", "dev", "test", "train and dev"}
    assert sum(found[part]["items"] for part in ("train", "dev", "test")) == run.results["overview"]["items"]
    assert found["train and dev"]["items"] == found["train"]["items"] + found["dev"]["items"]
    assert {own["splits"] for own in found.values()} == {100}
    table = tables_of(run)["Split-half reliability of each part of the split"]
    assert [row.label for row in table.rows] == ["Train", "Dev", "Test", "Train and dev"]
    assert table.note.startswith(f"Release {release.number}. ")
    mean = f"{found['train']['spearman']['mean']:.3f}".replace("-", "−")
    told = f"for each part of release {release.number}, mean Spearman’s ρ: {mean} in train (n = "
    assert told in words_of(run)["Reliability"]
    card = contents(release)["README.md"].decode()
    assert "### Split-half reliability of each part of the split" in card
    assert f"| Train | {found['train']['items']} | 100 | {mean} | " in card
    assert f"Release {release.number}." not in card  # releases of the same run are the same to the byte


def test_without_a_split_there_are_no_parts():
    run = run_of(stss131())
    release = released(run.project, run)

    assert "split_half" not in release.manifest
    assert results_with_parts(run) == run.results


def test_the_range_of_people_per_tuple_is_in_report_and_card():
    run = run_of(semrel())

    found = run.results["choice_agreement"]["annotators_per_tuple"]
    ends = f"{found['min']} to {found['max']}" if found["min"] < found["max"] else f"{found['max']}"
    assert (f"For each judged tuple, the analysis includes choices from {ends} annotators.") in words_of(run)[
        "Reliability"
    ]
    table = tables_of(run)["Annotators and counted judgments per tuple"]
    assert [cell.text for cell in table.rows[0].cells] == [str(found["min"]), str(found["max"])]
    card = contents(released(run.project, run))["README.md"].decode()
    assert "### Annotators and counted judgments per tuple" in card


def asked(project, text, kind, answers, *, published=True):
    """A question, answered by the first people of a project."""
    question = Question.objects.create(project=project, position=1, text=text, kind=kind, published=published)
    people = project.annotators.order_by("pk")[: len(answers)]
    PersonalAnswer.objects.bulk_create(
        PersonalAnswer(annotator=person, question=question, text=answer)
        for person, answer in zip(people, answers, strict=True)
    )
    return question


def many_people():
    """Fourteen people with judgments, of whom one is excluded."""
    project = make_project("stss131", key="many")
    add_pairs(project, 4, calibration=2)
    plan_round(project=project, round_key="main", people=14)
    simulate(project, people=14)
    return project


@pytest.mark.postgres
def test_people_by_their_answers_are_in_report_and_card():
    project = many_people()
    ages = ["23"] * 6 + ["31"] * 5 + ["47"] * 2 + ["64"]
    asked(project, "How old are you?", QuestionKind.NUMBER, ages)
    asked(project, "Your gender?", QuestionKind.CHOICE, ["woman"] * 7 + ["man"] * 5)
    asked(project, "Your first language?", QuestionKind.LANGUAGE, ["Czech", "Slovak", "czech", "Sorbian"])
    asked(project, "Your employer?", QuestionKind.TEXT, ["A firm"] * 14, published=False)

    run = run_of(project)

    text, card = words_of(run)["Annotators"], contents(released(project, run))["README.md"].decode()
    # Two people of 47 and one of 64 would follow by subtraction; so do the two who gave no gender.
    assert (
        "Answers to “How old are you?” by the 14 annotators whose judgments are included in the analysis: 20 to 29 "
        "(6) and all others (8)."
    ) in text
    assert "whose judgments are included in the analysis: woman (7) and all others (7)." in text
    assert text.endswith("Groups of fewer than 5 annotators are merged with other groups.")
    assert "### Annotators with counted judgments, by their answer to “Your gender?”\n\n| Figure | Annotators |" in card
    assert "| woman | 7 |\n| all others | 7 |\n\nGroups of fewer than 5 annotators" in card
    for secret in ("Slovak", "Sorbian", "47", "A firm", "employer", "first language"):
        assert secret not in text
    for secret in ("Slovak", "Sorbian", "A firm", "employer", "first language"):
        assert secret not in card


def test_agreement_by_answers_is_in_the_report_and_in_no_file():
    project = many_people()
    asked(project, "Your gender?", QuestionKind.CHOICE, ["woman"] * 7 + ["man"] * 5)
    asked(project, "Your employer?", QuestionKind.TEXT, ["A firm"] * 14, published=False)
    run = run_of(project)

    found = results_with_answers(run, collection_of(run))["subgroups"]

    assert {question: list(kinds) for question, kinds in found.items()} == {"Your gender?": ["ratings"]}
    groups = found["Your gender?"]["ratings"]
    assert [(own["group"], own["people"]) for own in groups] == [("woman", 7), ("all others", 7)]
    assert all(own["shared"] == 2 and own["alpha"] is not None for own in groups)
    assert "subgroups" not in run.results
    assert not [name for name, content in contents(released(project, run)).items() if b"Agreement of the" in content]


def test_only_people_whose_judgments_count_are_in_the_groups():
    project = many_people()
    asked(project, "Your gender?", QuestionKind.CHOICE, ["woman"] * 14)
    exclude_somebody(project, "main")

    text = words_of(run_of(project))["Annotators"]
    assert (
        "Answers to “Your gender?” by the 13 annotators whose judgments are included in the analysis: woman (13)."
    ) in text


@pytest.mark.postgres
def test_an_answer_that_was_erased_is_in_no_later_summary():
    project = many_people()
    question = asked(project, "Your gender?", QuestionKind.CHOICE, ["woman"] * 9 + ["man"] * 5)
    run = run_of(project)
    assert "woman (9) and man (5)." in words_of(run)["Annotators"]

    question.answers.filter(text="man").first().delete()

    # Four men and one person without an answer are merged.
    assert "woman (9) and all others (5)." in words_of(run)["Annotators"]
