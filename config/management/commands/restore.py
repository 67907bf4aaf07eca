import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.commands.serve import alone_in
from config.backup.encryption import read_identities
from config.backup.errors import BackupError
from config.backup.restoring import Restored, restore_backup


class Command(BaseCommand):
    help = "Restore a backup into an empty database: everything or nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="Backup file; - for standard input.")
        parser.add_argument(
            "--identity",
            type=Path,
            metavar="FILE",
            help="File with the secret key (age or SSH) of an encrypted backup.",
        )

    def handle(self, *args: Any, file: str, identity: Path | None, **options: Any) -> None:
        try:
            identities = read_identities(identity) if identity else []
            with alone_in(settings.DATA_DIR), opened(file) as source:
                restored = restore_backup(source, identities)
        except (BackupError, OSError) as error:
            raise CommandError(f"Nothing was restored. {error}") from error
        finish(self, restored)


def finish(command: BaseCommand, restored: Restored) -> None:
    """Print what has been compared with the source, table by table, and migrate to the newest version."""
    tables = restored.manifest["tables"]
    for table, facts in tables.items():
        if facts["rows"]:
            command.stdout.write(f"{table}: {facts['rows']} rows, SHA-256 {facts['sha256']}, as in the source")
    for name in restored.manifest["missing_files"]:
        command.stderr.write(f"The file {name} is in the database, but not in the backup.")
    if restored.secret_key is False:
        command.stderr.write(
            "SECRET_KEY is set, so the secret key of the source was not restored. With a different key "
            "all sessions end, and links sent earlier no longer work. To keep second factors and tokens "
            "of other services, add the source's key to SECRET_KEY_FALLBACKS and run reencrypt."
        )
    made = f"Semblance {restored.header['version']}, {restored.header['made_at']}"
    rows = sum(facts["rows"] for facts in tables.values())
    command.stdout.write(f"Restored {rows} rows, {restored.files} files ({made}).")
    call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def opened(file: str) -> Iterator[IO[bytes]]:
    """Yield the file, or a copy of standard input, which can be read twice."""
    if file != "-":
        with open(file, "rb") as source:
            yield source
        return
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.seek(0)
        yield copy
