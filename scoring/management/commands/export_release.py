from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.releases.outgoing import converted
from scoring.exports.files import whole_file
from scoring.exports.outgoing import OUTGOING
from scoring.models import State


class Command(ProjectCommand):
    help = "Write the scores and judgments of a release as a JSON file that another program imports."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("program", choices=tuple(OUTGOING), help="The program that will read the file.")
        parser.add_argument("--release", type=int, help="Number of the release. Default: the latest one.")
        parser.add_argument("--out", help="Output file. Default: PROJECT-PROGRAM.json in the current directory.")

    def run(self, project: Project, *, program: str, out: str | None, **options: Any) -> None:
        done = project.releases.filter(state=State.DONE).order_by("-number")
        number = options["release"]
        release = (done if number is None else done.filter(number=number)).first()
        if release is None:
            raise Refusal("The project has no such release. Create one with the command “release”.")
        path = Path(out or f"{project.key}-{program}.json")
        try:
            with whole_file(path) as file:
                file.writelines(converted(release, program))
        except OSError as error:
            raise Refusal(f"Cannot write {path}: {error.strerror}.") from error
        self.say({"release": release.number, "written to": path})
