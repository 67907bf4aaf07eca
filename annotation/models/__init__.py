from annotation.models.assignments import Assignment, Participation, State
from annotation.models.crowd import Bonus, BonusPayment, CrowdRefusal, CrowdStudy, CrowdSubmission, Platform
from annotation.models.items import Document, DocumentKind, Group, Incident, Item, Sentence
from annotation.models.judgments import Judgment, SelectedPair
from annotation.models.log import AuditEntry
from annotation.models.messages import Circular, Message
from annotation.models.people import Annotator, Installation, MemberInvitation, Membership, User
from annotation.models.practice import PracticeAnswer, PracticePart, PracticeTask
from annotation.models.project import Project, RoundDeadline, RoundPlan
from annotation.models.questions import PersonalAnswer, Question, QuestionKind
from annotation.models.recruiting import Guest, InvitationLink, InvitedAddress, LinkUse, Mailing, RecruitingOptions
from annotation.models.tokens import ApiToken
from annotation.models.tuples import Tuple, TuplePlace
from annotation.models.work import Heartbeat, ItemImport

__all__ = [
    "Annotator",
    "ApiToken",
    "Assignment",
    "AuditEntry",
    "Bonus",
    "BonusPayment",
    "Circular",
    "CrowdRefusal",
    "CrowdStudy",
    "CrowdSubmission",
    "Document",
    "DocumentKind",
    "Group",
    "Guest",
    "Heartbeat",
    "Incident",
    "Installation",
    "InvitationLink",
    "InvitedAddress",
    "Item",
    "ItemImport",
    "Judgment",
    "LinkUse",
    "Mailing",
    "MemberInvitation",
    "Membership",
    "Message",
    "Participation",
    "PersonalAnswer",
    "Platform",
    "PracticeAnswer",
    "PracticePart",
    "PracticeTask",
    "Project",
    "Question",
    "QuestionKind",
    "RecruitingOptions",
    "RoundDeadline",
    "RoundPlan",
    "SelectedPair",
    "Sentence",
    "State",
    "Tuple",
    "TuplePlace",
    "User",
]
