"""What a preset registers: its protocol, the words that describe it, and its demo projects."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.functional import Promise

from annotation.planning.costs import Material, RoundCost, round_costs
from annotation.protocols.spec import Protocol


@dataclass(frozen=True)
class Words:
    """A preset in words; `example` is the amount of material for which its cost is shown."""

    title: str | Promise
    does: str | Promise
    brings: str | Promise
    changes: str | Promise
    example: Material


@dataclass(frozen=True)
class Demo:
    """A demo project: `file` and `practice` name files in the folder `demo` of the preset.

    `stage` is the state in which the demo opens: “half collected”, “collected”, “second round” or “last round”.
    `finished` is the number of simulated people who have finished the last round that is open; people in progress,
    resting, gone and excluded are added to a collected project. `similarities` are those that simulated people see, in
    percent, of the items in the order of the file; without them, they are drawn at random.
    """

    key: str
    title: str
    file: str
    language: str
    stage: str
    finished: int
    changes: Mapping[str, str] = field(default_factory=dict)
    practice: str = ""
    similarities: Sequence[int] = ()

    @property
    def has_results(self) -> bool:
        """Return whether enough is collected for a scoring run and a release."""
        return self.stage in ("collected", "last round")


@dataclass(frozen=True)
class Preset:
    """One way of collecting judgments that people can choose for a new project.

    `folder` holds `guidelines.md` and `demo/`. Presets are listed by ascending `order`, then by key.
    """

    protocol: Protocol
    words: Words
    folder: Path
    order: int = 100

    @property
    def costs(self) -> list[RoundCost]:
        """The cost of each round for the amount of material in `words.example`."""
        return round_costs(self.protocol, self.words.example)

    @property
    def hours(self) -> int:
        """The working time of all people in all rounds, rounded to hours."""
        return round(sum(cost.hours for cost in self.costs))

    def demos(self) -> list[Demo]:
        """Return the demo projects of `demo/projects.toml`; none where there is no such file."""
        file = self.folder / "demo" / "projects.toml"
        rows = tomllib.loads(file.read_text(encoding="utf-8"))["projects"] if file.exists() else []
        return [Demo(**row) for row in rows]

    def guidelines(self) -> str:
        """Return the guidelines that a new project starts with, in Markdown."""
        return (self.folder / "guidelines.md").read_text(encoding="utf-8")
