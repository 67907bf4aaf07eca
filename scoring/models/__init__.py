from scoring.models.drawings import Drawing
from scoring.models.evaluations import Evaluation
from scoring.models.rehearsals import Rehearsal
from scoring.models.releases import Release, ReleaseFile
from scoring.models.runs import Run, RunPart, State
from scoring.models.watching import PersonPulse, Pulse, WatchOptions
from scoring.models.webhooks import TOLD, Delivery, Event, Webhook

__all__ = [
    "TOLD",
    "Delivery",
    "Drawing",
    "Evaluation",
    "Event",
    "PersonPulse",
    "Pulse",
    "Rehearsal",
    "Release",
    "ReleaseFile",
    "Run",
    "RunPart",
    "State",
    "WatchOptions",
    "Webhook",
]
