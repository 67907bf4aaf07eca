from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.planning.rounds import plan_round
from annotation.management.project_command import ProjectCommand
from annotation.models import Project


class Command(ProjectCommand):
    help = "Plan the places and screens of a round, or extend a plan to more people or new items."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", help="Key of the round, such as R1, R2, R3 or main.")
        parser.add_argument(
            "--people", type=int, help="Total number of places (default: as many as the protocol requires)."
        )
        parser.add_argument(
            "--calibration", default="", help="Keys of the calibration pairs in order, separated by commas."
        )

    def run(self, project: Project, *, people: int | None, calibration: str, **options: Any) -> None:
        keys = [key.strip() for key in calibration.split(",") if key.strip()]
        self.say(plan_round(project=project, round_key=options["round"], people=people, calibration=keys))
