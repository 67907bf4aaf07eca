from annotation.models.jobs import JobState as State
from scoring.models.audit_actions import ScoringAction
from scoring.models.evaluations import Evaluation
from scoring.models.machines import Machine, MachineAnswer, MachineRun, MachineScreen
from scoring.models.monitoring import MonitoringOptions, PersonStatistics, ProjectStatistics
from scoring.models.notifications import Notice, NotificationSettings
from scoring.models.registrations import FixedPlan, Registration, RegistrationDraft
from scoring.models.rehearsals import Rehearsal
from scoring.models.releases import Release, ReleaseFile
from scoring.models.run_figures import FigureRendering, RunFigure
from scoring.models.runs import Run, RunPart
from scoring.models.uploads import ArchiveToken, DataArchive, Upload
from scoring.models.webhooks import PROJECT_EVENTS, Delivery, Event, Webhook

__all__ = [
    "PROJECT_EVENTS",
    "ArchiveToken",
    "DataArchive",
    "Delivery",
    "Evaluation",
    "Event",
    "FigureRendering",
    "FixedPlan",
    "Machine",
    "MachineAnswer",
    "MachineRun",
    "MachineScreen",
    "MonitoringOptions",
    "Notice",
    "NotificationSettings",
    "PersonStatistics",
    "ProjectStatistics",
    "Registration",
    "RegistrationDraft",
    "Rehearsal",
    "Release",
    "ReleaseFile",
    "Run",
    "RunFigure",
    "RunPart",
    "ScoringAction",
    "State",
    "Upload",
    "Webhook",
]
