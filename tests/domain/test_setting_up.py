"""A project set up on its pages: begun, changed, launched, closed, copied."""

import pytest

from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.copying import copy_project, erase_copy
from annotation.domain.project.creation import change_protocol, create_project, preset_values
from annotation.domain.project.lifecycle import (
    change_numbers,
    change_project,
    close_project,
    launch,
    reopen_project,
)
from annotation.domain.recruiting.overview import join_round
from annotation.models import (
    AuditEntry,
    Item,
    Judgment,
    Membership,
    Participation,
    Project,
    Question,
    RoundPlan,
    Sentence,
)
from annotation.protocols.wording import texts_of
from tests.factories import (
    NOON,
    add_dialogues,
    add_incidents,
    add_pairs,
    do_round,
    make_project,
    make_user,
    news_project,
    rate_next,
    rating_round,
    seat_outsider,
)
from tests.practice_sets import add_tasks
from tests.presets import PRESETS


@pytest.fixture
def draft(user) -> Project:
    return create_project(owner=user, key="one", title="One", protocol=PRESETS["stss131"], now=NOON)


def log_of(project: Project) -> list[str]:
    return list(project.audit_entries.order_by("pk").values_list("action", flat=True))


def planned(project: Project) -> Project:
    add_pairs(project, 3)
    plan_round(project=project, round_key=project.protocol.rounds[0].key, people=2)
    return project


def test_a_project_begun_on_a_page_is_a_draft_of_its_owner(draft, user):
    assert (draft.draft, draft.launched_at, draft.title) == (True, None, "One")
    assert list(draft.memberships.values_list("user", "role")) == [(user.pk, Membership.Role.OWNER)]
    assert log_of(draft) == ["project created"]


def test_a_project_of_the_command_is_no_draft(db):
    assert (make_project().draft, make_project(key="two").launched_at) == (False, None)


def test_new_is_no_key(user):
    with pytest.raises(Refusal, match="is reserved for Semblance's own URLs"):
        create_project(owner=user, key="new", title="", protocol=PRESETS["semrel"], now=NOON)


def test_a_draft_admits_nobody(draft):
    planned(draft)

    with pytest.raises(Refusal, match="This project has not started yet"):
        join_round(project=draft, round_key="main", user=make_user("ben"))

    assert not draft.annotators.exists()


def test_launch_admits_people_and_freezes_the_protocol(draft, user):
    launched = launch(project=planned(draft), actor=user, now=NOON)

    place = join_round(project=launched, round_key="main", user=make_user("ben"))
    assert (launched.draft, launched.launched_at, place.seat) == (False, NOON, 1)
    assert log_of(draft)[-1] == "project launched"


def test_a_launched_protocol_does_not_change_before_anybody_came(draft, user):
    launch(project=planned(draft), actor=user, now=NOON)

    with pytest.raises(Refusal, match="be changed after launch"):
        change_protocol(project=draft, changes={"scale.step": "0.5"})


def test_guidelines_change_after_the_launch_and_the_log_keeps_it(draft, user):
    launch(project=planned(draft), actor=user, now=NOON)

    changed = change_project(project=draft, values={"guidelines": "Read twice."}, actor=user, now=NOON)

    assert (changed, Project.objects.get().guidelines) == (["guidelines"], "Read twice.")
    assert log_of(draft)[-1] == "project changed"


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (lambda draft, user: None, "There are no items yet"),
        (lambda draft, user: add_pairs(draft, 2), "There are no places yet"),
        (
            lambda draft, user: planned(draft).plans.create(round="main", seed=0, state="waiting"),
            "A plan is still being made",
        ),
        (lambda draft, user: launch(project=planned(draft), actor=user, now=NOON), "already been launched"),
    ],
)
def test_launch_is_refused(draft, user, prepare, reason):
    prepare(draft, user)
    before = AuditEntry.objects.count()

    with pytest.raises(Refusal, match=reason):
        launch(project=draft, actor=user, now=NOON)

    assert AuditEntry.objects.count() == before


def test_incidents_are_texts_too(user):
    project = create_project(owner=user, key="news", title="", protocol=PRESETS["czech_news"], now=NOON)
    add_incidents(project, 6)
    plan_round(project=project, round_key="R1", people=1)

    assert launch(project=project, actor=user, now=NOON).launched_at == NOON


def test_words_change_and_leave_the_plan(draft, user):
    planned(draft)
    texts = texts_of(draft.protocol) | {"question": "How close?", "label.lowest": "far", "label.at.1": ""}

    changed = change_numbers(project=draft, changes={}, texts=texts, actor=user, now=NOON)

    assert changed.protocol.question == "How close?"
    assert [label.text for label in changed.protocol.scale.labels] == [
        "far",
        "very much alike",
        "strongly related",
        "identical",
    ]
    assert (RoundPlan.objects.count(), log_of(draft)[-1]) == (1, "protocol changed")


def test_the_names_of_best_and_worst_change(user):
    draft = create_project(owner=user, key="two", title="", protocol=PRESETS["semrel"], now=NOON)
    texts = texts_of(draft.protocol) | {"main.best": "closest"}

    design = change_numbers(project=draft, changes={}, texts=texts, actor=user, now=NOON).protocol.rounds[0].design

    assert (design.best, design.worst) == ("closest", "least related")


def test_numbers_that_change_remove_the_plan(draft, user):
    planned(draft)

    texts = texts_of(draft.protocol) | {"label.highest": "the same"}
    changed = change_numbers(project=draft, changes={"scale.maximum": "6"}, texts=texts, actor=user, now=NOON)

    assert (changed.protocol.scale.size, RoundPlan.objects.count(), Participation.objects.count()) == (61, 0, 0)


def test_a_scale_without_its_labels_is_refused(draft, user):
    with pytest.raises(Refusal, match=r"Set the labels of the new scale: label\.highest=…"):
        change_numbers(project=draft, changes={"scale.maximum": "6"}, texts={}, actor=user, now=NOON)


def test_nothing_changed_is_no_entry(draft, user):
    change_numbers(project=draft, changes={}, texts=texts_of(draft.protocol), actor=user, now=NOON)
    change_project(project=draft, values={"title": "One"}, actor=user, now=NOON)

    assert log_of(draft) == ["project created"]


@pytest.mark.parametrize(("values", "reason"), [({"title": "x" * 201}, "200"), ({"language": "a b"}, "language tag")])
def test_a_value_that_cannot_be_is_refused(draft, user, values, reason):
    with pytest.raises(Refusal, match=reason):
        change_project(project=draft, values=values, actor=user, now=NOON)


def test_the_seed_stays_once_rounds_are_planned(draft, user):
    change_project(project=draft, values={"seed": 5}, actor=user, now=NOON)
    planned(draft)

    with pytest.raises(Refusal, match="The random seed can't be changed"):
        change_project(project=draft, values={"seed": 6}, actor=user, now=NOON)

    assert Project.objects.get().seed == 5


def test_a_project_is_closed_and_opened_again(draft, user):
    launch(project=planned(draft), actor=user, now=NOON)

    closed = close_project(project=draft, reason=" No money. ", actor=user, now=NOON)
    with pytest.raises(Refusal, match="This project is already closed"):
        close_project(project=draft, reason="", actor=user, now=NOON)
    opened = reopen_project(project=draft, reason="Money.", actor=user, now=NOON)
    with pytest.raises(Refusal, match="This project is already open"):
        reopen_project(project=draft, reason="", actor=user, now=NOON)

    assert (closed.closed_at, opened.closed_at) == (NOON, None)
    assert list(draft.audit_entries.order_by("pk").values_list("action", "reason"))[-2:] == [
        ("project closed", "No money."),
        ("project opened again", "Money."),
    ]


def test_a_draft_cannot_be_closed(draft, user):
    with pytest.raises(Refusal, match="This project has not been launched"):
        close_project(project=draft, reason="", actor=user, now=NOON)


def test_a_copy_takes_everything_but_texts_and_people(user):
    project = create_project(key="project", language="cs", seed=7, now=NOON, **preset_values("semrel"))
    add_tasks(project, practice=2, check=1)
    project.questions.create(position=1, kind="choice", text="Which?", choices=["a", "b"], published=True)
    add_pairs(project, 12)
    plan_round(project=project, round_key="main")
    seat_outsider(project, "main", "W1")

    copy = copy_project(project=project, key="copy", title="Copy", texts=False, owner=user, now=NOON)

    assert (copy.protocol, copy.guidelines, copy.consent) == (project.protocol, project.guidelines, project.consent)
    assert (copy.language, copy.seed, copy.draft) == (project.language, project.seed, True)
    assert list(copy.questions.values_list("text", "choices", "published")) == [("Which?", ["a", "b"], True)]
    assert copy.practice_tasks.count() == project.practice_tasks.count() > 0
    left = (copy.items, copy.participations, copy.annotators, copy.plans, copy.tuples)
    assert [rows.count() for rows in left] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("preset", "add"), [("semrel", add_pairs), ("giccs", add_dialogues), ("czech_news", add_incidents)]
)
def test_a_copy_with_texts_can_be_planned_like_the_project(user, preset, add):
    project = make_project(preset)
    add(project, 12)
    first = project.protocol.rounds[0].key

    copy = copy_project(project=project, key="copy", title="Copy", texts=True, owner=user, now=NOON)

    planned_both = [plan_round(project=one, round_key=first) for one in (project, copy)]
    assert planned_both[0] == planned_both[1]
    texts = [
        list(one.items.order_by("position").values_list("key", "sentence1", "group__key")) for one in (project, copy)
    ]
    assert texts[0] == texts[1]
    sentences = [
        list(Sentence.objects.filter(document__incident__project=one).values_list("document__key", "text"))
        for one in (project, copy)
    ]
    assert sentences[0] == sentences[1]


def test_selected_pairs_are_answers_and_stay(user):
    project = news_project()

    copy = copy_project(project=project, key="copy", title="Copy", texts=True, owner=user, now=NOON)

    assert (project.items.count() > 0, copy.items.count(), copy.incidents.count()) == (True, 0, 16)
    assert not copy.incidents.filter(participation__isnull=False).exists()


def test_a_copy_with_everything_done_in_it_is_erased_and_nothing_else(db):
    project = news_project()
    rows = (Judgment, Item, Participation, Question, Sentence)
    before = [model.objects.count() for model in rows]
    copy = copy_project(project=project, key="copy", title="Copy", texts=True, rehearsal_of=project, now=NOON)
    do_round(copy, "R1", "r1")
    do_round(copy, "R2", "r2")

    erase_copy(copy)

    assert Project.objects.get() == project
    assert [model.objects.count() for model in rows] == before


def test_only_rehearsals_are_erased(user):
    participation = rating_round(user)
    rate_next(participation)

    with pytest.raises(ValueError, match="Only rehearsals"):
        erase_copy(participation.project)

    assert Judgment.objects.count() == 1


def test_nobody_takes_part_in_a_rehearsal(user):
    project = make_project()
    copy = copy_project(project=project, key="copy", title="", texts=False, rehearsal_of=project, now=NOON)
    planned(copy)

    with pytest.raises(Refusal, match="This is a rehearsal"):
        join_round(project=copy, round_key="main", user=user)
