from typing import Any

from django.core.management.base import CommandParser

from annotation.domain.errors import Refusal
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.evaluations.evaluate import add_baselines
from scoring.models import State


class Command(ProjectCommand):
    help = "Evaluate the built-in models on a release."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--release", type=int, help="Release number. Default: the newest finished release.")
        parser.add_argument(
            "--embeddings",
            metavar="MODEL",
            default="",
            help=(
                "Also evaluate sentence embeddings: the folder of a model2vec model, or its name on the Hugging Face "
                "Hub, for example minishlab/potion-multilingual-128M."
            ),
        )

    def run(self, project: Project, *, release: int | None, embeddings: str, **options: Any) -> None:
        releases = project.releases.filter(state=State.DONE, **({"number": release} if release else {}))
        found = releases.order_by("-number").first()
        if found is None:
            raise Refusal(f"“{project}” has no such finished release.")
        made = add_baselines(found, embeddings=embeddings)
        if not made:
            self.stdout.write("No new models to evaluate.")
        for evaluation in made:
            main = evaluation.results["scores"][evaluation.results["main"]]
            self.say({evaluation.model: f"Pearson {main['pearson']}, Spearman {main['spearman']}"})
