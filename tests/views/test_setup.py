"""A project set up in the browser: the list of steps, and the pages behind it."""

import pytest

from annotation.domain.planning.rounds import plan_round
from annotation.domain.project.creation import add_member
from annotation.domain.recruiting.overview import Invitation, write_invitation
from annotation.forms.questionnaire import AboutYouForm
from annotation.models import Membership, PersonalAnswer, Project
from tests.factories import add_pairs, join, make_project, make_user, rating_round
from tests.views.sending import HTMX, client_of, url_of

SETUP = "/projects/project/setup/"


@pytest.fixture
def project(db) -> Project:
    project = make_project(people="2")
    Project.objects.update(draft=True)
    return Project.objects.get(pk=project.pk)


@pytest.fixture
def client(project):
    boss = make_user("boss", opens_projects=True)
    add_member(project=project, user=boss, role=Membership.Role.OWNER)
    return client_of(boss)


def steps(client) -> dict[str, bool]:
    return {step.url: step.done for step in client.get(SETUP).context["steps"]}


def planned(project: Project) -> Project:
    add_pairs(project, 3)
    plan_round(project=project, round_key="main")
    return project


def test_the_list_says_what_is_missing(client, project):
    page = client.get(SETUP)
    before = [step.title for step in page.context["steps"] if step.missing]
    planned(project)
    after = client.get(SETUP)

    assert before == ["Texts", "Plan"]
    assert (page.context["may_launch"], after.context["may_launch"]) == (False, True)


def test_every_step_leads_somewhere(client, project):
    assert {client.get(url).status_code for url in steps(client)} == {200}


def test_the_list_costs_the_same_whatever_there_is(client, project, django_assert_num_queries):
    planned(project)
    with django_assert_num_queries(10):
        client.get(SETUP)
    for position in range(5):
        project.questions.create(position=position, text=str(position))
        project.plans.create(round="main", seed=0, state="done")
    with django_assert_num_queries(10):
        client.get(SETUP)


def test_launch_by_its_button(client, project):
    planned(project)

    client.post(f"{SETUP}launch/")

    project.refresh_from_db()
    assert (project.draft, project.launched_at is not None) == (False, True)
    assert "Launched on" in client.get(SETUP).text


def test_a_launch_too_early_says_why(client, project):
    page = client.post(f"{SETUP}launch/", follow=True)

    project.refresh_from_db()
    assert project.draft and "There are no items yet" in page.text


def test_a_link_of_a_draft_admits_nobody(client, project, user):
    planned(project)
    link = f"/join/{write_invitation(Invitation('project', 'main'))}/"

    before = client_of(user).post(link)
    client.post(f"{SETUP}launch/")
    after = client_of(user).post(link)

    assert before.status_code in (404, 409) and after.status_code == 302
    assert after["Location"].startswith("/my-work/")


def test_basics_are_saved(client, project):
    client.post(f"{SETUP}basics/", {"title": "Other", "language": "cs", "seed": "3"})

    project.refresh_from_db()
    assert (project.title, project.language, project.seed) == ("Other", "cs", 3)


def test_authors_contact_and_url_are_saved(client, project):
    values = {"authors": " Ann  Example\r\n\r\nBob", "contact": "data@example.org", "url": "example.org/data"}
    client.post(f"{SETUP}basics/", {"title": "One", "language": "", "seed": "0"} | values)

    project.refresh_from_db()
    assert (project.authors, project.contact, project.url) == (
        "Ann Example\nBob",
        "data@example.org",
        "https://example.org/data",
    )
    assert 'name="url" value="https://example.org/data"' in client.get(f"{SETUP}basics/").text


@pytest.mark.parametrize(
    "changes",
    [
        {"title": ""},
        {"language": "x y"},
        {"seed": "-1"},
        {"seed": "9" * 30},
        {"title": "x" * 201},
        {"url": "javascript:alert(1)"},
        {"contact": "x" * 201},
    ],
)
def test_basics_that_cannot_be_are_refused(client, changes):
    page = client.post(f"{SETUP}basics/", {"title": "One", "language": "", "seed": "0"} | changes)

    assert page.status_code == 422


def test_another_seed_after_planning_is_refused(client, project):
    planned(project)

    page = client.post(f"{SETUP}basics/", {"title": "One", "language": "", "seed": "9"})

    assert page.status_code == 422 and "rounds have been planned with it" in page.text


def numbers_of(client, **changes: object) -> dict[str, object]:
    form = client.get(f"{SETUP}protocol/").context["form"]
    sent = {
        field.html_name: field.value() for field in form if field.value() is not None and field.value() is not False
    }
    return {name: "on" if value is True else value for name, value in sent.items()} | changes


def test_numbers_and_words_are_saved(client, project):
    client.post(f"{SETUP}protocol/", numbers_of(client, question="How close?", **{"scale.step": "0.5"}))

    protocol = Project.objects.get().protocol
    assert (protocol.question, str(protocol.scale.step)) == ("How close?", "0.5")
    assert project.audit_entries.get(action="protocol changed").details == {"numbers": {"scale.step": "0.5"}}


def test_the_cost_is_told_for_the_texts_that_are_in(client, project):
    add_pairs(project, 7, calibration=2)

    (cost,) = client.get(f"{SETUP}protocol/").context["costs"]

    assert (cost.people, cost.screens, cost.judgments) == (2, 5, 10)


def test_numbers_are_checked_without_being_saved(client, project):
    page = client.post(f"{SETUP}protocol/", numbers_of(client, check="1", **{"scale.step": "0.3"}))
    shown = client.post(f"{SETUP}protocol/", numbers_of(client, **{"main.raters.people": "9"}), headers=HTMX)

    assert page.status_code == 422 and "is not a multiple of the" in page.text
    assert "<html" not in shown.text
    assert Project.objects.get().protocol_json == project.protocol_json


def test_frozen_numbers_are_shown_and_refused(client, project):
    sent = numbers_of(client, **{"scale.step": "0.5"})
    planned(project)
    client.post(f"{SETUP}launch/")

    page, refused = client.get(f"{SETUP}protocol/"), client.post(f"{SETUP}protocol/", sent)

    assert "<textarea" not in page.text and 'name="scale.step"' not in page.text
    assert (refused.status_code, Project.objects.get().protocol_json) == (422, project.protocol_json)


@pytest.mark.parametrize("name", ["guidelines", "consent"])
def test_pages_are_saved_and_logged(client, project, name):
    client.post(f"{SETUP}pages/{name}/", {"text": "# Read\r\n\r\nTwice."})

    assert getattr(Project.objects.get(), name) == "# Read\n\nTwice."
    assert project.audit_entries.get(action="project changed").details == {"fields": [name]}


def test_a_page_is_shown_as_people_see_it_and_not_saved(client, project):
    text = {"text": "**Bold** <script>alert(1)</script>", "look": "1"}
    page, part = (client.post(f"{SETUP}pages/guidelines/", text, headers=headers) for headers in ({}, HTMX))

    for shown in (page.context["shown"], part.text):
        assert "<strong>Bold</strong>" in shown and "alert" not in shown
    assert "<html" not in part.text
    assert Project.objects.get().guidelines == project.guidelines


def test_a_page_that_is_too_long_is_refused(client):
    assert client.post(f"{SETUP}pages/consent/", {"text": "x" * 200_001}).status_code == 422


def test_other_pages_are_not_found(client):
    assert client.get(f"{SETUP}pages/seed/").status_code == 404


def test_close_and_open(client, project):
    Project.objects.update(draft=False)

    client.post(f"{SETUP}close/", {"reason": "No money."})
    closed = Project.objects.get().closed_at
    again = client.post(f"{SETUP}close/", follow=True)
    client.post(f"{SETUP}open/")

    assert closed is not None and Project.objects.get().closed_at is None
    assert "This project is already closed" in again.text


def test_a_copy_is_a_draft_of_who_makes_it(client, project):
    add_pairs(project, 2)

    page = client.get(f"{SETUP}copy/")
    response = client.post(f"{SETUP}copy/", {"title": "A copy", "project_key": "", "texts": "on"})

    made = Project.objects.get(key="a-copy")
    assert page.status_code == 200 and response["Location"] == "/projects/a-copy/setup/"
    assert (made.draft, made.items.count(), made.memberships.get().user.username) == (True, 2, "boss")


def test_a_copy_with_a_key_that_is_taken_is_refused(client):
    assert client.post(f"{SETUP}copy/", {"title": "A copy", "project_key": "project"}).status_code == 422


def test_who_may_not_open_projects_cannot_copy(project):
    manager = make_user("manager")
    add_member(project=project, user=manager, role=Membership.Role.MANAGER)

    assert client_of(manager).get(f"{SETUP}copy/").status_code == 404
    assert "Copy project" not in client_of(manager).get(SETUP).text


def test_questions_are_added_changed_moved_and_removed(client, project):
    url = f"{SETUP}questions/"
    client.post(url, {"text": "One?", "kind": "text"})
    client.post(url, {"text": "Two?", "kind": "choice", "answers": "a\n\n b \n", "published": "on"})
    one, two = project.questions.all()

    client.post(f"{url}{two.pk}/up/")
    client.post(f"{url}{one.pk}/", {"text": "First?", "kind": "number"})

    rows = list(project.questions.values_list("text", "kind", "choices", "published"))
    assert rows == [("Two?", "choice", ["a", "b"], True), ("First?", "number", [], False)]
    assert client.get(f"{url}{two.pk}/").context["form"]["answers"].value() == "a\nb"
    client.post(f"{url}{two.pk}/remove/")
    assert list(project.questions.values_list("text", flat=True)) == ["First?"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": ""}, "text"),
        ({"kind": "poem"}, "kind"),
        ({"kind": "choice", "answers": "one"}, "answers"),
        ({"kind": "choice", "answers": "a\na"}, "answers"),
    ],
)
def test_a_question_that_cannot_be_is_refused_beside_its_field(client, project, fields, field):
    page = client.post(f"{SETUP}questions/", {"text": "What?", "kind": "text"} | fields)

    assert (page.status_code, project.questions.count()) == (422, 0)
    assert field in page.context["form"].errors


def test_a_question_too_many_is_refused(client, project):
    for position in range(30):
        project.questions.create(position=position, text=str(position))

    page = client.post(f"{SETUP}questions/", {"text": "One more?", "kind": "text"})

    assert page.status_code == 422 and "up to 30 questions" in page.text


def test_the_question_of_another_project_is_not_found(client):
    other = make_project(key="other").questions.create(position=1, text="?")

    assert client.get(f"{SETUP}questions/{other.pk}/").status_code == 404


@pytest.fixture
def asked(user):
    """A person who has agreed and is asked about themselves."""
    project = make_project(key="asking")
    kinds = {"text": [], "number": [], "choice": ["a", "b"], "country": [], "language": []}
    for position, (kind, choices) in enumerate(kinds.items(), start=1):
        project.questions.create(position=position, kind=kind, text=f"Your {kind}?", choices=choices)
    planned(project)
    return join(project, "main", user)


def answers(asked, *given: str) -> dict[str, str]:
    return {f"question-{one.pk}": text for one, text in zip(asked.project.questions.all(), given, strict=False)}


def test_a_person_is_asked_and_goes_on(asked, user):
    client = client_of(user)

    page = client.get(url_of(asked))
    response = client.post(url_of(asked, "about-you/"), answers(asked, "some", "30", "b", "Česko", ""))

    assert all(f"Your {kind}?" in page.text for kind in ("text", "number", "choice", "country", "language"))
    assert response["Location"] == url_of(asked)
    told = list(PersonalAnswer.objects.order_by("question__position").values_list("text", flat=True))
    assert told == ["some", "30", "b", "Česko"]
    assert "1 of 3" in client.get(url_of(asked)).text


def test_a_person_skips_everything(asked, user):
    client_of(user).post(url_of(asked, "about-you/"), answers(asked, "x", "no number") | {"skip": "1"})

    asked.refresh_from_db()
    assert (asked.asking, PersonalAnswer.objects.count()) == (False, 0)


def test_an_answer_that_cannot_be_is_asked_for_once_more(asked, user):
    page = client_of(user).post(url_of(asked, "about-you/"), answers(asked, "kept", "no number", "c"))

    assert (page.status_code, PersonalAnswer.objects.count()) == (422, 0)
    assert 'value="kept"' in page.text and len(page.context["form"].errors) == 2


def test_who_is_not_asked_is_sent_to_their_work(user):
    place = rating_round(user)

    assert client_of(user).post(url_of(place, "about-you/"))["Location"] == url_of(place)
    assert client_of(user).get(url_of(place, "about-you/"))["Location"] == url_of(place)


def test_an_explanation_is_text_and_never_html(user):
    project = rating_round(user).project
    project.questions.create(position=1, text="Age?", help='<b hx-post="/x/" hx-trigger="load">old</b>')

    [field] = AboutYouForm(questions=list(project.questions.all()))

    assert field.help_text == "&lt;b hx-post=&quot;/x/&quot; hx-trigger=&quot;load&quot;&gt;old&lt;/b&gt;"
