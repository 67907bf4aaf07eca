"""Import of judgments from a page: a worker finds what is in a file, a manager confirms it, a worker imports it."""

from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.corpora.elsewhere import PROGRAMS, Export
from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import finish
from annotation.domain.jobs.kinds import Kind, register
from annotation.domain.material.elsewhere import import_export, opened_export
from annotation.domain.material.imported_files import local_copy
from annotation.domain.material.jobs import GONE, store_answer
from annotation.domain.material.policy import Imported, ImportPolicy, Invalid, Repeated
from annotation.domain.material.rows import FileRefused
from annotation.models import JudgmentUpload, Project, User
from annotation.models.audit_actions import Action

State = JudgmentUpload.State
Values = dict[str, Any]
KEPT = timedelta(days=30)
"""How long a file waits for an answer."""
UNANSWERED = gettext_lazy("Nobody confirmed the import for 30 days, so its file was deleted. Upload it again.")
SHOWN = 5  # judgments, so that somebody sees whether the file was read as it should


@transaction.atomic
def request_upload(*, project: Project, file: File, actor: User, format_: str, **options: Any) -> JudgmentUpload:
    """Store a file for a worker.

    Parameters: format_, one of `elsewhere.FORMATS`, "" to recognise it; options, as of `_Asked`.

    Raises:
        Refusal: too many jobs wait already.
    """
    guard_queue(project, actor)
    values = {"name": file.name, "format": format_, "options": options, "created_by": actor}
    job = JudgmentUpload.objects.create(project=project, file=file, **values)
    # Without the name of the file, which may be that of a person.
    write_down(Action.IMPORT_REQUESTED, project, actor=actor, now=job.created_at, job=job.pk)
    return job


@transaction.atomic
def confirm(*, job: JudgmentUpload, actor: User, now: datetime) -> None:
    """Queue the import of a file whose contents somebody has seen.

    Raises:
        Refusal: the job does not ask, or not any more.
    """
    store_answer(job, {"state": State.WAITING, "confirmed": True})
    write_down(Action.IMPORT_AGREED, job.project, actor=actor, now=now, job=job.pk)


@transaction.atomic
def read_again(*, job: JudgmentUpload, format_: str, question: str, actor: User, now: datetime) -> None:
    """Queue a job whose format or question was guessed wrongly, to be read in another way.

    Raises:
        Refusal: the job does not ask, or not any more.
    """
    options = job.options | {"question": question}
    store_answer(job, {"state": State.WAITING, "format": format_, "options": options, "findings": None})
    write_down(Action.IMPORT_REQUESTED, job.project, actor=actor, now=now, job=job.pk)


@transaction.atomic
def discard(*, job: JudgmentUpload, actor: User, now: datetime) -> None:
    """End a job that asks, and delete its file.

    Raises:
        Refusal: it does not ask, or not any more.
    """
    problem = _("Discarded by %(actor)s.") % {"actor": actor}
    store_answer(job, {"state": State.CANCELLED, "problem": problem, "ended_at": now})
    write_down(Action.IMPORT_DISCARDED, job.project, actor=actor, now=now, job=job.pk)
    _delete_file(job)


def forget_unanswered(now: datetime) -> int:
    """End the jobs that nobody has answered for `KEPT`, and delete their files, which name people. Return how many."""
    forgotten = 0
    for job in JudgmentUpload.objects.filter(state=State.ASKING, created_at__lt=now - KEPT):
        with suppress(Refusal), transaction.atomic():  # somebody has just answered
            store_answer(job, {"state": State.CANCELLED, "problem": str(UNANSWERED), "ended_at": now})
            _delete_file(job)
            forgotten += 1
    return forgotten


def look_or_import(job: JudgmentUpload) -> Values | None:
    """Do the next step of a job: find what is in the file, or import it.

    Raises:
        Refusal: the file cannot be read, or the project cannot take its judgments.
    """
    try:
        with (
            local_copy(job) as copy,
            opened_export(copy, job.name, job.format, job.options.get("question", "")) as (format_, path, export),
        ):
            store = partial(_import, job, path, export)
            if job.confirmed:
                with transaction.atomic():
                    finish(job, findings=(job.findings or {}) | _counts(store()))
                return None
            return {"state": State.ASKING, "findings": _tried(store) | _contents(format_, export)}
    except FileRefused as error:
        return {"state": State.FAILED, "problem": str(error), "problems": error.as_json()}
    except FileNotFoundError as error:
        raise Refusal(str(GONE)) from error


def _import(job: JudgmentUpload, path: Path, export: Export) -> Imported:
    options = job.options
    handling = ImportPolicy(
        Invalid(options.get("invalid", Invalid.REFUSE)),
        Repeated(options.get("repeated", Repeated.REFUSE)),
        again=options.get("again", False),
    )
    asked = {"round_key": options.get("round") or None, "now": timezone.now(), "actor": job.created_by}
    return import_export(project=job.project, path=path, export=export, handling=handling, **asked)


def _tried(store: Any) -> Values:
    """Return what an import would store; nothing is stored."""
    with transaction.atomic():
        counts = _counts(store())
        transaction.set_rollback(True)
    return counts


def _counts(done: Imported) -> Values:
    left_out = {name: number for name, number in vars(done.met).items() if number}
    return {"judgments": done.judgments, "people": done.annotators, "new_items": done.items, "met": left_out}


def _contents(format_: str, export: Export) -> Values:
    """Return what an export holds, as it is shown: without the names of people."""
    program = PROGRAMS.get(format_)
    rows: list[Values] = [{"items": [row.item], "answer": [row.value]} for row in export.ratings[:SHOWN]]
    rows += [{"items": list(row.items), "answer": [row.best, row.worst]} for row in export.choices[:SHOWN]]
    return {
        "format": format_,
        "program": program.title if program else "",
        "chooses": bool(export.choices),
        "items": len(export.items),
        "skipped": export.skipped,
        "first": rows,
    }


def _delete_file(job: JudgmentUpload) -> None:
    """Delete the uploaded file, which names people; the row keeps what was in it."""
    transaction.on_commit(partial(job.file.storage.delete, job.file.name))


def _forget_problems(job: JudgmentUpload) -> None:
    JudgmentUpload.objects.filter(pk=job.pk).update(problems=[])


register(
    Kind(
        "judgments",
        JudgmentUpload,
        gettext_lazy("Import of judgments"),
        look_or_import,
        waits=(),
        ended=_delete_file,
        queued_again=_forget_problems,
    )
)
