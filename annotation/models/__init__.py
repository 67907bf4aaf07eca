from annotation.models.assignments import Assignment, Participation, State
from annotation.models.items import Document, DocumentKind, Incident, Item, Sentence
from annotation.models.judgments import Judgment, SelectedPair
from annotation.models.people import Annotator, Membership, User
from annotation.models.project import AuditEntry, Project, RoundPlan
from annotation.models.work import Heartbeat, ItemImport

__all__ = [
    "Annotator",
    "Assignment",
    "AuditEntry",
    "Document",
    "DocumentKind",
    "Heartbeat",
    "Incident",
    "Item",
    "ItemImport",
    "Judgment",
    "Membership",
    "Participation",
    "Project",
    "RoundPlan",
    "SelectedPair",
    "Sentence",
    "State",
    "User",
]
