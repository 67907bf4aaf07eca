import os
from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import complete
from annotation.management.project_command import ProjectCommand
from annotation.models import Project
from scoring.domain.machines.adding import add_machine
from scoring.domain.machines.costs import forecast_of, spent_by
from scoring.domain.machines.jobs import start_machine
from scoring.models import Machine, State
from scoring.models.machines import A_MINUTE, ANSWER_TOKENS, REPEATS
from scoring.stats.alternative import EPSILON

NUMBERS = {
    "seed": (int, None, "Random seed. Default: the project’s."),
    "repeats": (int, REPEATS, f"How often the model answers everything. Default: {REPEATS}."),
    "sample": (int, None, "Number of items or tuples, drawn at random. Default: all."),
    "temperature": (float, None, "Default: not sent."),
    "max-tokens": (int, ANSWER_TOKENS, f"Maximum tokens per answer. Default: {ANSWER_TOKENS}."),
    "per-minute": (int, A_MINUTE, f"Maximum requests per minute. Default: {A_MINUTE}."),
    "price-prompt": (Decimal, Decimal(0), "Price of a million sent tokens. Default: 0."),
    "price-answer": (Decimal, Decimal(0), "Price of a million answered tokens. Default: 0."),
    "budget": (Decimal, None, "The model stops before it could cost more. Required with a price."),
    "epsilon": (float, EPSILON, f"Epsilon of the alternative annotator test. Default: {EPSILON}."),
}


class Command(ProjectCommand):
    help = (
        "Have a language model answer a round as one more annotator, over an OpenAI-compatible API. A model with the "
        "same name continues where it stopped; its settings stay as they were."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", help="For example main or R3. The round must be planned.")
        parser.add_argument("--name", required=True, help="Name of the model in this project.")
        parser.add_argument("--url", default="", help="URL of the API, such as https://api.openai.com/v1.")
        parser.add_argument("--model", default="", help="The model’s name, as the server knows it.")
        parser.add_argument("--version-of-model", default="", help="Version or weights, published with the answers.")
        parser.add_argument(
            "--key-variable", default="", metavar="NAME", help="The environment variable with the API key."
        )
        parser.add_argument("--token-limit", default="max_tokens", choices=Machine.TokenLimit.values)
        parser.add_argument("--reverses", action="store_true", help="Also rate all pairs with the second text first.")
        parser.add_argument("--forecast", action="store_true", help="Only print the forecast; nothing is sent.")
        for name, (kind, default, text) in NUMBERS.items():
            parser.add_argument(f"--{name}", type=kind, default=default, help=text)

    def run(self, project: Project, *, name: str, forecast: bool, **options: Any) -> None:
        machine = project.machines.filter(name=name).first() or self._added(project, name, options)
        found = forecast_of(machine)
        self.say({"screens": found.requests, "expected cost": f"{found.cost:.4f}", "maximum cost": f"{found.most:.4f}"})
        if forecast:
            return
        run = complete(start_machine(machine=machine, actor=None, now=timezone.now()))
        spent = spent_by(machine)
        self.say({"valid answers": spent.valid, "invalid answers": spent.invalid, "cost": f"{spent.cost:.4f}"})
        if run.state != State.DONE:
            raise CommandError(run.problem)

    def _added(self, project: Project, name: str, options: dict[str, Any]) -> Machine:
        if not options["url"] or not options["model"]:
            raise Refusal(f"There is no model named “{name}” in this project. Give its --url and --model to add it.")
        variable = options["key_variable"]
        if variable and variable not in os.environ:
            raise Refusal(f"The environment variable {variable} is not set.")
        values = {key.replace("-", "_"): options[key.replace("-", "_")] for key in NUMBERS}
        values |= {key: options[key] for key in ("round", "url", "model", "token_limit", "reverses")}
        values |= {"name": name, "version": options["version_of_model"], "api_key": os.environ.get(variable, "")}
        values["seed"] = project.seed if values["seed"] is None else values["seed"]
        return add_machine(project=project, actor=None, now=timezone.now(), values=values)
