import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error

from config.backup.encryption import encrypted
from config.backup.errors import BackupError
from config.backup.source import this_installation
from config.backup.writing import Written, write_backup


class Command(BaseCommand):
    help = "Write all rows and files of this installation to one file. The installation can be in use."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="File to write the backup to; - for standard output.")
        parser.add_argument(
            "--recipient",
            action="append",
            default=[],
            metavar="KEY",
            help="Encrypt the backup for this public key (age or SSH). Can be repeated.",
        )

    def handle(self, *args: Any, file: str, recipient: list[str], **options: Any) -> None:
        try:
            with opened(file) as sink, encrypted(sink, recipient) as writer:
                written = write_backup(this_installation(), writer)
        except BackupError as error:
            raise CommandError(str(error)) from error
        except Error as error:
            raise CommandError(f"The database cannot be read: {error}") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror or error}.") from error
        self.report(written, file)

    def report(self, written: Written, file: str) -> None:
        out = self.stderr if file == "-" else self.stdout
        for table, facts in written.tables.items():
            if facts["rows"]:
                out.write(f"{table}: {facts['rows']} rows, SHA-256 {facts['sha256']}")
        for name in written.missing:
            self.stderr.write(f"The file {name} is in the database, but not in the storage.")
        out.write(f"Backed up {sum(facts['rows'] for facts in written.tables.values())} rows, {written.files} files.")


@contextmanager
def opened(file: str) -> Iterator[IO[bytes]]:
    """Yield standard output, or a draft that only its owner can read and that takes the file's place when complete."""
    if file == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(file)
    draft = path.with_name(path.name + ".draft")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as sink:
            yield sink
            sink.flush()
            os.fsync(sink.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
