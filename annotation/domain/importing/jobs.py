"""Imports as jobs: what a worker does with one, and what a manager answers when it asks."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files import File
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning import CHANGED, DROPPED, Kind
from annotation.domain.errors import Refusal
from annotation.domain.importing.building import build, spread_of, write_pairs
from annotation.domain.importing.findings import find_in_file
from annotation.domain.importing.items import import_cleaned, import_items
from annotation.domain.importing.rows import FileRefused, Problem
from annotation.domain.log import write_down
from annotation.models import ItemImport, Project, User

State = ItemImport.State
Values = dict[str, Any]
ANSWERED = _("This import does not ask any more: it has its answer.")


@transaction.atomic
def request_import(*, project: Project, file: File, actor: User, **asked: Any) -> ItemImport:
    """A file that waits for a worker.

    Parameters: asked, what the job is to do with it: `check_texts`, `expletives`, `mix`.
    """
    job = ItemImport.objects.create(project=project, file=file, name=file.name, created_by=actor, **asked)
    _log(job, "import asked for", actor, job.created_at)
    return job


def carry_out(job: ItemImport, now: datetime) -> Values:
    """Does the next step of a job: the import, or what has to be seen before it. Returns what its row says then.

    Raises:
        FileRefused: with every bad row.
        Refusal: the project cannot take items, or the corpus does not give the pairs.
    """
    with _local_copy(job) as sent, _items_of(job, sent) as (path, told):
        if job.cleaning is None and (job.check_texts or job.mix is not None):
            found = find_in_file(job.project, path, overlap=not told, expletives=job.expletives)
            return {"state": State.ASKING, "findings": found | told}
        return _import(job, path) | {"state": State.DONE, "ended_at": now}


def refused_whole(reason: str) -> Values:
    """What the row of a job says that is refused for one reason."""
    return {"state": State.REFUSED, "problems": FileRefused([Problem(0, "", str(reason))]).as_json()}


@transaction.atomic
def agree(*, job: ItemImport, kinds: Collection[str], actor: User, now: datetime) -> None:
    """Sends a job that asks on its way, with the changes that were agreed to; with none it comes in as it is.

    Raises:
        Refusal: it does not ask, or not any more; or a kind to which nobody can agree.
    """
    unknown = set(kinds) - {kind.value for kind in CHANGED | DROPPED}
    if unknown:
        raise Refusal(_("Nothing can be done about: %(unknown)s.") % {"unknown": ", ".join(sorted(unknown))})
    _answer(job, {"state": State.WAITING, "cleaning": sorted(kinds)})
    _log(job, "import agreed to", actor, now, cleaning=sorted(kinds))


@transaction.atomic
def discard(*, job: ItemImport, actor: User, now: datetime) -> None:
    """Ends a job that asks; the row and its file stay.

    Raises:
        Refusal: it does not ask, or not any more.
    """
    _answer(job, refused_whole(_("Discarded by %(actor)s.") % {"actor": actor}) | {"ended_at": now})
    _log(job, "import discarded", actor, now)


def _answer(job: ItemImport, values: Values) -> None:
    """One statement, so that of two answers at the same moment one counts."""
    if not ItemImport.objects.filter(pk=job.pk, state=State.ASKING).update(**values):
        raise Refusal(ANSWERED)


def _log(job: ItemImport, action: str, actor: User, now: datetime, **details: Any) -> None:
    details = {"import": job.pk, "file": job.name} | details
    write_down(action, job.project, actor=actor, now=now, **details)


@contextmanager
def _local_copy(job: ItemImport) -> Iterator[Path]:
    with NamedTemporaryFile(suffix=Path(job.name).suffix) as copy:
        for chunk in job.file.chunks():
            copy.write(chunk)
        copy.flush()
        yield Path(copy.name)


@contextmanager
def _items_of(job: ItemImport, path: Path) -> Iterator[tuple[Path, Values]]:
    """The file of items, and what there is to tell of it: of a corpus the pairs, the same each time by their seed."""
    if job.mix is None:
        yield path, {}
        return
    pairs = build(path, job.name, job.mix)
    with NamedTemporaryFile(suffix=".csv") as built:
        write_pairs(pairs, Path(built.name))
        yield Path(built.name), {"spread": spread_of(pairs)}


def _import(job: ItemImport, path: Path) -> Values:
    if not job.cleaning:
        return {"imported": import_items(project=job.project, path=path)}
    kinds = [Kind(kind) for kind in job.cleaning]
    cleaned = import_cleaned(project=job.project, path=path, kinds=kinds, expletives=job.expletives)
    done = {"changed": cleaned.changed, "left_out": cleaned.left_out}
    return {"imported": cleaned.imported, "findings": (job.findings or {}) | {"done": done}}
