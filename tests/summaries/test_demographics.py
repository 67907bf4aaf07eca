"""People by their answers about themselves: no group below five people, and none by subtraction either."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.summaries.demographics import NO_ANSWER, OTHERS, SMALLEST, Group, group_answers

NOTHING = ()


@given(st.lists(st.integers(0, 9).map(lambda place: ["", "woman", "man", "other", *"abcdef"][place]), max_size=80))
def test_no_group_below_five_is_shown_or_left_by_subtraction(answers):
    groups = group_answers(answers)

    true = Counter(answer or NO_ANSWER for answer in answers)
    people = [group.people for group in groups]
    assert all(group.people == true[group.label] for group in groups if group.label != OTHERS)
    assert not groups or sum(people) == len(answers)
    # What an outsider can add and take away: any groups, from each other and from all people.
    disjoint = [sum(some) for size in range(1, len(people) + 1) for some in combinations(people, size)]
    rest = [len(answers) - known for known in disjoint]
    assert all(known >= SMALLEST for known in disjoint)
    assert all(left == 0 or left >= SMALLEST for left in rest)


@given(st.lists(st.integers(0, 99).map(str) | st.just(""), max_size=80))
def test_ranges_of_numbers_are_never_small_and_do_not_depend_on_the_answers(answers):
    groups = group_answers(answers, numbers=True)

    assert all(group.people >= SMALLEST for group in groups)
    assert not groups or sum(group.people for group in groups) == len(answers)
    for group in groups:
        if group.label not in (OTHERS, NO_ANSWER):
            low, high = map(int, group.label.split(" to "))
            assert (low % 10, high) == (0, low + 9)
            assert group.people == sum(answer != "" and low <= int(answer) <= high for answer in answers)


@pytest.mark.parametrize(
    ("answers", "groups"),
    [
        ({"woman": 9, "man": 6, "": 5}, [("woman", 9), ("man", 6), (NO_ANSWER, 5)]),
        # The two others are merged with each other, and do not need a larger group.
        ({"woman": 9, "man": 6, "x": 3, "y": 2}, [("woman", 9), ("man", 6), (OTHERS, 5)]),
        # Three people alone would be 18 - 15: the smallest group is merged with them.
        ({"woman": 9, "man": 6, "": 3}, [("woman", 9), (OTHERS, 9)]),
        # Whoever gave no answer is a group, too.
        ({"woman": 9, "": 1}, NOTHING),
        ({"woman": 4}, NOTHING),
        ({"": 30}, NOTHING),
        ({"Czech": 5, "czech": 2, " Czech  ": 1}, [("Czech", 8)]),
    ],
)
def test_small_groups_are_merged(answers, groups):
    given = [answer for answer, people in answers.items() for _ in range(people)]

    assert group_answers(given) == tuple(Group(*group) for group in groups)


def test_answers_with_the_name_of_a_group_are_in_it():
    answers = ["No answer", "no answer", "", "", "", "", *["All others"] * 5, *["yes"] * 5]

    assert group_answers(answers) == (Group("yes", 5), Group(NO_ANSWER, 6), Group(OTHERS, 5))


def test_numbers_are_in_tens():
    answers = ["24"] * 3 + ["29"] * 4 + ["31"] * 2 + ["45"] * 5 + ["a lot"] * 1 + [""] * 2

    assert group_answers(answers, numbers=True) == (Group("20 to 29", 7), Group("40 to 49", 5), Group(OTHERS, 5))
