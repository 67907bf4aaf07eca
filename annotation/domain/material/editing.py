"""Changes to items that nobody is to judge yet: another text, deletion, and undoing an import."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.domain.material.pairs import item_of_row
from annotation.domain.material.rows import Problems
from annotation.domain.project.creation import remove_plans, why_frozen
from annotation.models import (
    Assignment,
    Item,
    ItemImport,
    PooledItem,
    Project,
    SelectedPair,
    TuplePlace,
    User,
)
from annotation.models.audit_actions import Action

TEXTS = ("sentence1", "sentence2", "context1", "context2")
EDITED = (*TEXTS, "language", "source")
"""The fields of an item that are edited on its page."""
PLANNED = gettext_lazy("Some of these items are already part of a plan and can't be deleted. Withdraw them instead.")


def planned(items: QuerySet[Item]) -> QuerySet[Item]:
    """Return the items that stand on a screen, in a tuple or in a pool, or that somebody selected."""
    uses = (Assignment, TuplePlace, PooledItem, SelectedPair)
    found = [Exists(use._default_manager.filter(item=OuterRef("pk"))) for use in uses]
    return items.filter(found[0] | found[1] | found[2] | found[3])


def may_be_edited(item: Item) -> bool:
    """Return whether the text can still change: before the launch, or as long as nobody is to judge the item."""
    return item.summary_sentence_id is None and may_be_deleted(item)


def may_be_deleted(item: Item) -> bool:
    """Return whether the item is in no plan, or only in plans that can still be removed."""
    return _are_free(item.project, Item.objects.filter(pk=item.pk))


def _are_free(project: Project, items: QuerySet[Item]) -> bool:
    return not planned(items).exists() or not why_frozen(project)


def with_texts(item: Item, values: Mapping[str, str]) -> Item:
    """Return an unsaved item with these texts, checked as those of a file are.

    Raises:
        Refusal: with everything that is wrong.
    """
    problems, row = Problems(), {"id": item.key} | dict(values)
    if not item.sentence2:
        row["text"] = row.pop("sentence1", "")
    checked = item_of_row(item.project, row, problems)
    if problems.found:
        raise Refusal(" ".join(f"{problem.column}: {problem.reason}" for problem in problems.found))
    return checked


@transaction.atomic
def change_item(*, item: Item, values: Mapping[str, str], actor: User, now: datetime) -> list[str]:
    """Change the texts of an item that nobody has been shown. Return the names of the fields that differ now.

    Parameters: values, of the fields in `EDITED`.

    Raises:
        Refusal: it can no longer change, or a text is missing or malformed.
    """
    project = Project.objects.select_for_update().get(pk=item.project_id)
    item = Item.objects.select_related("project").get(pk=item.pk)
    if not may_be_edited(item):
        raise Refusal(
            _(
                "This item is already part of a plan and can't be edited. Replace it instead: annotators "
                "then judge the new text as a new item."
            )
        )
    checked = with_texts(item, values)
    changed = [name for name in EDITED if getattr(item, name) != getattr(checked, name)]
    for name in changed:
        setattr(item, name, getattr(checked, name))
    if changed:
        item.save(update_fields=changed)
        write_down(Action.ITEM_CHANGED, project, actor=actor, now=now, items=[item.key], fields=changed)
    return changed


@transaction.atomic
def delete_items(*, project: Project, keys: Sequence[str], actor: User, now: datetime) -> int:
    """Delete items for good, and before the launch the plans that hold them. Return their number.

    Raises:
        Refusal: one of them is planned, or there is none.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    items = project.items.filter(key__in=keys)
    if planned(items).exists():
        _remove_plans(project)
    deleted = items.count()
    if not deleted:
        raise Refusal(_("No items found."))
    items.delete()
    write_down(Action.ITEMS_DELETED, project, actor=actor, now=now, items=list(keys))
    return deleted


def may_be_undone(item_import: ItemImport) -> bool:
    """Return whether everything that the import stored can still be deleted."""
    if item_import.state != ItemImport.State.DONE or item_import.undone_at or not _left_of(item_import):
        return False
    return not _is_planned(item_import) or not why_frozen(item_import.project)


def _left_of(item_import: ItemImport) -> bool:
    return item_import.items.exists() or item_import.incidents.exists()


def _is_planned(item_import: ItemImport) -> bool:
    screens = Assignment.objects.filter(sentence__document__incident__item_import=item_import)
    return planned(item_import.items.all()).exists() or screens.exists()


@transaction.atomic
def undo_import(*, item_import: ItemImport, actor: User, now: datetime) -> int:
    """Delete everything that an import stored, and before the launch the plans that hold some of it. Return the number
    of items, or of incidents.

    Raises:
        Refusal: it was undone before, stored nothing, or something of it is planned.
    """
    project = Project.objects.select_for_update().get(pk=item_import.project_id)
    item_import = ItemImport.objects.select_for_update().get(pk=item_import.pk)
    if item_import.undone_at or not _left_of(item_import):
        raise Refusal(_("All items of this import have already been deleted."))
    if _is_planned(item_import):
        _remove_plans(project)
    deleted = item_import.incidents.count() or item_import.items.count()
    item_import.items.all().delete()
    item_import.groups.all().delete()
    item_import.incidents.all().delete()
    ItemImport.objects.filter(pk=item_import.pk).update(undone_at=now)
    details = {"import": item_import.pk, "file": item_import.name, "items": deleted}
    write_down(Action.IMPORT_UNDONE, project, actor=actor, now=now, **details)
    return deleted


def _remove_plans(project: Project) -> None:
    if why_frozen(project):
        raise Refusal(PLANNED)
    remove_plans(project)
