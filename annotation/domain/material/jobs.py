"""Imports as background jobs: the steps of a worker, and the answers of a manager whom the job asks."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files import File
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning import CHANGED, DROPPED, Kind
from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.jobs.backlog import guard_queue
from annotation.domain.jobs.engine import finish
from annotation.domain.jobs.kinds import Kind as JobKind
from annotation.domain.jobs.kinds import register
from annotation.domain.material.building import build, spread_of, write_pairs
from annotation.domain.material.findings import find_in_file
from annotation.domain.material.first_rows import first_rows
from annotation.domain.material.imported_files import local_copy
from annotation.domain.material.items import clean, import_items
from annotation.domain.material.layouts import as_table, question_about
from annotation.domain.material.row_filters import ReplayFilter
from annotation.domain.material.rows import FileRefused
from annotation.models import ItemImport, JobState, JudgmentUpload, Project, User
from annotation.models.audit_actions import Action

State = ItemImport.State
Values = dict[str, Any]
ANSWERED = _("This import has already been answered.")
GONE = _("The stored file can no longer be read. Upload it again.")


@transaction.atomic
def request_import(*, project: Project, file: File, actor: User, **asked: Any) -> ItemImport:
    """Store a file for a worker. Parameters: asked, what to do with it: `check_texts`, `expletives`, `mix`.

    Raises:
        Refusal: too many jobs wait already.
    """
    guard_queue(project, actor)
    job = ItemImport.objects.create(project=project, file=file, name=file.name, created_by=actor, **asked)
    _log(job, Action.IMPORT_REQUESTED, actor, job.created_at)
    return job


def bring_in(job: ItemImport) -> Values | None:
    """Do the next step of an import: store the items, or find what has to be seen before.

    Raises:
        Refusal: the project cannot take items, the corpus does not give the pairs, or the file is gone.
    """
    try:
        with local_copy(job) as given, ExitStack() as files:
            if asked := _layout_question(job, given):
                return {"state": State.ASKING, "findings": {"layout": asked}}
            sent = files.enter_context(as_table(given, encoding=job.encoding, columns=job.columns))
            path, details = files.enter_context(_items_of(job, sent))
            if job.cleaning is None and (job.check_texts or job.mix is not None):
                found = find_in_file(job.project, path, overlap=not details, expletives=job.expletives)
                return {"state": State.ASKING, "findings": found | details | {"first": first_rows(path)}}
            return _import(job, path)
    except FileRefused as error:
        return {"state": State.FAILED, "problem": str(error), "problems": error.as_json()}
    except FileNotFoundError as error:
        raise Refusal(GONE) from error


def _layout_question(job: ItemImport, path: Path) -> Values | None:
    if job.columns:
        return None
    return question_about(job.project, path, encoding=job.encoding, renames=job.mix is None)


def _forget_problems(job: ItemImport) -> None:
    ItemImport.objects.filter(pk=job.pk).update(problems=[])


register(JobKind("import", ItemImport, _("Import"), bring_in, waits=(), queued_again=_forget_problems))


@transaction.atomic
def agree(*, job: ItemImport, kinds: Collection[str], actor: User, now: datetime) -> None:
    """Queue a job that asks, with the changes that were agreed to; with none the file is imported unchanged.

    Raises:
        Refusal: it does not ask, or not any more; or a kind to which nobody can agree.
    """
    unknown = set(kinds) - {kind.value for kind in CHANGED | DROPPED}
    if unknown:
        raise Refusal(
            _("These kinds of findings can't be corrected automatically: %(unknown)s.")
            % {"unknown": ", ".join(sorted(unknown))}
        )
    store_answer(job, {"state": State.WAITING, "cleaning": sorted(kinds)})
    _log(job, Action.IMPORT_AGREED, actor, now, cleaning=sorted(kinds))


@transaction.atomic
def read_as(*, job: ItemImport, encoding: str, columns: Mapping[str, str], actor: User, now: datetime) -> None:
    """Queue a job that asks for the encoding or the columns of its file.

    Parameters: columns, the wanted names by those in the file; "" for the numbers of the rows.

    Raises:
        Refusal: it does not ask, or not any more.
    """
    store_answer(job, {"state": State.WAITING, "encoding": encoding, "columns": dict(columns), "findings": None})
    _log(job, Action.IMPORT_AGREED, actor, now)


@transaction.atomic
def discard(*, job: ItemImport, actor: User, now: datetime) -> None:
    """End a job that asks; the row and its file stay.

    Raises:
        Refusal: it does not ask, or not any more.
    """
    problem = _("Discarded by %(actor)s.") % {"actor": actor}
    store_answer(job, {"state": State.CANCELLED, "problem": problem, "ended_at": now})
    _log(job, Action.IMPORT_DISCARDED, actor, now)


def store_answer(job: ItemImport | JudgmentUpload, values: Values) -> None:
    """Store the answer to an import that asks, by one statement, so that of two at the same moment one counts.

    Raises:
        Refusal: the job does not ask, or not any more.
    """
    if not type(job).objects.filter(pk=job.pk, state=JobState.ASKING).update(**values):
        raise Refusal(ANSWERED)


def _log(job: ItemImport, action: Action, actor: User, now: datetime, **details: Any) -> None:
    details = {"import": job.pk, "file": job.name} | details
    write_down(action, job.project, actor=actor, now=now, **details)


@contextmanager
def _items_of(job: ItemImport, path: Path) -> Iterator[tuple[Path, Values]]:
    """Give the file of items and its details; of a corpus the pairs, the same each time by their random seed."""
    if job.mix is None:
        yield path, {}
        return
    built = build(path, job.name, job.mix)
    with NamedTemporaryFile(suffix=".csv") as file:
        write_pairs(built.pairs, Path(file.name))
        yield Path(file.name), {"spread": spread_of(built)}


def _import(job: ItemImport, path: Path) -> None:
    """Store the items and the end of the job together: if a worker is lost, both or neither are stored."""
    sieve, values = None, {}
    if job.cleaning:
        kinds = [Kind(kind) for kind in job.cleaning]
        cleaner = clean(project=job.project, path=path, kinds=kinds, expletives=job.expletives)
        done = {"changed": cleaner.changed, "left_out": cleaner.left_out}
        sieve, values = ReplayFilter(cleaner.decisions), {"findings": (job.findings or {}) | {"done": done}}
    with transaction.atomic():
        imported = import_items(project=job.project, path=path, sieve=sieve, item_import=job)
        finish(job, imported=imported, **values)
