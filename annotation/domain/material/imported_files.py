"""Files of imports: copies that a worker reads, and the hashes of files of judgments, which the audit log keeps."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import file_digest
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.utils.translation import gettext as _

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import ItemImport, JudgmentUpload, Project, User
from annotation.models.audit_actions import Action


@contextmanager
def local_copy(job: ItemImport | JudgmentUpload) -> Iterator[Path]:
    """Give a local copy of the file of an import. Raise FileNotFoundError if it is gone."""
    with NamedTemporaryFile(suffix=Path(job.name).suffix) as copy:
        for chunk in job.file.chunks():
            copy.write(chunk)
        copy.flush()
        yield Path(copy.name)


def fingerprint(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def guard_same_file(project: Project, sha256: str, round_key: str | None) -> None:
    """Raise Refusal where a file with the same bytes was imported for the same round before."""
    imported = project.audit_entries.filter(action=Action.JUDGMENTS_IMPORTED)
    if imported.filter(details__sha256=sha256, details__round=round_key or "").exists():
        raise Refusal(_("This file has already been imported. To import it all the same, choose “Import again”."))


def log_imported_file(
    project: Project, sha256: str, round_key: str | None, *, judgments: int, actor: User | None, now: datetime
) -> None:
    """Log that a file was imported. Its name is left out, as it may name somebody."""
    write_down(
        Action.JUDGMENTS_IMPORTED,
        project,
        actor=actor,
        now=now,
        sha256=sha256,
        round=round_key or "",
        answers=judgments,
    )
