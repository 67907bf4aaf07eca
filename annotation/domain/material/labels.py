"""Known labels of pairs, changed by hand: flags, screening and the exclusion of pools compare answers with them."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.domain.audit.log import require_reason, write_down
from annotation.domain.errors import Refusal
from annotation.models import Item, Project, User
from annotation.models.audit_actions import Action
from annotation.models.items import LABEL_NAMES
from annotation.protocols.terms import Material


@transaction.atomic
def set_label(*, project: Project, key: str, label: bool | None, reason: str, actor: User, now: datetime) -> Item:
    """Change the known label of a pair, None for none, and return its item.

    In a draft no reason is needed. After the launch answers may already have been compared with the label, so the log
    keeps the reason.

    Raises:
        Refusal: the project has no pairs, or not this one, or the reason is missing.
    """
    project = Project.objects.select_for_update().get(pk=project.pk)
    if project.protocol.material != Material.PAIRS:
        raise Refusal(_("Only pairs of texts can have a known label."))
    item = project.items.filter(key=key).first()
    if item is None:
        raise Refusal(_("There is no item with the ID “%(key)s”. Check the ID in the table of items.") % {"key": key})
    before = item.gold
    if before == label:
        return item
    if not project.draft:
        require_reason(reason)
    item.gold = label
    item.save(update_fields=["gold"])
    changes = {"from": LABEL_NAMES[before], "to": LABEL_NAMES[label]}
    write_down(Action.LABEL_CHANGED, project, actor=actor, now=now, reason=reason, items=[key], **changes)
    return item
