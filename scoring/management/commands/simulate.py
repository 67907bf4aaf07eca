from collections import Counter
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.domain.planning.rounds import plan_round
from annotation.domain.simulation.answers import Behaviour, some_of
from annotation.domain.simulation.rounds import simulate_round
from annotation.management.project_command import ProjectCommand
from annotation.models import Participation, Project
from scoring.domain.exclusion.screening import screen

SHARES = {
    "noise": "Standard deviation of an answer, as a share of the scale's length.",
    "drift": "How far answers have risen after a hundred, as a share of the scale's length.",
    "careless": "Share of people who answer anything.",
    "contrary": "Share of people who take the scale the wrong way round.",
    "leaving": "Share of people who leave on the way.",
    "hasty": "Share of people who answer well, and faster than anybody can read.",
    "straight": "Share of people who give the same value, or choose the same places, all the time.",
    "uncalibrated": "Share of people who take calibration pairs the wrong way round.",
    "forgetful": "Share of people who answer the other way round when a pair comes again.",
}


class Command(ProjectCommand):
    help = "Lets simulated people answer a round, through the same functions as people, with a moved clock."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", help="Such as R1, R2, R3 or main; planned first where it is not yet.")
        parser.add_argument("--people", type=int, help="So many places; by default all that are open.")
        parser.add_argument("--seed", type=int, default=0)
        for name, text in SHARES.items():
            parser.add_argument(f"--{name}", type=float, help=text)

    def run(self, project: Project, *, people: int | None, seed: int, **options: Any) -> None:
        round_key = project.round(options["round"]).key
        behaviour = some_of(Behaviour(), **{name: options[name] for name in SHARES})
        self._plan_if_needed(project, round_key, people)
        ends: Counter[str] = Counter()
        sittings = simulate_round(
            project=project, round_key=round_key, people=people, behaviour=behaviour, seed=seed, now=timezone.now()
        )
        for participation in sittings:
            excluded = screen(participation_id=participation.pk, now=participation.finished_at or timezone.now())
            ends["excluded" if excluded else participation.state] += 1
        self.say(dict(ends) or {"people": "nobody; there was no open place"})

    def _plan_if_needed(self, project: Project, round_key: str, people: int | None) -> None:
        if not Participation.objects.filter(project=project, round=round_key).exists():
            self.say(plan_round(project=project, round_key=round_key, people=people))
