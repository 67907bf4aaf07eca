"""Single texts that only a file of best-worst judgments names."""

from pathlib import Path

from annotation.domain.material.choices import item_columns
from annotation.domain.material.rows import Problems, read_rows
from annotation.domain.material.values import LONGEST_KEY, text_of
from annotation.models import Item, Project
from annotation.protocols.terms import Material


def import_named_texts(project: Project, path: Path) -> int:
    """Store the items that a file of judgments names, each with its ID as its text. Return their number.

    It is 0 where the project does not have single texts, or has some already: an unknown ID is then a mistake. What is
    wrong with the file is left to whoever reads its judgments.
    """
    if project.protocol.material != Material.TEXTS or project.items.exists():
        return 0
    elsewhere = Problems()
    keys = {
        text_of(row, column, line, elsewhere, needed=False, longest=LONGEST_KEY): None
        for line, row in read_rows(path, required=(), problems=elsewhere)
        for column in item_columns(row)
    }
    keys.pop("", None)
    items = (Item(project=project, key=key, sentence1=key, position=at) for at, key in enumerate(keys, start=1))
    return len(Item.objects.bulk_create(items, batch_size=2000))
