"""Django's command, which also collects the sentences of errors that know no web framework."""

from typing import ClassVar

from django.core.management.commands import makemessages

SENTENCES = ("ProtocolError", "OffScale", "PlanningError", "CorpusError", "SplitError", "require:2")
"""Where the first text, or the second argument, is a pattern that `domain.errors.translated` translates."""


class Command(makemessages.Command):
    """Collects and merges the texts of the pages into the catalogs."""

    xgettext_options: ClassVar = [*makemessages.Command.xgettext_options, *(f"--keyword={name}" for name in SENTENCES)]
