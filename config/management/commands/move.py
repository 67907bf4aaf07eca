import tempfile
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.commands.serve import alone_in
from config.backup.errors import BackupError
from config.backup.restoring import restore_backup
from config.backup.source import embedded, folder_of
from config.backup.writing import write_backup
from config.management.commands.restore import finish


class Command(BaseCommand):
    help = "Copy an embedded installation into the empty database of this one. The source stays unchanged."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--from",
            required=True,
            dest="place",
            metavar="DATA_DIR",
            help="The folder of the embedded installation, or sqlite:///PATH of its database.",
        )

    def handle(self, *args: Any, place: str, **options: Any) -> None:
        try:
            source = embedded(place)
            with ExitStack() as stack:
                for folder in {settings.DATA_DIR, folder_of(place)}:
                    stack.enter_context(alone_in(folder))
                copy = stack.enter_context(tempfile.TemporaryFile(dir=settings.DATA_DIR))
                write_backup(source, copy)
                copy.seek(0)
                restored = restore_backup(copy, [])
        except (BackupError, OSError) as error:
            raise CommandError(f"Nothing was moved. {error}") from error
        finish(self, restored)
