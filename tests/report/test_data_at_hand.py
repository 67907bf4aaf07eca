"""The methods and the data card tell what was collected, not what the preset plans: sentences against the database."""

from collections import Counter

import pytest

from annotation.domain.judgment.extra_judgments import withdraw_items
from annotation.domain.material import ImportPolicy, import_judgments
from annotation.domain.participation.lifecycle import exclude, leave
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.overview import annotator_for, take_seat
from annotation.domain.simulation.rounds import Behaviour, simulate_person
from annotation.models import Judgment
from scoring.domain.releases.report import collection_of
from scoring.exports.report.choices import design
from scoring.exports.report.methods import methods
from tests.factories import NOON, add_pairs, make_project, make_user
from tests.importing.files import write
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import WORLDS, exclude_somebody, explored, simulate

pytestmark = pytest.mark.django_db


def told(run):
    return {paragraph.title: paragraph.text for paragraph in methods(collection_of(run))}


def card_of(run):
    return contents(released(run.project, run=run))["README.md"].decode()


def imported(preset, folder, header, rows, **changes):
    project = make_project(preset, **changes)
    add_pairs(project, 5)
    path = write(folder, "\n".join([header, *rows]) + "\n", "judgments.csv")
    import_judgments(project=project, path=path, round_key=None, now=NOON, handling=ImportPolicy())
    return project


def numbers_of(project, what):
    """How many judgments each thing has, of people who are not excluded, without calibration pairs."""
    own = Judgment.objects.filter(assignment__participation__project=project).exclude(
        assignment__participation__state="excluded"
    )
    own = own.filter(assignment__block="main").exclude(assignment__item__calibration_order__isnull=False)
    return Counter(own.values_list(f"assignment__{what}", flat=True))


def test_fewer_raters_than_planned_are_told_with_both_numbers():
    project = WORLDS["stss131"]()
    exclude_somebody(project, "main")
    run = run_of(project)

    items, people = numbers_of(project, "item"), numbers_of(project, "participation")
    assert (set(items.values()), len(items), len(people)) == ({3}, 4, 3)
    expected = (
        "Under the protocol, every pair is rated by 32 annotators; each annotator rates all pairs, in a random order "
        "drawn for each annotator. In practice, 4 annotator places were planned; 3 annotators contributed 12 ratings "
        "to the analysis, 3 for each of 4 pairs and 4 per annotator."
    )
    assert told(run)["Protocol"].endswith(expected)
    assert expected in card_of(run)
    assert "Of these, 2 pairs are used for calibration only" in told(run)["Material"]


def test_pools_are_told_apart():
    project = WORLDS["dscs"]()
    exclude_somebody(project, "main")

    text = told(run_of(project))["Protocol"]

    assert text.startswith(
        "Judgments were collected following the protocol of DSCS, with the following changes: main.students.people is "
        "2 instead of 5; main.crowd.people is 3 instead of 10. The question was “To"
    )
    assert text.endswith(
        "In practice, students: 1 annotator contributed 5 ratings to the analysis, 1 for each of 5 pairs; crowd: 3 "
        "annotators contributed 15 ratings to the analysis, 3 for each of 5 pairs and 5 per annotator."
    )


@pytest.mark.parametrize(
    ("world", "numbers"),
    [
        (
            "semrel",
            "there are 24 tuples built from 12 pairs; 4 annotators contributed 96 choices to the analysis, 4 for "
            "each of 24 tuples and 24",
        ),
        (
            "giccs",
            "there are 30 tuples built from 15 utterances; 5 annotators contributed 150 choices to the analysis, 5 "
            "for each of 30 tuples and 30",
        ),
    ],
)
def test_a_plan_that_was_carried_out_is_told_as_such(world, numbers):
    project = WORLDS[world]()

    text = told(run_of(project))["Protocol"]

    tuples = numbers_of(project, "tuple")
    assert f" {len(tuples)} tuples" in numbers and f" {sum(tuples.values())} choices" in numbers
    assert "with the following changes" not in text
    assert text.endswith(f"The design was carried out in full: {numbers} per annotator.")


def test_an_unfinished_selection_is_told_by_its_screens():
    text = told(run_of(explored()))["Protocol"]

    assert (
        "In total, 4 annotators made selections for 48 summary sentences, from 4 incidents each. R2 (exploration)"
    ) in text
    assert (
        "In total, without context: 12 annotators contributed 72 ratings to the analysis, 1 for each of 72 pairs and "
        "6 per"
    ) in text
    assert text.endswith("So far, no ratings are included in the analysis.")


def test_imported_choices_are_not_told_as_planned(tmp_path):
    rows = ["p1,p2,p3,p1,p3,a,1", "p2,p3,p4,p2,p4,b,1", "p2,p3,p4,p2,p3,a,1", "p1,p3,p4,p1,p4,c,0"]
    header = "item1,item2,item3,best,worst,annotator,counted"
    run = run_of(imported("semrel", tmp_path, header, rows, tuple_size="3"))

    found = told(run)

    assert found["Protocol"].startswith(
        "Judgments were imported into a project that uses the protocol of SemRel2024, with the following changes: "
        "main.tuple_size is 3 instead of 4. "
    )
    assert found["Protocol"].endswith(
        "The choices were imported rather than collected with this design: there are 3 tuples built from 4 of 5 pairs; "
        "2 annotators contributed 3 choices to the analysis, 1 to 2 (median 1.5) for each of 2 tuples and 1 to 2 per "
        "annotator; 1 tuple has no choices."
    )
    assert found["Annotators"] == (
        "The imported judgments were made by 3 annotators; those of 1 of them are excluded from the analysis."
    )
    assert found["Exclusions"].startswith("1 annotator was excluded by the imported file. ")
    card = card_of(run)
    assert (
        "Human judgments of texts, imported into a project that uses the protocol of SemRel2024, with the following"
        in card
    )
    assert "| main | 3 | 4 | 3 | 1: by the imported file |" in card


def test_judgments_imported_before_a_round_was_planned_are_not_told_as_collected(tmp_path):
    rows = [f"p{pair},{who},{pair % 4}" for pair in range(1, 5) for who in ("a", "b")]
    project = imported("stss131", tmp_path, "item,annotator,value", rows, people="3")
    plan_round(project=project, round_key="main")
    simulate(project, "main")
    exclude(participation_id=outside_place(project, "a").pk, reason="No consent.", actor=make_user("boss"), now=NOON)

    run = run_of(project)

    found, card = told(run), card_of(run)
    assert numbers_of(project, "participation__annotator__external_id")["b"] == 4
    assert found["Protocol"].startswith("Judgments were partly imported and partly collected following the protocol of")
    assert "; 4 of these ratings, by 1 annotator, were imported" in found["Protocol"]
    assert found["Annotators"].startswith(
        "Judgments by 2 annotators were imported; those of 1 of them are excluded from the analysis. 3 annotators "
        "took part: 3 finished."
    )
    assert "Human judgments of texts, partly imported and partly collected following" in card
    assert "; 4 of these ratings, by 1 annotator, were imported" in card


def outside_place(project, name):
    return project.participations.get(annotator__external_id=name)


def test_imported_ratings_claim_no_raters(tmp_path):
    rows = [f"p{pair},{who},{pair % 4}" for pair in range(1, 5) for who in ("a", "b")]
    run = run_of(imported("stss131", tmp_path, "item,annotator,value", rows))

    assert told(run)["Protocol"].endswith(
        "The ratings were imported rather than collected with this design: 2 annotators contributed 8 ratings to the "
        "analysis, 2 for each of 4 pairs and 4 per annotator; 1 pair has no ratings."
    )
    assert "Pauses" not in told(run)


def test_judgments_of_withdrawn_items_are_among_those_that_were_made():
    project = WORLDS["stss131"]()
    withdraw_items(
        project=project, keys=[rated_item(project)], reason="Faulty text.", actor=make_user("boss"), now=NOON
    )
    run = run_of(project)

    made = Judgment.objects.filter(assignment__participation__project=project).count()
    counted = run.results["overview"]["ratings_counted"]
    withdrawn = run.results["overview"]["not_counted"]["withdrawn"]
    assert withdrawn > 0
    assert (
        f"The data comprise {made} ratings, of which {counted} are included in the analysis. Of the {made} judgments "
        "stored" in told(run)["Judgments"]
    )


def rated_item(project):
    """The key of an item that is rated and not for calibration."""
    judgments = Judgment.objects.filter(assignment__participation__project=project, assignment__block="main")
    return judgments.filter(assignment__item__calibration_order=None).first().assignment.item.key


def test_who_came_when_nothing_was_left_did_not_take_part():
    project = WORLDS["semrel"]()
    before = told(run_of(project))["Annotators"]
    late = project.participations.filter(state="finished").first()
    late.pk, late.seat, late.annotator = None, 99, annotator_for(project, user=make_user("late"))
    late.save()

    expected = before.replace("finished.", "finished. 1 further annotator joined when no items were left to judge.", 1)
    assert told(run_of(project))["Annotators"] == expected != before


def test_withdrawn_pairs_are_told_and_in_no_plan():
    project = WORLDS["dscs"]()
    withdraw_items(
        project=project, keys=[rated_item(project)], reason="Faulty text.", actor=make_user("boss"), now=NOON
    )
    run = run_of(project)

    assert told(run)["Material"].startswith("The material comprises 5 pairs of texts. 1 pair was withdrawn")
    assert (
        "In practice, 1 pair was withdrawn; students: 2 annotators contributed 8 ratings to the analysis, 2 for each "
        "of 4 pairs and 4 per" in (told(run)["Protocol"])
    )
    assert "1 item was withdrawn and has no score." in card_of(run)


def test_design_with_leavers_is_not_called_complete():
    """Every pair has all its ratings, but not everybody rated all pairs."""
    project = make_project("stss131", people="2")
    add_pairs(project, 4)
    plan_round(project=project, round_key="main")
    person = simulate_person(
        take_seat(project=project, round_key="main", annotator=annotator_for(project, external_id="leaver")),
        behaviour=Behaviour(),
        seed=1,
        start=NOON,
        screens=1,
    )
    leave(participation_id=person.pk, reason="No time.", now=person.assignments.first().answered_at)
    simulate(project)

    assert told(run_of(project))["Protocol"].endswith(
        "In practice, 3 annotators contributed 8 ratings to the analysis, 2 for each of 4 pairs and 1 to 4 per "
        "annotator."
    )


def test_tuples_of_withdrawn_items_are_not_told_as_unanswered():
    project = WORLDS["semrel"]()
    withdraw_items(project=project, keys=["p3"], reason="Faulty text.", actor=make_user("boss"), now=NOON)

    text = told(run_of(project))["Protocol"]

    gone = project.tuples.filter(items__key="p3").distinct().count()
    assert (
        f"there are {24 - gone} tuples built from 11 pairs; {gone} tuples with a withdrawn item were left out; 4 "
        "annotators contributed"
    ) in text
    assert "none" not in text.partition("contributed")[2] != ""


def test_people_who_selected_are_among_those_who_count():
    project = WORLDS["czech_news"]()
    overview = run_of(project).results["overview"]

    counted = Judgment.objects.filter(assignment__participation__project=project)
    people = set(counted.values_list("assignment__participation__annotator", flat=True))
    assert overview["people_counted"] == len(people) == overview["people"]
    assert overview["pairs_selected"] == 3 * counted.filter(assignment__sentence__isnull=False).count()


@pytest.mark.parametrize("world", ["czech_news", "giccs"])
def test_texts_that_items_share_by_design_are_no_findings(world):
    found = run_of(WORLDS[world]()).results["corpus"]

    assert "repeated text" not in found["kind"]


def test_dialogues_are_ranked_each_by_itself():
    (table,) = design(run_of(WORLDS["giccs"]()).results)
    labels = [row.label for row in table.rows]

    assert "All items of a group can be ranked together" in labels and "All can be ranked together" not in labels
