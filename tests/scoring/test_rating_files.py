import csv
from decimal import Decimal
from statistics import stdev
from uuid import uuid4

import pytest

from annotation.domain.judgment.saving import rate
from annotation.domain.material import import_judgments
from annotation.domain.participation.lifecycle import exclude
from annotation.domain.planning.rounds import plan_round
from annotation.models import Assignment, Item
from tests.factories import NOON, add_pairs, answer_to, join, make_project, make_user, present_screen, rate_next
from tests.importing.files import write
from tests.releases.making import write_release

pytestmark = pytest.mark.django_db


def lines(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def answer_all(place, values, now=NOON):
    """Rates every pair of the place with the value given for its key."""
    while place.assignments.filter(answered_at=None).exists():
        rate_next(place, values[present_screen(place, now).item.key], now)


def ratings(project, tmp_path, rows):
    """Ratings of people elsewhere: one text a person, a value a pair."""
    text = ["item,annotator,value"]
    text += [f"p{item},person {person},{value}" for person, row in enumerate(rows) for item, value in enumerate(row, 1)]
    import_judgments(project=project, path=write(tmp_path, "\n".join(text)), round_key=None, now=NOON)


def deviation(values):
    return repr(float(stdev(map(Decimal, values.split()))))


def test_stss131_has_mean_and_deviation_of_every_pair(tmp_path):
    project = make_project("stss131", people="2")
    add_pairs(project, 4, calibration=1)
    ratings(project, tmp_path, [[4, 2.5, 0], [0, 2.8, 0], [1, 2.7, 0.1], [1, 2.7, 4]])
    Item.objects.filter(key="p2").update(sentence1="=SUM(A1)", sentence2='-2 "degrees",\ncold')

    rows = write_release(project=project, folder=tmp_path)

    # Means 10.7 / 4 and 4.1 / 4. p1 calibrates; p4 nobody has rated.
    assert lines(tmp_path / "stss131.csv") == [
        ["SP", "Sentence 1", "Sentence 2", "X", "S"],
        ["p2", "'=SUM(A1)", '\'-2 "degrees",\ncold', "2.675", deviation("2.5 2.8 2.7 2.7")],
        ["p3", "First text of pair 3.", "Second text of pair 3.", "1.025", deviation("0 0 0.1 4")],
    ]
    assert rows == {"judgments.csv": 12, "items.csv": 4, "scores.csv": 2, "distributions.csv": 2, "stss131.csv": 2}


def test_stss131_of_a_single_rater_has_no_deviation(tmp_path):
    project = make_project("stss131")
    add_pairs(project, 1)
    ratings(project, tmp_path, [[3]])
    write_release(project=project, folder=tmp_path)
    assert lines(tmp_path / "stss131.csv")[1][3:] == ["3.0", ""]


def test_dscs_is_the_mean_of_both_pools_without_the_excluded(tmp_path):
    project = make_project("dscs", students__people="1", crowd__people="2")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main")
    given = [("ann", "students", "0", "4"), ("bob", "crowd", "5", "4"), ("eve", "crowd", "5", "1")]
    for name, pool, one, two in given:
        place = join(project, "main", make_user(name), pool=pool)
        answer_all(place, {"p1": one, "p2": two})
    exclude(participation_id=place.pk, reason="Careless.", actor=None, now=NOON)

    rows = write_release(project=project, folder=tmp_path)

    assert lines(tmp_path / "dscs.csv") == [
        ["Sno", "Sentence_1", "Sentence_2", "Final Similarity"],
        ["p1", "First text of pair 1.", "Second text of pair 1.", "2.5"],
        ["p2", "First text of pair 2.", "Second text of pair 2.", "4.0"],
    ]
    assert rows == {"judgments.csv": 6, "items.csv": 2, "scores.csv": 2, "distributions.csv": 2, "dscs.csv": 2}
    counted = {(row[9], row[10]) for row in lines(tmp_path / "judgments.csv")[1:]}
    assert counted == {("students", "1"), ("crowd", "1"), ("crowd", "0")}


def test_answer_given_again_replaces_the_first(tmp_path, user):
    project = make_project("stss131", people="1", minimum="-4", label__lowest="opposite")
    add_pairs(project, 2)
    plan_round(project=project, round_key="main")
    place = join(project, "main", user)
    first = present_screen(place)
    rate_next(place, "1")
    again = answer_to(Assignment.objects.get(pk=first.pk), key=uuid4(), again=True)
    rate(participation_id=place.pk, answer=again, value="-3", now=NOON)
    write_release(project=project, folder=tmp_path)
    rows = lines(tmp_path / "judgments.csv")
    assert [[*row[:3], row[11]] for row in rows[1:]] == [
        [first.item.key, place.annotator.pseudonym, "1.0", "superseded"],
        [first.item.key, place.annotator.pseudonym, "-3.0", ""],
    ]
    assert [row[3] for row in lines(tmp_path / "stss131.csv")[1:]] == ["-3.0"]


def test_judgments_tell_nobody_who_somebody_is(tmp_path):
    project = make_project("stss131", people="2")
    add_pairs(project, 2)
    import_judgments(
        project=project, path=write(tmp_path, "item,annotator,value\np1,W0RKER,3\n"), round_key=None, now=NOON
    )
    plan_round(project=project, round_key="main", people=2)
    user = make_user("zuzana.novotna", pk=987654321, first_name="Zuzana", last_name="Novotna")
    answer_all(join(project, "main", user), {"p1": "1", "p2": "2"})
    write_release(project=project, folder=tmp_path / "out")
    text = "".join(path.read_text(encoding="utf-8").lower() for path in (tmp_path / "out").glob("*[vl]"))
    assert "p1" in text
    assert [sign for sign in ("zuzana", "novotna", "example.org", "987654321", "w0rker", "@") if sign in text] == []


def test_judgments_from_elsewhere_have_no_times_of_a_screen(tmp_path):
    project = make_project("stss131")
    add_pairs(project, 1)
    path = write(tmp_path, "item,annotator,value,answered_at,active_ms\np1,ann,3,2026-03-01T12:30:00+02:00,900\n")
    import_judgments(project=project, path=path, round_key=None, now=NOON)
    write_release(project=project, folder=tmp_path)
    header, row = lines(tmp_path / "judgments.csv")
    assert dict(zip(header, row, strict=True)) == {
        "item": "p1",
        "annotator": project.annotators.get().pseudonym,
        "value": "3.0",
        "round": "main",
        "context": "free",
        "block": "main",
        "session": "1",
        "position": "1",
        "role": "",
        "pool": "",
        "counted": "1",
        "not_counted_because": "",
        "invalid": "0",
        "refill": "0",
        "shown_at": "",
        "answered_at": "2026-03-01T10:30:00.000Z",
        "thinking_ms": "",
        "waiting_ms": "",
        "active_ms": "900",
        "touched_ms": "",
        "adjustments": "",
        "pause_shortened": "0",
    }


def test_distributions_of_ratings_and_the_contested_items(tmp_path):
    project = make_project("stss131", people="6")
    add_pairs(project, 3)
    ratings(project, tmp_path, [[4, 2, 0], [0, 2, 0], [4, 3, 0], [0, 2, 0], [4, 2, 0], [0, 2, 0]])

    write_release(project=project, folder=tmp_path)

    header, *rows = lines(tmp_path / "distributions.csv")
    found = [dict(zip(header, row, strict=True)) for row in rows]
    # 41 values from 0 to 4 are in 21 bins.
    assert len([name for name in header if name.startswith("count_")]) == 21
    assert [(row["item"], row["judgments"], row["contested"]) for row in found] == [
        ("p1", "6", "1"),
        ("p2", "6", "0"),
        ("p3", "6", "0"),
    ]
    assert (found[0]["soft_0.0952"], found[0]["soft_3.9048"], found[2]["entropy"]) == ("0.5", "0.5", "0.0")
    assert float(found[0]["p_adjusted"]) < 0.05 < float(found[1]["p_adjusted"])
    assert [row[:6] for row in lines(tmp_path / "contested.csv")[1:]] == [
        ["p1", "First text of pair 1.", "Second text of pair 1.", "main", "free", "6"]
    ]
