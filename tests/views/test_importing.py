"""Items brought in from a page after a look through their texts, and pairs built from a corpus."""

from functools import partial

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.domain.material.building import LIMITS, NAMED
from annotation.domain.material.jobs import ANSWERED
from annotation.domain.project.creation import add_member
from annotation.models import Item, ItemImport, Membership, Project, User
from tests.factories import NOON, at_once, make_project, make_user
from tests.importing.files import json_lines
from tests.importing.test_dialogues import GOOD
from tests.importing.test_jobs import CORPUS, PAIRS
from tests.jobs import work_off
from tests.views.sending import HTMX, client_of

IMPORT = "/projects/project/import/"


@pytest.fixture
def client(user) -> Client:
    return manager(user, make_project("semrel"))


@pytest.fixture
def send(client, django_capture_on_commit_callbacks):
    """Sends a form, and lets the worker do what it starts."""

    def sent(path: str, fields: dict[str, object], status: int = 302):
        with django_capture_on_commit_callbacks(execute=True):
            response = client.post(path, fields)
        assert response.status_code == status
        return response

    return sent


def manager(user: User, project: Project) -> Client:
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    return client_of(user)


def latest() -> ItemImport:
    return ItemImport.objects.latest("pk")


def page_of(job: ItemImport, part: str = "") -> str:
    return f"{IMPORT}{job.pk}/{part}"


@pytest.fixture
def job(send) -> ItemImport:
    """An import that asks."""
    send(IMPORT, {"rows": PAIRS, "check_texts": "on"})
    assert latest().state == "asking"
    return latest()


def test_what_was_found_is_shown(client, job):
    page = client.get(page_of(job))

    assert [(one.kind.value, one.count) for one in page.context["found"]] == [
        ("mention", 3),
        ("repeated", 1),
        ("repeated text", 1),
    ]
    assert "Ask <del>@ann</del>." in page.text
    assert "Ask <ins>@&lt;username&gt;</ins>." in page.text
    assert "Line 4, same as line 2" in page.text
    assert (page.text.count('type="checkbox"'), " checked>" in page.text) == (2, False)
    assert Item.objects.count() == 0


def test_the_part_for_the_script_is_the_form_alone(client, job):
    page = client.get(page_of(job), headers=HTMX)

    assert ("<html" in page.text, "Import without changes" in page.text, "hx-trigger" in page.text) == (
        False,
        True,
        False,
    )


def test_agreed_changes_are_made(client, job, send):
    send(page_of(job, "answer/"), {"answer": "change", "kinds": ["mention", "repeated"]})

    assert (latest().state, latest().imported) == ("done", 1)
    assert Item.objects.get().sentence1 == "Ask @<username>."
    text = " ".join(client.get(page_of(job)).text.split())
    assert "1 pair imported.</strong> 1 text changed, 2 pairs left out." in text


def test_a_file_comes_in_as_it_is_whatever_is_ticked(job, send):
    send(page_of(job, "answer/"), {"answer": "as it is", "kinds": ["mention"]})

    assert (latest().state, latest().imported, latest().cleaning) == ("done", 3, [])
    assert Item.objects.filter(sentence1="Ask @ann.").count() == 2


def test_a_discarded_file(client, job, send):
    send(page_of(job, "answer/"), {"answer": "discard"})

    assert (latest().state, Item.objects.count()) == ("cancelled", 0)
    assert "<strong>Nothing was imported.</strong> Discarded by ann." in client.get(page_of(job)).text


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"answer": "change"}, "Select at least one change, or"),
        ({}, "This field is required."),
        ({"answer": "yes"}, "yes is not one of the available choices."),
        ({"answer": "change", "kinds": ["mention", "url"]}, "url is not one of the available choices."),
        ({"answer": "change", "kinds": ["repeated text"]}, "repeated text is not one of the available choices."),
    ],
)
def test_an_answer_that_says_nothing_is_asked_for_once_more(job, send, fields, fault):
    page = send(page_of(job, "answer/"), fields, status=422)

    assert fault in page.text
    assert ('value="mention" id="kind-1" checked' in page.text) is ("mention" in fields.get("kinds", []))
    assert latest().state == "asking"


def test_a_second_answer_changes_nothing(client, job, send):
    send(page_of(job, "answer/"), {"answer": "as it is"})

    send(page_of(job, "answer/"), {"answer": "discard"})

    assert (latest().state, latest().imported) == ("done", 3)
    assert str(ANSWERED) in client.get(page_of(job)).text.replace("&#x27;", "'")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_managers_who_answer_at_the_same_moment_are_heard_once():
    project = make_project("semrel")
    clients = [manager(make_user(name), project) for name in ("ann", "ben")]
    ItemImport.objects.create(
        project=project, file=ContentFile(PAIRS.encode(), "f.csv"), name="f.csv", check_texts=True
    )
    work_off("import", NOON)
    path = page_of(latest(), "answer/")

    answers = at_once(
        partial(clients[0].post, path, {"answer": "as it is"}), partial(clients[1].post, path, {"answer": "discard"})
    )

    assert [one.status_code for one in answers] == [302, 302]
    assert (latest().state, Item.objects.count()) in {("done", 3), ("cancelled", 0)}


def test_nothing_found_asks_for_a_plain_yes(client, send):
    send(IMPORT, {"rows": "id,sentence1,sentence2\n1,One.,Two.\n", "check_texts": "on"})

    page = client.get(page_of(latest()))

    assert ("No duplicates, broken" in page.text, "Import with these changes" in page.text) == (True, False)


def test_dialogues_come_in_after_a_look(user, send):
    Project.objects.all().delete()
    client = manager(user, make_project("giccs"))
    file = SimpleUploadedFile("dialogues.jsonl", json_lines(GOOD).encode())
    send(IMPORT, {"file": file, "check_texts": "on"})
    page = client.get(page_of(latest()))
    assert "5 texts in 1 dialogue were checked." in page.text

    send(page_of(latest(), "answer/"), {"answer": "as it is"})

    assert (latest().state, Item.objects.count()) == ("done", 3)
    assert "Dialogues, each with the utterances" in client.get(IMPORT).text


def test_pairs_are_built_from_a_corpus(client, send):
    file = SimpleUploadedFile("corpus.txt", CORPUS.encode())
    send(f"{IMPORT}corpus/", {"file": file, "lexical": "3", "random": "2", "uses": "1", "seed": "7"})
    job = latest()
    nothing = dict.fromkeys((*NAMED, *LIMITS), 0)
    assert job.mix == nothing | {"lexical": 3, "random": 2, "uses": 1, "seed": 7}
    page = client.get(page_of(job))
    assert ("5 pairs can be built." in page.text, "Import these pairs" in page.text) == (True, True)
    assert page.text.count("<svg") > 20

    send(page_of(job, "answer/"), {"answer": "as it is"})

    assert (latest().state, Item.objects.count()) == ("done", 5)
    assert Item.objects.first().extra.keys() == {"heuristic", "overlap"}


def test_pairs_are_built_from_ready_pairs_without_near_duplicates(client, send):
    pairs = ["It rains today.,It is raining.,4", "It rains today!!,Cats sleep a lot.,1", "No.,Yes.,2"]
    pairs.append("Dogs bark at night.,The sun is out.,3")
    rows = "\n".join(["sentence1,sentence2,score", *pairs])
    limits = {"shortest": "2", "longest": "9", "duplicate_threshold": "0.9"}
    send(f"{IMPORT}corpus/", {"rows": rows, "scored": "1", "random": "1", "uses": "1", "seed": "7"} | limits)

    page = client.get(page_of(latest())).text

    assert "2 pairs can be built." in page
    for counted in ("too short: 2", "same words as another sentence: 1", "The corpus has 8 sentences."):
        assert counted in page


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        (
            {"rows": CORPUS, "random": "1", "shortest": "5", "longest": "4"},
            "The maximum must not be less than the minimum.",
        ),
        ({"rows": CORPUS, "random": "1", "duplicate_threshold": "0.5"}, "greater than or equal to 0.8"),
        ({"rows": CORPUS}, "Enter a number of pairs for"),
        ({"rows": CORPUS, "random": "-1"}, "greater than or equal to 0"),
        ({"rows": CORPUS, "random": "100001"}, "less than or equal to 100000"),
        ({"rows": CORPUS, "random": "1", "uses": "0"}, "greater than or equal to 1"),
        ({"random": "1"}, "Either choose a file or type rows."),
    ],
)
def test_a_corpus_form_that_cannot_be_used(send, fields, fault):
    page = send(f"{IMPORT}corpus/", {"uses": "1", "seed": "0"} | fields, status=422)

    assert fault in str(page.context["form"].errors)
    assert not ItemImport.objects.exists()


def test_the_page_of_pairs_in_context_names_their_columns(user):
    page = manager(user, make_project("two_contexts")).get(IMPORT).text

    assert "id,sentence1,sentence2,context1,context2,earlier_value" in page
    assert "an earlier rating of the pair, from 0 to 6" in page


@pytest.mark.parametrize("preset", ["giccs", "czech_news", "two_contexts"])
def test_pairs_are_built_only_where_pairs_come_in(user, preset):
    client = manager(user, make_project(preset))

    assert client.get(f"{IMPORT}corpus/").status_code == 404
    assert "import/corpus/" not in client.get(IMPORT).text


def test_the_list_of_imports_says_which_of_them_asks(client, job):
    assert "Needs your decision" in client.get(IMPORT).text


def test_pages_take_the_same_queries_at_one_and_three_imports(client, job, django_assert_max_num_queries):
    found = []
    for number in (1, 3):
        while ItemImport.objects.count() < number:
            ItemImport.objects.create(
                project=job.project, file="f.csv", name="f.csv", state="asking", findings=job.findings
            )
        for path in (IMPORT, page_of(job)):
            with django_assert_max_num_queries(8) as queries:
                client.get(path)
            found.append(len(queries))

    assert found[:2] == found[2:]


def test_what_came_in_is_shown_by_its_first_rows(user, django_capture_on_commit_callbacks):
    project = make_project("semrel", "first")
    add_member(project=project, user=user, role=Membership.Role.MANAGER)
    rows = "id,sentence1,sentence2\n" + "".join(f"p{n},One {n}.,Two {n}.\n" for n in range(1, 9))
    with django_capture_on_commit_callbacks(execute=True):
        response = client_of(user).post("/projects/first/import/", {"rows": rows})

    page = client_of(user).get(response["Location"])

    assert page.context["first"] == [(f"p{n}", [f"One {n}.", f"Two {n}."]) for n in range(1, 6)]
    assert "Two 5." in page.text and "Two 6." not in page.text


def test_encoding_and_columns_are_answered_on_the_page(db, user, django_capture_on_commit_callbacks):
    project = make_project("semrel")
    add_member(project=project, user=user, role="manager")
    client = client_of(user)
    file = SimpleUploadedFile("pairs.csv", "nr;text_a;text_b\n7;Café.;Two.\n".encode("cp1252"))
    with django_capture_on_commit_callbacks(execute=True):
        url = client.post("/projects/project/import/", {"file": file})["Location"]
    asked = client.get(url)
    twice = {"encoding": "cp1252", "column-id": "nr", "column-sentence1": "text_a", "column-sentence2": "text_a"}
    refused = client.post(f"{url}answer/", twice)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"{url}answer/", twice | {"column-sentence2": "text_b"})

    assert "7;Café.;Two." in asked.text and '<th scope="col">text_a</th>' in asked.text
    assert (refused.status_code, "can be used once" in refused.text) == (422, True)
    assert list(project.items.values_list("key", "sentence1", "sentence2")) == [("7", "Café.", "Two.")]
    assert "Preview the first item" in client.get(url).text


def test_a_file_that_is_asked_about_can_be_discarded(db, user, django_capture_on_commit_callbacks):
    project = make_project("semrel")
    add_member(project=project, user=user, role="manager")
    client = client_of(user)
    with django_capture_on_commit_callbacks(execute=True):
        file = SimpleUploadedFile("pairs.csv", b"a,b\nOne.,Two.\n")
        url = client.post("/projects/project/import/", {"file": file})["Location"]

    client.post(f"{url}answer/", {"answer": "discard"})

    assert project.imports.get().state == "cancelled"
