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
    "noise": "Standard deviation of an answer, as a share of the scale’s length.",
    "drift": "Upward drift over 100 answers, as a share of the scale’s length.",
    "careless": "Share of annotators who answer at random.",
    "contrary": "Share of annotators who reverse the scale.",
    "leaving": "Share of annotators who leave before finishing.",
    "hasty": "Share of annotators who answer well but faster than anyone can read.",
    "straight": "Share of annotators who always give the same value or choose the same positions.",
    "uncalibrated": "Share of annotators who reverse the scale on calibration pairs.",
    "forgetful": "Share of annotators who reverse their answer when a pair is repeated.",
}


class Command(ProjectCommand):
    help = "Have simulated annotators answer a round through the same code as real annotators, with a simulated clock."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", help="For example R1, R2, R3 or main. The round is planned first if necessary.")
        parser.add_argument("--people", type=int, help="Number of places to fill. Default: all open places.")
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
        self.say(dict(ends) or {"people": "none, because there were no open places"})

    def _plan_if_needed(self, project: Project, round_key: str, people: int | None) -> None:
        if not Participation.objects.filter(project=project, round=round_key).exists():
            self.say(plan_round(project=project, round_key=round_key, people=people))
