"""Reliability, agreement and diversity by domain and by the number of turns (GiCCS)."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.exports.report import by_group as tables
from scoring.stats.alpha import choices_alpha
from scoring.stats.disagreement import strong_agreement
from scoring.stats.reliability import split_half
from scoring.stats.text import mtld, root_type_token_ratio
from scoring.summaries import by_group
from scoring.summaries.merge import merge
from scoring.summaries.parts import parts_for
from scoring.summaries.tables import Dialogues, Groups, Origins
from tests.scoring.choosing import choices_of, chosen_by
from tests.summaries.snapshots import (
    CHOOSING,
    FEW,
    choice_rows,
    czech_snapshot,
    items_of,
    ratings_of,
    results_of,
    snapshot_of,
)

DOMAINS, TURNS = ("cinema", "cinema", "phone", ""), (3, 5, 3, 0)
A_GROUP, TUPLES = 6, 6


def dialogues(domains=DOMAINS, turns=TURNS, **further):
    """Four dialogues of six utterances, each with six tuples that four people judged."""
    generator = np.random.default_rng(0)
    number, groups = len(domains) * A_GROUP, np.repeat(np.arange(len(domains)), A_GROUP)
    tuples = np.concatenate(
        [[group * A_GROUP + generator.permutation(A_GROUP)[:4] for _ in range(TUPLES)] for group in range(len(domains))]
    )
    shown = generator.permuted(np.repeat(tuples, 4, axis=0), axis=1)
    people = np.tile(np.arange(4), len(tuples))
    chosen = chosen_by(generator.normal(0, 2, number), shown, generator, people)
    chosen = replace(chosen, tuples=np.arange(len(shown)) // 4, annotators=people)
    return snapshot_of(
        items_of(number, groups=groups),
        choices=choice_rows(chosen),
        tuples=tuples,
        facts=replace(CHOOSING, grouped=True),
        groups=Groups(tuple(f"d{place}" for place in range(len(domains))), tuple(domains)),
        dialogues=Dialogues(np.array(turns, dtype=np.int64)),
        **further,
    )


def of(groups, **attributes):
    """The one group with these attributes."""
    (found,) = [one for one in groups if attributes.items() <= one.items()]
    return found


def test_agreement_and_reliability_are_those_of_the_choices_of_the_group():
    snapshot = dialogues()
    three = np.isin(snapshot.choices.tuples // TUPLES, (0, 2))
    own = snapshot.counted_choices.keep(three)

    found = merge(results_of(snapshot))["by_group"]

    agreement, halves = of(found["choice_agreement"]["turns"], turns=3), of(found["split_half"]["turns"], turns=3)
    alpha, strong = choices_alpha(own), strong_agreement(own)
    assert [one["turns"] for one in found["choice_agreement"]["turns"]] == [3, 5]
    assert (agreement["items"], agreement["tuples"], agreement["judgments"]) == (12, 12, 48)
    assert (agreement["alpha"]["best"]["item"], agreement["alpha"]["worst"]["position"]) == pytest.approx(
        (alpha.best.item, alpha.worst.position)
    )
    assert (agreement["strong"]["best"], agreement["strong"]["worst"]) == (strong.best, strong.worst)
    expected = split_half(own, np.random.default_rng(3), splits=400).spearman.mean()
    assert (halves["splits"], halves["spearman"]["mean"]) == (120, pytest.approx(expected, abs=0.05))
    assert "values" not in halves


def test_items_are_grouped_by_one_attribute_and_by_two():
    sources = Origins(("CROWDSS",) * 6 + ("SmartKom",) * 18, ("",) * 24)

    found = merge(results_of(dialogues(origins=sources)))["by_group"]["choice_agreement"]

    assert set(found) == {
        "domain",
        "turns",
        "domain_turns",
        "source_turns",
        "source",
    }
    assert [one["domain"] for one in found["domain"]] == ["cinema", "phone"]
    assert [(one["domain"], one["turns"]) for one in found["domain_turns"]] == [
        ("cinema", 3),
        ("cinema", 5),
        ("phone", 3),
    ]
    assert [(one["source"], one["turns"]) for one in found["source_turns"]] == [
        ("CROWDSS", 3),
        ("SmartKom", 3),
        ("SmartKom", 5),
    ]


def test_a_choice_among_items_of_two_groups_is_of_neither():
    choices = choices_of([((0, 1, 2, 3), 0, 3), ((0, 1, 2, 6), 0, 6), ((6, 7, 8, 9), 6, 9)])
    snapshot = dialogues()
    mixed = replace(
        snapshot,
        choices=choice_rows(choices),
        tuples=choices.items,
        screens=replace(snapshot.screens, rounds=np.zeros(3, np.int64), thinking_ms=np.full(3, np.nan)),
    )

    found = merge(results_of(mixed))["by_group"]

    assert [one["judgments"] for one in found["choice_agreement"]["turns"]] == [1, 1]
    assert of(found["choice_agreement"]["turns"], turns=3)["strong"]["best_reason"] == "no tuple was judged twice"
    phone = of(found["choice_agreement"]["domain"], domain="phone")
    assert (phone["judgments"], phone["alpha"]) == (0, None)
    assert phone["alpha_reason"] == "no counted choice is among items of this group only"
    halves = of(found["split_half"]["domain"], domain="phone")
    assert (halves["splits"], halves["splits_reason"]) == (None, "no counted choices")
    rows = {row.label: row for table in tables.reliability(merge(results_of(mixed))) for row in table.rows}
    assert [cell.text for cell in rows["phone"].cells][3:6] == ["0", "n/a", "n/a"]


def test_what_is_not_known_of_dialogues_has_a_reason():
    unknown = dialogues(domains=("", ""), turns=())

    found = merge(results_of(unknown))

    for part in ("choice_agreement", "split_half"):
        assert found["by_group"][part] == {
            "domain": None,
            "domain_reason": "no item belongs to a dialogue with a domain",
            "turns": None,
            "turns_reason": "no item belongs to a dialogue with a known number of turns",
        }
    made = list(tables.reliability(found))
    assert [table.title for table in made] == [
        "Inter-annotator agreement of the choices by domain",
        "Inter-annotator agreement of the choices by number of turns",
    ]
    assert [cell.text for cell in made[1].rows[0].cells] == ["n/a"] * 11


def test_too_many_groups_are_not_told_one_by_one():
    many = dialogues(domains=[f"domain {place}" for place in range(51)], turns=[3] * 51)

    found = merge(results_of(many))["by_group"]["choice_agreement"]

    assert (found["domain"], found["domain_reason"]) == (None, "there are more than 50 groups")
    assert len(found["turns"]) == 1


def test_projects_without_groups_have_no_such_part():
    assert not [name for name in parts_for(czech_snapshot(), FEW) if name.startswith("by_group")]


def test_ratings_have_the_agreement_of_each_domain():
    rows = [(item, rater, float((item + rater * (item % 3)) % 5)) for item in range(12) for rater in range(4)]
    groups = np.arange(12) // 6
    snapshot = snapshot_of(
        items_of(12, groups=groups), ratings=ratings_of(rows), groups=Groups(("a", "b"), ("news", "films"))
    )
    films = snapshot_of(items_of(12), ratings=ratings_of([row for row in rows if row[0] >= 6]))

    found = merge(results_of(snapshot))["by_group"]["agreement"]["main"]["free"]

    whole = merge(results_of(films))["agreement"]["main"]["free"]
    own = of(found["domain"], domain="films")
    assert [one["domain"] for one in found["domain"]] == ["films", "news"]
    assert "turns" not in found
    assert (own["items"], own["ratings"], own["alpha"]["interval"]) == (6, 24, whole["alpha"]["interval"])
    assert own["leave_one_out"]["pearson"] == whole["leave_one_out"]["pearson"]
    (table,) = tables.reliability(merge(results_of(snapshot)))
    assert (table.title, [row.label for row in table.rows]) == (
        "main: inter-annotator agreement of the ratings by domain",
        ["films", "news"],
    )


def test_diversity_by_turns_and_domain():
    snapshot = dialogues()
    texts = dict.fromkeys(
        text for place in range(12, 18) for text in (snapshot.items.sentence1[place], snapshot.items.sentence2[place])
    )
    tokens = [token for text in texts for token in text.split()]

    found = merge(results_of(snapshot))["texts"]["diversity"]

    assert [one["turns"] for one in found["by_group"]["turns"]] == [3, 5]
    own = of(found["by_group"]["domain_turns"], domain="phone", turns=3)
    assert own == {
        "domain": "phone",
        "turns": 3,
        "texts": 12,
        "tokens": len(tokens),
        "root_type_token_ratio": pytest.approx(root_type_token_ratio(tokens)),
        "mtld": pytest.approx(mtld(tokens)),
    }


def test_every_dialogue_has_its_turns_or_none_has():
    with pytest.raises(ValueError, match="There are 1 dialogues of 4"):
        dialogues(turns=(3,))


def test_groups_are_found_once_for_all_slices(monkeypatch):
    found, turns = [], by_group.turns_of_items
    monkeypatch.setattr(by_group, "turns_of_items", lambda snapshot: found.append(1) or turns(snapshot))
    snapshot = dialogues()
    keys = [key for key in parts_for(snapshot, FEW) if key.startswith("by_group")]
    results_of(snapshot, keys=keys)
    assert len(keys) > 2 and len(found) == 1


def test_pairs_have_the_agreement_of_each_language_if_there_are_several():
    rows = [(item, rater, float((item + rater * (item % 3)) % 5)) for item in range(12) for rater in range(4)]
    languages = ("cs",) * 5 + ("de",) * 6 + ("",)
    several = snapshot_of(items_of(12, language=languages), ratings=ratings_of(rows))
    single = snapshot_of(items_of(12, language=("cs",) * 12), ratings=ratings_of(rows))
    origins = Origins(tuple(f"https://example.org/{place}" for place in range(60)), ("",) * 60)
    many = snapshot_of(items_of(60), ratings=ratings_of([(0, 0, 1.0)]), origins=origins)

    found = merge(results_of(several))["by_group"]["agreement"]["main"]["free"]

    assert [(one["language"], one["items"]) for one in found["language"]] == [("cs", 5), ("de", 6)]
    assert not by_group.has_groups(single)
    assert not by_group.has_groups(many)
    titles = [table.title for table in tables.reliability(merge(results_of(several)))]
    assert titles == ["main: inter-annotator agreement of the ratings by language"]
