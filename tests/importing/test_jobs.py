"""Imports that ask before anything comes in."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.files.base import ContentFile
from django.http import HttpResponse

from annotation.domain.errors import Refusal
from annotation.domain.material.jobs import ANSWERED, agree, discard
from annotation.models import AuditEntry, Item, ItemImport, Project
from tests.api.worlds import member
from tests.factories import NOON, at_once, make_project, make_user
from tests.importing.files import json_lines
from tests.importing.test_cleaning import dialogue
from tests.jobs import LOST, work_off
from tests.views.sending import client_of

pytestmark = pytest.mark.postgres

PAIRS = "id,sentence1,sentence2\n1,Ask @ann.,Rain.\n2,Ask @ben.,Rain.\n3,Ask @ann.,Rain.\n"
CORPUS = "\n".join(f"Sentence {number} of the corpus tells of {number % 5} things." for number in range(40))
LATER = NOON + timedelta(days=30)


def job_of(text: str, *, preset: str = "semrel", name: str = "file.csv", **values: object) -> ItemImport:
    project = Project.objects.first() or make_project(preset)
    return ItemImport.objects.create(project=project, file=ContentFile(text.encode(), name), name=name, **values)


def asking(text: str = PAIRS, **values: object) -> ItemImport:
    """A job that has been looked through."""
    job = job_of(text, **{"check_texts": True} | values)
    assert work_off("import", NOON) == 1
    job.refresh_from_db()
    assert (job.state, job.imported, job.ended_at, Item.objects.count()) == ("asking", 0, None, 0)
    return job


def counts(job: ItemImport) -> dict[str, int]:
    return {one["kind"]: one["count"] for one in job.findings["kinds"]}


def test_texts_are_changed_only_as_agreed(db, user):
    job = asking()
    assert counts(job) == {"mention": 3, "repeated": 1, "repeated text": 1}

    agree(job=job, kinds=["mention", "repeated"], actor=user, now=NOON)
    assert work_off("import", LATER) == 1

    job.refresh_from_db()
    assert (job.state, job.imported, job.cleaning, job.started_at) == ("done", 1, ["mention", "repeated"], LATER)
    assert job.findings["done"] == {"changed": 1, "left_out": 2}
    assert list(Item.objects.values_list("key", "sentence1")) == [("1", "Ask @<username>.")]
    (entry,) = AuditEntry.objects.all()
    assert (entry.action, entry.actor, entry.details["cleaning"]) == ("import agreed to", user, ["mention", "repeated"])


def test_a_file_comes_in_as_it_is(db, user):
    job = asking()

    agree(job=job, kinds=[], actor=user, now=NOON)
    work_off("import", NOON)

    job.refresh_from_db()
    assert (job.state, job.imported, job.cleaning, "done" in job.findings) == ("done", 3, [], False)
    assert set(Item.objects.values_list("sentence1", flat=True)) == {"Ask @ann.", "Ask @ben."}


def test_a_discarded_file_leaves_its_row(db, user):
    job = asking()

    discard(job=job, actor=user, now=NOON)

    assert work_off("import", LATER) == 0
    job.refresh_from_db()
    assert (job.state, job.ended_at, job.problem) == ("cancelled", NOON, "Discarded by ann.")
    assert (job.file.storage.exists(job.file.name), Item.objects.count()) == (True, 0)
    assert AuditEntry.objects.get().action == "import discarded"


def test_a_job_that_asks_waits_for_ever_and_holds_no_other_up(db):
    first, second = asking(), job_of(PAIRS)

    assert [work_off("import", NOON + LOST * 100), work_off("import", LATER)] == [1, 0]

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == ("asking", "done")


def test_a_job_without_a_check_does_not_ask(db):
    job = job_of(PAIRS)

    work_off("import", NOON)

    job.refresh_from_db()
    assert (job.state, job.imported, job.findings) == ("done", 3, None)


def test_a_faulty_file_is_refused_before_it_asks(db):
    job = job_of(PAIRS + "4,One\n", check_texts=True)

    work_off("import", NOON)

    job.refresh_from_db()
    assert (job.state, job.problems[0]["line"]) == ("failed", 5)


def test_dialogues_are_looked_through_and_come_in(db, user):
    rows = [dialogue("d1", "Ask @ann.", "No.", "Yes."), dialogue("d2", "Ask @ann.", "No.", "Yes.")]
    job = asking(json_lines(*rows), preset="giccs", name="dialogues.jsonl")

    agree(job=job, kinds=["repeated", "url"], actor=user, now=NOON)
    work_off("import", NOON)

    job.refresh_from_db()
    assert (job.state, job.imported, job.findings["done"]) == ("done", 3, {"changed": 1, "left_out": 1})


@pytest.mark.parametrize("answer", [agree, discard])
@pytest.mark.parametrize("state", ["waiting", "running", "done", "failed", "cancelled"])
def test_only_a_job_that_asks_takes_an_answer(db, user, state, answer):
    job = job_of(PAIRS, state=state)
    kinds = {"kinds": []} if answer is agree else {}

    with pytest.raises(Refusal, match=str(ANSWERED)):
        answer(job=job, actor=user, now=NOON, **kinds)

    assert (ItemImport.objects.get().state, AuditEntry.objects.count()) == (state, 0)


@pytest.mark.parametrize("kinds", [["repeated text"], ["url", "everything"]])
def test_nobody_agrees_to_what_cannot_be_done(db, user, kinds):
    job = asking()

    with pytest.raises(Refusal, match=f"These kinds of findings can't be corrected automatically: {kinds[-1]}"):
        agree(job=job, kinds=kinds, actor=user, now=NOON)

    assert ItemImport.objects.get().state == "asking"


@pytest.mark.django_db(transaction=True)
def test_of_answers_at_the_same_moment_one_counts():
    ann, ben = make_user("ann"), make_user("ben")
    job = asking()

    outcomes = at_once(
        partial(agree, job=job, kinds=["mention"], actor=ann, now=NOON),
        partial(agree, job=job, kinds=[], actor=ben, now=NOON),
        partial(discard, job=job, actor=ben, now=NOON),
        partial(discard, job=job, actor=ann, now=NOON),
    )

    assert sorted(map(str, outcomes)) == sorted(["None", *[ANSWERED] * 3])
    assert AuditEntry.objects.count() == 1


def test_pairs_of_a_corpus_are_shown_and_then_come_in(db, user):
    job = asking(CORPUS, name="corpus.txt", check_texts=False, mix={"lexical": 3, "random": 4, "seed": 1, "uses": 1})
    assert job.findings["spread"]["pairs"] == 7
    assert [figure["name"] for figure in job.findings["balance"]] == ["words per text"]
    shown = [example["texts"] for example in job.findings["spread"]["examples"]]

    agree(job=job, kinds=[], actor=user, now=NOON)
    work_off("import", NOON)

    job.refresh_from_db()
    items = list(Item.objects.values_list("sentence1", "sentence2", "extra__heuristic", "extra__overlap"))
    assert (job.state, job.imported, len(items)) == ("done", 7, 7)
    assert [heuristic for _, _, heuristic, _ in items] == ["overlap"] * 3 + ["random"] * 4
    assert {tuple(texts) for texts in shown} <= {item[:2] for item in items}


def test_a_corpus_that_does_not_give_the_pairs_is_refused(db):
    job = job_of("One.\nTwo.\n", name="corpus.txt", mix={"random": 9, "seed": 0, "uses": 1})

    work_off("import", NOON)

    job.refresh_from_db()
    assert job.state == "failed"
    assert job.problem.startswith("The corpus has only 1 of the 9 pairs requested by random.")


def test_a_worker_that_was_taken_for_lost_says_nothing_any_more(db):
    job = job_of(PAIRS, state="running", attempts=1, heartbeat_at=NOON - LOST * 2)
    ItemImport.objects.filter(pk=job.pk).update(check_texts=True)

    assert work_off("import", NOON) == 1

    job.refresh_from_db()
    assert (job.state, job.attempts, job.started_at) == ("asking", 2, NOON)


def preview_of(job: ItemImport) -> HttpResponse:
    manager = member(job.project, "manager")
    return client_of(manager).get(f"/projects/{job.project.key}/import/{job.pk}/preview/")


PREVIEWED = {
    "semrel": "\n".join(["id,sentence1,sentence2", *(f"{n},First {n}.,Second {n}." for n in range(9))]),
    "stss131": "id,sentence1,sentence2\n1,First 0.,Second 0.\n2,Third.,Fourth.\n",
    "giccs": json_lines(dialogue("d1", "First 0.", "Second 0.", "Third.", "Fourth.", "Fifth.")),
}


@pytest.mark.parametrize("preset", PREVIEWED)
def test_the_first_item_is_shown_before_anything_is_stored(db, preset):
    job = asking(PREVIEWED[preset], preset=preset, name="f.jsonl" if preset == "giccs" else "f.csv")

    page = preview_of(job)

    assert page.status_code == 200
    assert "First 0." in page.text and "Second 0." in page.text
    assert "This is a preview" not in page.text and "Back to the import" in page.text
    assert f"/projects/{job.project.key}/import/{job.pk}/preview/" in page.text
    assert (Item.objects.count(), Project.objects.count()) == (0, 1)
    job.refresh_from_db()
    assert job.state == "asking"


def test_an_import_of_an_earlier_version_has_no_preview(db):
    job = asking(PREVIEWED["semrel"])
    ItemImport.objects.update(findings={name: found for name, found in job.findings.items() if name != "first"})

    assert preview_of(job)["Location"] == f"/projects/{job.project.key}/import/{job.pk}/"
