"""Stacks planned (Czech News 4.2.2): calibration, main and intra block, and who gets what."""

from collections import Counter

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.domain.planning.selections import nobody_ready
from annotation.models import Assignment, Item, Participation, Project, RoundPlan, SelectedPair
from tests.domain.test_assigning import places_of, plan_of, refusal_of, selected, sessions_of
from tests.factories import NOON, answer_all, do_round, news_project, seat_outsider
from tests.remembering import remembered


@remembered
def validated_project(**changes: object) -> Project:
    """R1 and R2 done in small: 4 people select 12 tuples each, 12 people validate 6 of each."""
    project = news_project(**changes)
    do_round(project, "R2")
    return project


def items_of(place: Participation, block: str, session: int = 1) -> list[int]:
    rows = place.assignments.filter(block=block, session=session).order_by("position")
    return list(rows.values_list("item", flat=True))


def rated_in_r2(place: Participation) -> set[int]:
    screens = Assignment.objects.filter(participation__annotator=place.annotator, participation__round="R2")
    return set(screens.values_list("item", flat=True))


def test_stacks_of_the_planned_size_for_the_first_tuples_of_each_annotator(db):
    project = validated_project()

    outcome = plan_round(project=project, round_key="R3")

    calibration = list(Item.objects.filter(calibration_order__isnull=False).order_by("calibration_order"))
    assert outcome == {
        "round": "R3",
        "places": 12,
        "new places": 12,
        "annotators validated": 2,
        "people from the earlier round": 12,
        "places without intra block": 0,
        "stacks": 36,
        "identical stacks": 0,
        "calibration pairs": [item.key for item in calibration],
        "calibration drawn by seed": True,
    } | {"identical stacks": outcome["identical stacks"]}
    places = places_of(project, "R3")
    owners = {place.validates for place in places}
    assert Counter(place.validates_id for place in places) == {owner.pk: 6 for owner in owners}
    for owner in owners:
        tuples = list(zip(*[items_of(place, "main") for place in owner.validators.filter(round="R3")], strict=True))
        assert [Counter(stack) for stack in tuples] == [
            dict.fromkeys(of_sentence, 2) for of_sentence in selected(project, owner)[:6]
        ]


def test_every_place_has_three_blocks_and_two_equal_sessions(db):
    project = validated_project()

    plan_round(project=project, round_key="R3")

    calibration = list(Item.objects.filter(calibration_order__isnull=False).order_by("calibration_order"))
    values = [SelectedPair.objects.get(item=item).value for item in calibration]
    assert values == [0.0, 3.0, 6.0]
    for place in places_of(project, "R3"):
        free, dependent = sessions_of(place)
        intra = set(items_of(place, "intra"))
        assert free == dependent
        assert [block for block, _ in free] == ["calibration"] * 3 + ["main"] * 6 + ["intra"] * 2
        assert items_of(place, "calibration") == [item.pk for item in calibration]
        assert intra < rated_in_r2(place)
        assert not rated_in_r2(place) & set(items_of(place, "main"))
    contexts = Assignment.objects.filter(participation__round="R3").values_list("session", "context")
    assert set(contexts) == {(1, "free"), (2, "dependent")}


def test_nobody_validates_own_selections_when_all_rounds_have_the_same_people(db):
    """The people of R1 are also people of R2 and so of R3."""
    project = news_project()
    plan_round(project=project, round_key="R2")
    for name in ("r1-1", "r1-2", "r1-3", "r1-4", *(f"r2-{number}" for number in range(1, 9))):
        answer_all(seat_outsider(project, "R2", name))
    for number in range(3):
        Item.objects.create(project=project, key=f"c{number}", position=0, sentence1="One.", sentence2="Two.")

    plan_round(project=project, round_key="R3", people=24, calibration=["c0", "c1", "c2"])

    for place in places_of(project, "R3"):
        own = SelectedPair.objects.filter(judgment__assignment__participation__annotator=place.annotator)
        if place.annotator is None:
            continue
        assert place.validates.annotator != place.annotator
        assert not set(own.values_list("item", flat=True)) & {item for _, item in sessions_of(place)[0]}
        assert not rated_in_r2(place) & set(items_of(place, "main"))


def test_pairs_that_somebody_has_still_to_rate_in_r2_do_not_return_in_r3(db):
    project = news_project(people=1, R3__annotators="1")
    plan_round(project=project, round_key="R2")
    for number in range(1, 4):
        seat_outsider(project, "R2", f"r2-{number}")

    outcome = plan_round(project=project, round_key="R3")

    assert (outcome["people from the earlier round"], outcome["places without intra block"]) == (3, 6)
    for place in places_of(project, "R3"):
        assert not rated_in_r2(place) & set(items_of(place, "main"))


def test_places_without_a_person_of_r2_stay_free_and_have_no_intra_block(db):
    project = validated_project(people=1, R3__annotators="1")

    outcome = plan_round(project=project, round_key="R3")

    free = [place for place in places_of(project, "R3") if place.annotator is None]
    assert (outcome["people from the earlier round"], outcome["places without intra block"], len(free)) == (3, 3, 3)
    assert [items_of(place, "intra") for place in free] == [[]] * 3


def test_people_who_were_excluded_or_left_do_not_come_back(db):
    project = validated_project(people=1, R3__annotators="1")
    gone = project.participations.filter(round="R2").first()
    exclude(participation_id=gone.pk, reason="Careless.", actor=None, now=NOON)

    plan_round(project=project, round_key="R3")

    assert gone.annotator not in [place.annotator for place in places_of(project, "R3")]


def test_stacks_can_be_planned_before_r2(db):
    project = news_project()

    outcome = plan_round(project=project, round_key="R3")

    assert (outcome["people from the earlier round"], outcome["places without intra block"]) == (0, 12)
    assert outcome["places"] == 12


def test_fewer_annotators_on_request(db):
    project = news_project()

    outcome = plan_round(project=project, round_key="R3", people=6)

    assert (outcome["places"], outcome["annotators validated"], outcome["stacks"]) == (6, 1, 18)


@pytest.mark.parametrize(
    ("people", "reason"),
    [
        (7, "Round R3 needs 6 people for each annotator. Choose a multiple of 6 instead of 7."),
        (
            30,
            "Round R3 validates 5 annotators, but round R1 has only 4 ready. "
            "Annotators of round R1 are ready once they have finished or left with at least 6 selections.",
        ),
    ],
)
def test_stacks_are_refused(db, people, reason):
    assert refusal_of(news_project(), "R3", people=people) == reason


def test_stacks_without_selections_are_refused(db):
    project = news_project(people=1, incidents=1)

    reason = refusal_of(project, "R3")

    assert reason.startswith("Round R3 validates 2 annotators, but round R1 has only 0 ready. ")
    assert reason.endswith(nobody_ready(project.round("R3").design))


def test_stacks_are_planned_once(db):
    project = news_project()
    plan_round(project=project, round_key="R3")

    reason = refusal_of(project, "R3", people=24)

    assert reason == "Round R3 is already planned. People who leave or are excluded are replaced automatically."


def test_more_people_than_others_is_refused(db):
    """Two people of R1 who are the only ones of R2, too, cannot both validate one of them."""
    project = news_project(people=1, R3__annotators="1", R3__stack_size="1")
    project.participations.filter(round="R1").update(seat=1)
    own = project.participations.get(round="R1").annotator
    Participation.objects.create(project=project, round="R2", seat=1, annotator=own, state="invited")

    reason = refusal_of(project, "R3")

    assert reason == "An annotator would have to validate their own selections. More people are needed."


# Calibration


def selected_key(project: Project, value: float, number: int = -1, **filters: object) -> str:
    """The key of a pair of that value; of the last annotator's last incident where nothing else is said."""
    pairs = SelectedPair.objects.filter(item__project=project, value=value, **filters).order_by("pk")
    return list(pairs)[number].item.key


def test_calibration_chosen_by_keys_keeps_its_order(db):
    project = news_project(people=2, R3__calibration="6,0,3")
    keys = [selected_key(project, value) for value in (6, 0, 3)]

    outcome = plan_round(project=project, round_key="R3", calibration=keys)

    assert (outcome["calibration pairs"], outcome["calibration drawn by seed"]) == (keys, False)
    orders = Item.objects.filter(calibration_order__isnull=False).order_by("calibration_order")
    assert list(orders.values_list("key", flat=True)) == keys
    for place in places_of(project, "R3"):
        assert [Item.objects.get(pk=item).key for item in items_of(place, "calibration")] == keys


def test_calibration_marked_before_is_taken_and_keys_replace_it(db):
    project = news_project(people=2)
    marked = [selected_key(project, value) for value in (0, 3, 6)]
    for order, key in enumerate(marked, start=5):
        Item.objects.filter(key=key).update(calibration_order=order)
    chosen = [selected_key(project, value, -2) for value in (0, 3, 6)]

    with_keys = plan_round(project=project, round_key="R3", calibration=chosen)
    Assignment.objects.filter(participation__round="R3").delete()
    project.participations.filter(round="R3").delete()
    as_marked = plan_round(project=project, round_key="R3")

    assert with_keys["calibration pairs"] == as_marked["calibration pairs"] == chosen
    assert not as_marked["calibration drawn by seed"]
    assert Item.objects.filter(calibration_order__isnull=False).count() == 3


def test_calibration_with_a_pair_of_somebody_who_takes_part_is_refused(db):
    project = news_project(people=2)
    keys = [selected_key(project, value) for value in (0, 3, 6)]
    plan_round(project=project, round_key="R2")
    seat_outsider(project, "R2", "r1-2")  # who selected the last pairs, and validates the other annotator

    with pytest.raises(Refusal, match="Annotators of this round selected these"):
        plan_round(project=project, round_key="R3", calibration=keys)


def test_calibration_with_pairs_that_nobody_selected_is_not_compared(db):
    """Pairs of another collection may be brought in to calibrate with; nobody here has rated them."""
    project = news_project(people=2)
    for number in range(3):
        Item.objects.create(project=project, key=f"c{number}", position=0, sentence1="One.", sentence2="Two.")

    outcome = plan_round(project=project, round_key="R3", calibration=["c0", "c1", "c2"])

    assert outcome["calibration pairs"] == ["c0", "c1", "c2"]


def test_calibration_is_refused(db):
    project = news_project(people=2)
    zero, three, six = (selected_key(project, value) for value in (0, 3, 6))
    in_main = selected_key(project, 0, 0)
    cases = {
        (zero, "p9", three, "p8"): "These calibration pairs do not exist: p9, p8. Check the keys.",
        (zero, three): "The calibration block needs 3 pairs, but 2 were chosen.",
        (zero, six, six + "x"): f"These calibration pairs do not exist: {six}x. Check the keys.",
        (
            zero,
            six,
            three,
        ): (
            f"The pair {six} was rated 6, but its position in the "
            "calibration block requires exactly 3. Choose another pair."
        ),
        (in_main, three, six): f"These calibration pairs are also in the main block: {in_main}. Choose other pairs.",
        (zero, three, zero): "A calibration pair is listed twice. List each pair only once.",
    }

    assert {keys: refusal_of(project, "R3", calibration=keys) for keys in cases} == cases
    assert Item.objects.filter(calibration_order__isnull=False).count() == 0


def test_calibration_that_cannot_be_drawn_is_refused(db):
    project = news_project(people=2, R3__calibration="5,5")

    assert refusal_of(project, "R3") == (
        "There are not enough pairs for calibration. Pairs rated exactly 5 and not used elsewhere that are "
        "needed: 2. Choose the calibration pairs yourself."
    )


def test_drawn_calibration_is_nobodys_own_selection(db):
    project = news_project()
    plan_round(project=project, round_key="R2")
    for name in ("r1-1", "r1-2", "r1-3", *(f"r2-{number}" for number in range(1, 10))):
        answer_all(seat_outsider(project, "R2", name))

    plan_round(project=project, round_key="R3")

    calibration = SelectedPair.objects.filter(item__calibration_order__isnull=False)
    owners = calibration.values_list("judgment__assignment__participation__annotator__external_id", flat=True)
    assert set(owners) == {"r1-4"}


def test_the_same_seed_gives_the_same_stacks(db):
    project = validated_project()
    plans = []
    for seed in (7, 7, 8):
        Project.objects.update(seed=seed)
        plan_round(project=project, round_key="R3")
        people = [place.annotator_id for place in places_of(project, "R3")]
        plans.append((plan_of(project, "R3"), people))
        project.participations.filter(round="R3").delete()
        RoundPlan.objects.filter(round="R3").delete()
        Item.objects.update(calibration_order=None)

    assert plans[0] == plans[1] != plans[2]


def test_a_refused_plan_changes_no_calibration(db):
    project = news_project(people=2)

    with pytest.raises(Refusal):
        plan_round(project=project, round_key="R3", calibration=[selected_key(project, 6)])

    assert not Item.objects.filter(calibration_order__isnull=False).exists()
