"""Studies that are created and run at Prolific from here, against a stand-in of its documented behaviour."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.core.cache import cache

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.crowd import prolific_studies as domain
from annotation.domain.recruiting.crowd.prolific_checks import checks_of, estimated_minutes, hourly_pay, missing_checks
from annotation.domain.recruiting.crowd.screeners import add_screener, remove_screener
from annotation.models import AuditEntry, CrowdStudy, Project, ProlificStudy, SecurityEvent, User
from annotation.models.audit_actions import Action
from tests.crowds import fill_wallet
from tests.factories import NOON, add_pairs, make_project
from tests.platforms import FILTERS, Prolific, running


@pytest.fixture
def prolific(settings) -> Iterator[Prolific]:
    cache.clear()
    settings.PUBLIC_URL = "https://semblance.example.org"
    server = Prolific()
    settings.PROLIFIC_API_URL = server.url
    with running(server):
        yield server


@pytest.fixture
def project(user) -> Project:
    """A project about which nothing is missing."""
    project = make_project()
    Project.objects.update(guidelines="Read both texts.", consent="Do you agree?")
    project.refresh_from_db()
    add_pairs(project, 60)
    plan_round(project=project, round_key="main", people=3)
    write_down(Action.PROJECT_REHEARSED, project, actor=user, now=NOON)
    fill_wallet(project)
    return project


def create(project: Project, user: User, **changes: object) -> ProlificStudy:
    values = {"name": "Similar sentences", "description": "Rate pairs.", "places": 3, "reward": 200, "minutes": 10}
    draft = ProlificStudy(**values | {"devices": ["desktop"]} | changes)
    study = CrowdStudy(project=project, round="main", pool="raters", session=1)
    return domain.create_draft(study=study, draft=draft, actor=user, now=NOON)


def publish(draft: ProlificStudy, user: User) -> None:
    domain.publish(draft=draft, seen=domain.cost_to_publish(draft).mark, actor=user, now=NOON)


def test_a_draft_is_created_at_prolific_with_our_address_and_codes(prolific, project, user):
    draft = create(project, user)

    (made,) = prolific.studies.values()
    study = CrowdStudy.objects.get()
    assert made["external_study_url"] == (
        "https://semblance.example.org/crowd/prolific/project/main/"
        "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert [(one["code"], one["code_type"]) for one in made["completion_codes"]] == [
        (study.completion_code, "COMPLETED"),
        (study.screen_out_code, "OTHER"),
        (study.no_consent_code, "NO_CONSENT"),
    ]
    assert (made["internal_name"], made["reward"], made["total_available_places"]) == ("Similar sentences", 200, 3)
    assert (study.study_id, draft.status, draft.currency) == (made["id"], "UNPUBLISHED", "GBP")
    assert prolific.balance == 100_000


def test_the_cost_is_what_prolific_calculates(prolific, project, user):
    cost = domain.cost_to_publish(create(project, user))

    assert (cost.rewards, cost.fees, cost.total) == (Decimal(6), Decimal(2), Decimal(8))


def test_a_study_is_published_paused_resumed_and_gets_more_places(prolific, project, user):
    draft = create(project, user)

    publish(draft, user)
    assert (draft.status, prolific.balance) == ("ACTIVE", 100_000 - 800)
    domain.pause(draft=draft, actor=user, now=NOON)
    assert draft.status == "PAUSED"
    domain.resume(draft=draft, actor=user, now=NOON)
    cost = domain.cost_to_add(draft, 2)
    domain.add_places(draft=draft, places=2, seen=cost.mark, actor=user, now=NOON)

    draft.refresh_from_db()
    assert (draft.status, draft.places, prolific.balance) == ("ACTIVE", 5, 100_000 - 800 - 533)
    acts = [entry.action for entry in AuditEntry.objects.order_by("pk") if "prolific" in entry.action]
    assert acts == [
        "prolific draft created",
        "prolific study published",
        "prolific study paused",
        "prolific study resumed",
        "prolific places added",
    ]
    assert AuditEntry.objects.get(action="prolific study published").details["cost"] == "8"
    assert set(SecurityEvent.objects.values_list("kind", flat=True)) == set(acts[1:])


def test_nobody_pays_another_cost_than_they_saw(prolific, project, user):
    draft = create(project, user)
    seen = domain.cost_to_publish(draft).mark
    prolific.studies[draft.study.study_id]["reward"] = 5000  # on Prolific's own page

    with pytest.raises(Refusal, match="The cost has changed"):
        domain.publish(draft=draft, seen=seen, actor=user, now=NOON)

    assert prolific.balance == 100_000


def test_a_draft_that_leads_elsewhere_is_not_published(prolific, project, user):
    draft = create(project, user)
    prolific.studies[draft.study.study_id]["external_study_url"] = "https://elsewhere.example.org"

    with pytest.raises(Refusal, match="changed on Prolific’s pages"):
        publish(draft, user)
    domain.change_draft(draft=draft, actor=user, now=NOON)
    publish(draft, user)

    assert draft.status == "ACTIVE"


def test_places_are_added_once_however_often_it_is_clicked(prolific, project, user):
    draft = create(project, user)
    publish(draft, user)
    other = ProlificStudy.objects.get(pk=draft.pk)
    seen = domain.cost_to_add(draft, 2).mark
    domain.add_places(draft=draft, places=2, seen=seen, actor=user, now=NOON)

    with pytest.raises(Refusal, match="number of places has changed"):
        domain.add_places(draft=other, places=2, seen=seen, actor=user, now=NOON)

    assert prolific.studies[draft.study.study_id]["total_available_places"] == 5


def test_an_unclear_answer_is_logged_and_the_state_says_what_happened(prolific, project, user):
    draft = create(project, user)
    prolific.failing["transition"] = "hangs up after"
    with pytest.raises(Refusal, match="Read the state before you try again"):
        publish(draft, user)

    domain.refresh(draft=draft, now=NOON)

    assert (draft.status, prolific.balance) == ("ACTIVE", 100_000 - 800)
    assert AuditEntry.objects.filter(action="prolific study published").count() == 1


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "does not accept the project’s token"),
        (404, "does not know this study"),
        (409, "state at Prolific does not allow this"),
        (429, "too many requests"),
        (503, "could not be used"),
    ],
)
def test_errors_are_told_in_plain_words(prolific, project, user, status, words):
    draft = create(project, user)
    prolific.failing["studies"] = str(status)

    with pytest.raises(Refusal, match=words):
        domain.pause(draft=draft, actor=user, now=NOON)


def test_what_prolific_refuses_is_named_by_field_and_leaves_no_study(prolific, project, user):
    with pytest.raises(Refusal, match="name: This field may not be blank"):
        create(project, user, name=" ")
    assert not CrowdStudy.objects.exists()


def test_too_little_balance_is_told(prolific, project, user):
    draft = create(project, user)
    prolific.balance = 1

    with pytest.raises(Refusal, match="enough balance"):
        publish(draft, user)


def test_a_session_has_one_study(prolific, project, user):
    create(project, user)

    with pytest.raises(Refusal, match="a study for this session already"):
        create(project, user)

    assert len(prolific.studies) == 1


def test_who_may_not_pay_does_not_publish(prolific, project, user):
    draft = create(project, user)
    seen = domain.cost_to_publish(draft).mark
    project.wallet.allowed_at = None
    project.wallet.save()

    for act in (domain.publish, domain.add_places):
        with pytest.raises(Refusal, match="two-factor authentication"):
            act(draft=draft, seen=seen, actor=user, now=NOON, **({} if act is domain.publish else {"places": 1}))


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"draft": True}, "Project launched"),
        ({"paused_at": NOON}, "Project running"),
        ({"guidelines": " "}, "Guidelines"),
        ({"consent": ""}, "Consent"),
        ({"places": 4}, "Enough places"),
        ({"reward": 100}, "Pay per hour"),
        ({"minutes": 60}, "Pay per hour"),
        ({"completion_code": ""}, "Completion codes"),
    ],
)
def test_the_checklist_names_what_is_missing(prolific, project, user, change, missing):
    draft = create(project, user)
    for row in (project, draft.study, draft):
        values = {name: value for name, value in change.items() if hasattr(row, name)}
        type(row).objects.filter(pk=row.pk).update(**values)
        for name, value in values.items():
            setattr(row, name, value)

    assert missing_checks(draft, domain.address_of(draft.study)) == [missing]
    assert len(list(checks_of(draft, domain.address_of(draft.study)))) == 9


def test_an_address_that_only_this_machine_knows_is_missing(prolific, project, user, settings):
    settings.PUBLIC_URL = "http://localhost:8000"

    draft = create(project, user)

    assert missing_checks(draft, domain.address_of(draft.study)) == ["Public web address"]


def test_the_time_is_computed_from_the_protocol_and_pay_from_the_longer_estimate(prolific, project, user):
    draft = create(project, user, minutes=2)

    assert estimated_minutes(draft.study) == 8  # 60 screens of 7 seconds, and a minute of reading
    assert hourly_pay(draft) == Decimal("15.00")  # 2.00 for 8 minutes


def test_screeners_are_those_of_prolific(prolific, project, user):
    draft = create(project, user)
    add_screener(draft=draft, filter_id="first-language", values=["7"], actor=user, now=NOON)
    add_screener(draft=draft, filter_id="age", lower=18, upper=40, actor=user, now=NOON)
    sent = prolific.studies[draft.study.study_id]

    assert sent["filters"] == [
        {"filter_id": "first-language", "selected_values": ["7"]},
        {"filter_id": "age", "selected_range": {"lower": 18, "upper": 40}},
    ]
    assert draft.filters[0]["names"] == ["Czech"]
    remove_screener(draft=draft, filter_id="age", actor=user, now=NOON)
    assert [one["filter_id"] for one in sent["filters"]] == ["first-language"]
    assert prolific.calls.count(("GET", "/api/v1/filters/")) == 1  # a day is long enough
    for wrong in ({"filter_id": "star-sign"}, {"filter_id": "age"}, {"filter_id": "first-language", "values": ["8"]}):
        with pytest.raises(Refusal):
            add_screener(draft=draft, actor=user, now=NOON, **wrong)
    assert len(FILTERS) == 2
