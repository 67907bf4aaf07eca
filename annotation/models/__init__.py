from annotation.models.assignments import Assignment, Participation, State
from annotation.models.audit_actions import Action
from annotation.models.browser_sessions import BrowserSession
from annotation.models.crowd import (
    Bonus,
    BonusPayment,
    CrowdRefusal,
    CrowdStudy,
    CrowdSubmission,
    Platform,
    ProlificStudy,
    Wallet,
)
from annotation.models.items import Document, DocumentKind, Group, Incident, Item, ItemFigures, Sentence
from annotation.models.jobs import Job, JobState
from annotation.models.judgments import Inversion, Judgment, SelectedPair
from annotation.models.log import AuditEntry
from annotation.models.messages import Broadcast, MailTemplate, Message, Unsubscribed
from annotation.models.people import Annotator, DigestKey, Installation, MemberInvitation, Membership, User
from annotation.models.practice import PracticeAnswer, PracticePart, PracticeTask
from annotation.models.project import ConsentText, Project, ProjectState, RoundDeadline, RoundPlan
from annotation.models.questions import PersonalAnswer, Question, QuestionKind
from annotation.models.recruiting import (
    Guest,
    InvitationLink,
    InvitedAddress,
    LinkUse,
    Mailing,
    Quota,
    RecruitingOptions,
    WaitingPerson,
)
from annotation.models.security import SecurityEvent
from annotation.models.tokens import ApiToken
from annotation.models.tuples import PooledItem, Tuple, TuplePlace
from annotation.models.waves import Decision, Wave
from annotation.models.work import Heartbeat, ItemImport, JudgmentUpload
