"""Judgments that no collection here would hold: left out, or kept unchanged, and counted."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, ImportPolicy, Invalid, Repeated, import_judgments
from annotation.domain.material.policy import ImportCounts
from annotation.models import Assignment, Judgment, Tuple, TuplePlace
from scoring.domain.runs.reading import read_snapshot
from scoring.stats.bws import count_choices, exact_scores
from tests.factories import NOON, add_pairs, make_project
from tests.importing.files import write

pytestmark = pytest.mark.django_db

CHOICES = "item1,item2,item3,best,worst,annotator"
RATINGS = "item,annotator,value"


@pytest.fixture
def project():
    """Five pairs, in tuples of three."""
    project = make_project("semrel", tuple_size="3")
    add_pairs(project, 5)
    return project


@pytest.fixture
def rated():
    project = make_project("stss131", key="rated")
    add_pairs(project, 2)
    return project


def bring_in(project, folder, *rows, **handling):
    path = write(folder, "\n".join(rows) + "\n")
    return import_judgments(project=project, path=path, round_key=None, now=NOON, handling=ImportPolicy(**handling))


def refusals(project, folder, *rows, **handling):
    with pytest.raises(FileRefused) as refused:
        bring_in(project, folder, *rows, **handling)
    return [str(problem) for problem in refused.value.problems]


def choices():
    rows = Judgment.objects.order_by("pk")
    return list(
        rows.values_list(
            "assignment__participation__annotator__external_id",
            "assignment__tuple__position",
            "assignment__session",
            "assignment__order",
            "best__key",
            "worst__key",
            "invalid",
        )
    )


def values():
    rows = Judgment.objects.order_by("assignment__item__key", "assignment__participation__annotator__external_id")
    return list(rows.values_list("assignment__item__key", "assignment__participation__annotator__external_id", "value"))


ODD = ["p1,p2,p3,p2,p3,ann", "p1,p2,p1,p1,p1,ann", "p4,p1,p1,p4,p1,bob"]


def test_invalid_choices_are_kept_and_count_as_they_stand(project, tmp_path):
    done = bring_in(project, tmp_path, CHOICES, *ODD, invalid=Invalid.KEEP)
    assert (done.judgments, done.annotators, done.met) == (3, 2, ImportCounts(invalid=2))
    assert choices() == [
        ("ann", 1, 1, "123", "p2", "p3", False),
        ("ann", 2, 1, "123", "p1", "p1", True),
        ("bob", 3, 1, "123", "p4", "p1", True),
    ]
    snapshot = read_snapshot(project)
    scores = dict(zip(snapshot.items.keys, exact_scores(count_choices(snapshot.counted_choices)), strict=True))
    # p1: best once, worst twice, shown five times; p2 best once of two; p3 worst of one; p4 best of one; p5 nothing.
    assert {key: score and Decimal(score.numerator) / score.denominator for key, score in scores.items()} == {
        "p1": Decimal("-0.2"),
        "p2": Decimal("0.5"),
        "p3": -1,
        "p4": 1,
        "p5": None,
    }


def test_kept_tuples_are_found_again_with_their_items_twice(project, tmp_path):
    bring_in(project, tmp_path, CHOICES, "p1,p2,p1,p1,p2,ann", invalid=Invalid.KEEP)
    bring_in(project, tmp_path, CHOICES, "p2,p1,p1,p2,p1,bob", "p1,p2,p2,p1,p2,bob", invalid=Invalid.KEEP)
    assert [row[:4] for row in choices()] == [("ann", 1, 1, "123"), ("bob", 1, 1, "213"), ("bob", 2, 1, "123")]
    assert list(TuplePlace.objects.values_list("item__key", "again")) == [
        ("p1", False), ("p2", False), ("p1", True), ("p1", False), ("p2", False), ("p2", True)
    ]  # fmt: skip


def test_only_what_is_marked_as_invalid_may_be_invalid(project, tmp_path):
    bring_in(project, tmp_path, CHOICES, ODD[0])
    for change in (
        lambda: Judgment.objects.update(worst=Judgment.objects.get().best),
        lambda: TuplePlace.objects.create(
            tuple=Tuple.objects.get(), item=Tuple.objects.get().places.first().item, position=4
        ),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_invalid_choices_are_left_out_and_counted(project, tmp_path):
    rows = [*ODD, "p1,p2,p3,,,bob", "p1,p2,p3,p1,,eve"]
    done = bring_in(project, tmp_path, CHOICES, *rows, invalid=Invalid.DROP)
    assert (done.judgments, done.met) == (1, ImportCounts(invalid=4))
    assert [row[0] for row in choices()] == ["ann"]


def test_what_is_kept_has_a_choice_of_its_own_items(project, tmp_path):
    rows = ["p1,p1,p2,,p2,ann", "p1,p1,p2,p1,p3,ann", "p1,p1,nix,p1,p1,ann"]
    assert refusals(project, tmp_path, CHOICES, *rows, invalid=Invalid.KEEP) == [
        "line 2, best: Nothing was chosen. Fill this in, or choose under “Invalid choices” to leave such rows out.",
        "line 3, worst: “p3” is not one of the items of this row.",
        "line 4, item3: The project has no item “nix”.",
    ]


AGAIN = ["p1,p2,p3,p1,p2,ann", "p1,p2,p3,p1,p3,bob", "p3,p2,p1,p3,p2,ann"]


@pytest.mark.parametrize(
    ("repeated", "kept"),
    [
        (Repeated.FIRST, [("ann", 1, "123", "p1"), ("bob", 1, "123", "p1")]),
        (Repeated.LAST, [("ann", 1, "123", "p3"), ("bob", 1, "321", "p1")]),
        (Repeated.KEEP, [("ann", 1, "123", "p1"), ("ann", 2, "321", "p3"), ("bob", 1, "123", "p1")]),
    ],
)
def test_a_tuple_judged_again_by_the_same_person(project, tmp_path, repeated, kept):
    done = bring_in(project, tmp_path, CHOICES, *AGAIN, repeated=repeated)
    assert (done.judgments, done.met) == (len(kept), ImportCounts(repeated=1))
    assert sorted((who, session, order, best) for who, _, session, order, best, *_ in choices()) == kept
    assert list(Tuple.objects.values_list("planned", "given")) == [(len(kept), len(kept))]


def test_what_is_stored_is_never_replaced(project, tmp_path):
    bring_in(project, tmp_path, CHOICES, AGAIN[0])
    for repeated in (Repeated.REFUSE, Repeated.LAST):
        assert refusals(project, tmp_path, CHOICES, AGAIN[2], repeated=repeated) == [
            "line 2, annotator: ann has already judged these items in this round."
        ]
    bring_in(project, tmp_path, CHOICES, *AGAIN[1:], repeated=Repeated.FIRST)
    bring_in(project, tmp_path, CHOICES, AGAIN[2], repeated=Repeated.KEEP)
    assert [row[:3] for row in choices()] == [("ann", 1, 1), ("bob", 1, 1), ("ann", 1, 2)]


@pytest.mark.parametrize(("repeated", "value"), [(Repeated.FIRST, 1.0), (Repeated.LAST, 3.0)])
def test_an_item_rated_again_by_the_same_person(rated, tmp_path, repeated, value):
    done = bring_in(rated, tmp_path, RATINGS, "p1,ann,1", "p2,ann,2", "p1,ann,3", repeated=repeated)
    assert (done.judgments, done.met) == (2, ImportCounts(repeated=1))
    assert values() == [("p1", "ann", value), ("p2", "ann", 2.0)]


def test_of_ratings_one_counts(rated, tmp_path):
    with pytest.raises(Refusal, match="Only choices can all be kept"):
        bring_in(rated, tmp_path, RATINGS, "p1,ann,1", repeated=Repeated.KEEP)


def test_two_names_are_two_tuples_even_of_the_same_items(project, tmp_path):
    header = f"{CHOICES},tuple"
    rows = ["p1,p2,p3,p1,p2,ann,t1", "p3,p2,p1,p1,p2,ann,t2", "p2,p1,p3,p1,p2,bob,t1", "p2,p1,p3,p1,p2,eve,"]
    bring_in(project, tmp_path, header, *rows)
    bring_in(project, tmp_path, header, "p1,p2,p3,p1,p2,zoe,x", "p1,p2,p3,p1,p2,zoe,y")
    assert [row[:2] for row in choices()] == [("ann", 1), ("ann", 2), ("bob", 1), ("eve", 1), ("zoe", 1), ("zoe", 2)]


def test_numbers_and_orders_of_a_release_are_those_of_the_tuples(project, tmp_path):
    header = f"{CHOICES},tuple,order"
    bring_in(
        project, tmp_path, header, "p1,p2,p3,p1,p2,ann,10,312", "p3,p4,p5,p3,p4,ann,9,first", "p2,p3,p1,p1,p2,b,10,"
    )
    places = TuplePlace.objects.order_by("tuple__position", "position").values_list("tuple__position", "item__key")
    assert list(places) == [(1, "p3"), (1, "p4"), (1, "p5"), (2, "p2"), (2, "p3"), (2, "p1")]
    assert [row[:4] for row in choices()] == [("ann", 2, 1, "312"), ("ann", 1, 1, "123"), ("b", 2, 1, "123")]


def test_a_wide_table_has_a_column_for_each_annotator(rated, tmp_path):
    done = bring_in(rated, tmp_path, "item,ann,bob,eve,round", "p1,1,,2.5,main", "p2,4,0,NA,", wide=True)
    assert (done.judgments, done.annotators, done.met) == (4, 3, ImportCounts(unrated=2))
    assert values() == [("p1", "ann", 1.0), ("p1", "eve", 2.5), ("p2", "ann", 4.0), ("p2", "bob", 0.0)]


def test_a_wide_table_is_of_ratings(project, tmp_path):
    with pytest.raises(Refusal, match="Only ratings can be in a wide table"):
        bring_in(project, tmp_path, CHOICES, ODD[0], wide=True)


def test_screens_of_kept_choices_have_positions_of_their_own(project, tmp_path):
    bring_in(project, tmp_path, CHOICES, *AGAIN, "p2,p3,p4,p2,p3,ann", repeated=Repeated.KEEP)
    screens = Assignment.objects.filter(participation__annotator__external_id="ann")
    assert list(screens.order_by("session", "position").values_list("session", "position", "context")) == [
        (1, 1, "free"), (1, 2, "free"), (2, 1, "free")
    ]  # fmt: skip


def test_invalid_choices_that_are_marked_do_not_count(project, tmp_path):
    done = bring_in(project, tmp_path, CHOICES, *ODD, invalid=Invalid.MARK)
    assert (done.judgments, done.met) == (3, ImportCounts(invalid=2))
    snapshot = read_snapshot(project)
    assert snapshot.counted_choices.judgments == 1
    assert snapshot.reasons.numbers == {"invalid": 2}


def test_choices_that_a_release_marks_as_invalid_do_not_count_where_they_are_kept(project, tmp_path):
    rows = [f"{ODD[1]},0,invalid", f"{ODD[2]},1,"]
    bring_in(project, tmp_path, f"{CHOICES},counted,not_counted_because", *rows, invalid=Invalid.KEEP)
    assert read_snapshot(project).reasons.numbers == {"invalid": 1}
