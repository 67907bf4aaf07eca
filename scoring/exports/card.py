"""README.md: the data card, with the header that the Hugging Face hub reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from annotation.models.project import author_names
from annotation.protocols.counting import NotCounted
from annotation.protocols.terms import Material
from scoring.exports.bibtex import address, entry, escaped, names
from scoring.exports.citing import Dataset
from scoring.exports.collected import Collected
from scoring.exports.distributions import CONTESTED, about_disagreement
from scoring.exports.hub import licence_on_hub
from scoring.exports.judgments import Tally
from scoring.exports.loading import loading
from scoring.exports.markdown import as_markdown
from scoring.exports.publication import DataFile, Publication
from scoring.exports.report import amounts, by_group, choices, deviations, halves, machines, ratings, subgroups
from scoring.exports.report.collection import origin
from scoring.exports.report.designs import work_of
from scoring.exports.report.tables import down, whole
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.uncounted import GROUPS
from scoring.figures.wording import counted, listed, plain
from scoring.summaries.demographics import MERGED, Demographic

SPLITS = {"train": "train", "dev": "validation", "test": "test"}
SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
FIGURES = (
    *("agreement", "intra", "split_half", "split_half_ratings", "choice_agreement"),
    *("coverage", "effort", "datasets", "machines", "by_group", "subgroups", "registration"),
)
"""The parts of a run's results that the card prints."""
AMOUNTS = (amounts.datasets, amounts.coverage, amounts.effort)
FIGURES_FOLDER = "figures"
PLAN = "registered_plan.json"
"""The registered plan in its canonical form."""
FOR_SPREADSHEETS = ("judgments.csv", "items.csv", "machine_judgments.csv")

INVALID = (
    "an item appears twice in the tuple, or the same item was chosen as best and worst. Scores, their standard errors, "
    "split-half reliability and agreement include these choices unchanged; choice models leave them out"
)
"""What the card says about choices that were imported with `--invalid keep`."""


RATING_MODELS = (
    "by models of raters, next to `mean`, which is unchanged: `mixed` (items and annotators with random levels), "
    "`weighed` (annotators with a shift, a stretch and noise of their own), `ordinal` (a cumulative logit model), "
    "`dawid_skene` and `mace` (the expected value of the category). All are on the scale of the ratings and use the "
    "same ratings as `mean`. Where there are few ratings, they are drawn towards the mean of all items. Columns that "
    "end in `_error` are standard errors."
)
CHOICE_MODELS = (
    "by models, next to `score`, which is unchanged: `utility` (the best-worst model) and `weighed_utility` (with "
    "annotators of different reliability), in logits. Columns that end in `_error` are standard errors."
)
ADAPTIVE = (
    "The tuples of later waves were chosen adaptively: items met items like themselves. Use `utility` to compare "
    "items. `score` counts how often an item was chosen among these; it is biased towards the middle, and its "
    "interval, its error and its split-half reliability are no measure of its precision."
)
"""What the card says about scores of an adaptive round."""
EMPTY_COLUMNS = (
    "A column is empty if a model cannot be fitted{example}. `results.json` has the reason under `rater_models`."
)
NOT_FITTED = ", for example because no item has two ratings or the ratings have more than 12 different values"
"""The columns of the scores by models."""


@dataclass(frozen=True)
class Card:
    """The content of a data card.

    reasons: how many were excluded in each round, by kind of reason. changes and collected: as those of a `Collection`.
    figures: name, title and description of each. parts: the split-half reliability of each part of the split.
    demographics: people by their answers to questions.
    """

    view: SnapshotView
    publication: Publication
    title: str
    licence: str
    rows: Mapping[str, int]
    tallies: Mapping[str, Tally]
    reasons: Mapping[str, Mapping[str, int]]
    changes: Sequence[str]
    collected: Mapping[str, Collected]
    results: Mapping[str, Any]
    figures: tuple[tuple[str, str, str], ...]
    notes: Mapping[str, Any]
    parts: Mapping[str, Any]
    demographics: Sequence[Demographic]
    run: int
    seed: int
    code_version: str

    @property
    def _single(self) -> bool:
        return self.view.project.protocol.material == Material.TEXTS

    def text(self) -> str:
        sections = (
            ("", self._about()),
            ("Protocol", self._protocol()),
            ("Annotators", self._people()),
            ("Amounts", self._amounts()),
            ("Reliability", self._reliability()),
            ("Disagreement", about_disagreement(self.rows, compares=self.view.project.protocol.compares)),
            *([("Models as annotators", self._machines())] if self.view.machines else []),
            *([("Registered plan", self._registration())] if self.results.get("registration") else []),
            ("Figures", self._figures()),
            ("Files", self._files()),
            ("How to load", self._loading()),
            ("Known limits", self._limits()),
            ("How to cite", self._citation()),
            (
                "Licence",
                iter([self.licence or "No licence has been specified. Contact the authors before using these data."]),
            ),
        )
        written = ["\n".join([f"## {title}\n", *lines] if title else lines) for title, lines in sections]
        return "\n".join([*self._header(), "", "\n\n".join(written), ""])

    @property
    def dataset(self) -> Dataset:
        """Return what the formats for programs say. The version is that of the run, as equal runs give equal files."""
        project = self.view.project
        return Dataset(
            title=" ".join(self.title.split()),
            description=f"{self._content()} As of {self.view.as_of:%Y-%m-%d}.",
            version=f"{self.run}.0.0",
            day=f"{self.view.as_of:%Y-%m-%d}",
            licence=self.licence,
            url=project.url,
            authors=author_names(project.authors),
            languages=sorted(self.view.languages),
        )

    @property
    def tables(self) -> list[str]:
        """Return the names of the CSV files with a header, except the judgments and scores of every release."""
        parts = [f"{part}.csv" for part in SPLITS]
        return [*parts, *(file.name for file in self.publication.files if not file.columns), CONTESTED]

    def _content(self) -> str:
        how = origin(self.publication.paper, self.changes, self.collected)
        return f"Human judgments of {'single texts' if self._single else 'texts'}, {how}."

    def _header(self) -> Iterator[str]:
        """Yield the header that the Hugging Face hub reads, as YAML between two lines of dashes."""
        codes = sorted({tag.partition("-")[0].lower() for tag in self.view.languages})
        configs = list(self._configs())
        header = {
            **licence_on_hub(self.licence),
            "language": codes,
            "task_categories": [self.publication.task],
            "pretty_name": self.title,
            "size_categories": [self._size()],
            "configs": [config | {"default": True} for config in configs[:1]] + configs[1:],
        }
        known = {key: value for key, value in header.items() if value}
        yield from ("---", yaml.safe_dump(known, sort_keys=False, allow_unicode=True).rstrip(), "---")

    def _size(self) -> str:
        number = max(self.rows.values(), default=0)
        return next((name for limit, name in SIZES if number < limit), "10M<n<100M")

    def _configs(self) -> Iterator[dict[str, Any]]:
        """Yield a name, the file of each split, and how to read them; files without rows are left out.

        The first one is the default: the files of the preset, or else the scores. All are CSV or TSV, as `datasets`
        reads all configurations of a folder by one reader.
        """
        parts = {split: f"{part}.csv" for part, split in SPLITS.items() if self.rows.get(f"{part}.csv")}
        if parts:
            yield _config("parts", parts, sep=",")
        for file in self.publication.files:
            if self.rows.get(file.name):
                yield _config(file.name.partition(".")[0], {file.split: file.name}, **_reading(file))
        for stem in ("scores", "judgments", "distributions", "contested"):
            if self.rows.get(f"{stem}.csv"):
                yield _config(stem, {"train": f"{stem}.csv"}, sep=",")

    def _about(self) -> Iterator[str]:
        yield f"# {' '.join(self.title.split())}\n"
        if facts := list(self._origin()):
            yield from (*facts, "")
        yield self._content()
        yield f"As of {self.view.as_of:%Y-%m-%d %H:%M:%S} UTC; scoring run {self.run}, random seed {self.seed},"
        yield f"Semblance {self.code_version}. Checksums of all files are in `manifest.json`."
        for name, value in self.notes.items():
            yield f"\n{name}: {value}"

    def _origin(self) -> Iterator[str]:
        """Yield authors, contact, URL and licence, as far as the project has them."""
        project = self.view.project
        facts = {
            "Authors": "; ".join(author_names(project.authors)),
            "Contact": project.contact,
            "URL": f"<{project.url}>" if project.url else "",
            "Licence": self.licence,
        }
        yield from (f"- {name}: {value}" for name, value in facts.items() if value)

    @property
    def bibtex(self) -> str:
        project, year = self.view.project, f"{self.view.as_of:%Y}"
        fields = {
            "author": names(author_names(project.authors)),
            "title": f"{{{escaped(self.title)}}}",
            "year": year,
            "url": address(project.url),
            "note": f"Scoring run {self.run}, random seed {self.seed}, Semblance {escaped(self.code_version)}",
        }
        return entry(f"{project.key}-{year}", fields)

    def _citation(self) -> Iterator[str]:
        yield from ("```bibtex", self.bibtex, "```")

    def _protocol(self) -> Iterator[str]:
        protocol = self.view.project.protocol
        yield f"Question: “{protocol.question}”"
        if scale := protocol.scale:
            minimum, maximum, step = map(plain, (scale.minimum, scale.maximum, scale.step))
            labels = "; ".join(f"{plain(label.value)}: {label.text}" for label in scale.labels)
            yield f"Scale: {minimum} to {maximum} in steps of {step}{f' ({labels})' if labels else ''}."
        yield ""
        for one in protocol.rounds:
            sessions = ", then ".join(f"context-{context.value}" for context in one.sessions)
            own = f"; tuples of {one.design.tuple_size}" if one.design.compares else ""
            yield f"- {one.key}: {one.title}" + (f" ({sessions}{own})" if sessions or own else "")
            yield f"  {work_of(protocol, one, self.collected.get(one.key))}"
        yield "\nAll settings of the protocol are in `manifest.json`."

    def _people(self) -> Iterator[str]:
        yield "Annotators are identified by pseudonyms that are the same in all files and releases of this project."
        yield "No file contains names.\n"
        yield "| round | annotators who answered | judgments | counted judgments | excluded annotators |"
        yield "| --- | ---: | ---: | ---: | --- |"
        for one in self.view.project.protocol.rounds:
            own = self.tallies.get(one.key, Tally())
            reasons = "; ".join(f"{number}: {reason}" for reason, number in self.reasons.get(one.key, {}).items())
            known = str(len(own.people))
            people = f"{known} and others not identified" if own.unsigned else known
            yield f"| {one.key} | {people} | {own.judgments} | {own.counted} | {reasons or 'none'} |"
        yield from self._uncounted()
        yield from self._brought_in()
        yield from self._demographics()

    def _uncounted(self) -> Iterator[str]:
        """Yield the number of judgments that are in `judgments.*` and do not count, by reason."""
        numbers = self.view.reasons.numbers
        if not numbers:
            yield "\nAll judgments are counted."
            return
        yield "\nJudgments that are not counted are in `judgments.*` with `counted` set to false and enter no score:\n"
        yield from ("| `not_counted_because` | judgments | meaning |", "| --- | ---: | --- |")
        yield from (f"| {reason} | {number} | {GROUPS[NotCounted(reason)]} |" for reason, number in numbers.items())
        yield "\nIf several reasons apply, the first in this order is given: " + ", ".join(GROUPS) + "."

    def _brought_in(self) -> Iterator[str]:
        """Yield what applies to imported files only: choices without annotators, and invalid ones."""
        if unsigned := sum(own.unsigned for own in self.tallies.values()):
            verb = "was" if unsigned == 1 else "were"
            yield f"\n{counted(unsigned, 'choice')} {verb} imported without annotator identifiers. The annotators are"
            yield "labelled “unknown 1”, “unknown 2” and so on; one person may have several of these labels. Statistics"
            yield "by annotator are not defined; statistics by tuple and by item are."
        if invalid := self.view.invalid:
            yield f"\nOf the counted choices, {invalid} {'is' if invalid == 1 else 'are'} invalid: {INVALID}."

    def _amounts(self) -> Iterator[str]:
        """Yield the datasets, the ratings per pair and the person-hours, as far as the run computed them."""
        tables = [table for make in AMOUNTS for table in make(self.results)]
        if withdrawn := len(self.view.facts.withdrawn):
            was, has = ("was", "has") if withdrawn == 1 else ("were", "have")
            yield f"{counted(withdrawn, 'item')} {was} withdrawn and {has} no score.\n"
        if not tables:
            yield "No judgments have been collected yet."
        for table in tables:
            yield from (*as_markdown(table), "")
        yield from amounts.coverage_sentences(self.results, self.view.project.protocol)
        yield from amounts.effort_sentence(self.results)

    def _demographics(self) -> Iterator[str]:
        """Yield the people by their answers about themselves (SemRel2024, appendix A.3)."""
        for one in self.demographics:
            rows = {group.label: {"people": group.people} for group in one.groups}
            title = f"Annotators with counted judgments, by their answer to “{one.question}”"
            yield from ("", *as_markdown(down(title, rows, [whole("Annotators", "people")], MERGED)))

    def _reliability(self) -> Iterator[str]:
        parts = {"split_half_of_parts": {"parts": self.parts}} if self.parts else {}
        of_ratings = (*ratings.agreement(self.results), *halves.of_ratings(self.results))
        of_choices = (*choices.reliability(self.results), *choices.parts(parts))
        of_groups = (*by_group.reliability(self.results), *subgroups.agreement(self.results))
        tables = [*of_ratings, *of_choices, *of_groups]
        if not tables:
            yield "No agreement can be reported yet, because no item was judged by two annotators."
            return
        for table in tables:
            yield from (*as_markdown(table), "")
        yield "All statistics of the scoring run are in `results.json`."

    def _machines(self) -> Iterator[str]:
        """Yield how the answers of models are kept apart, and how they compare with those of people."""
        yield "Language models also answered. Their answers are in `machine_judgments.*` with `counted` set to false"
        yield "and `not_counted_because` set to `machine`; they enter no score and no other statistic."
        yield "The instructions and settings of each model are in `machines.json`."
        for table in machines.machines(self.results):
            yield from ("", *as_markdown(table))

    def _registration(self) -> Iterator[str]:
        """Yield which plan was registered, and the deviations from it."""
        yield f"The plan of this collection was registered. It is in `{PLAN}`, whose SHA-256 is the hash below."
        for table in deviations.deviations(self.results):
            yield from ("", *as_markdown(table))

    def _figures(self) -> Iterator[str]:
        if not self.figures:
            yield "There are no data to plot yet."
            return
        yield f"Each figure is in `{FIGURES_FOLDER}/` as SVG and PNG, with the plotted data as CSV."
        for name, title, description in self.figures:
            yield f"\n**`{name}`: {title}.** {description}"

    def _files(self) -> Iterator[str]:
        yield from ("| file | rows |", "| --- | ---: |")
        yield from (f"| `{name}` | {number} |" for name, number in sorted(self.rows.items()))
        compares = self.view.project.protocol.compares
        columns = CHOICE_MODELS if compares else RATING_MODELS
        yield f"\n`scores.csv` and `scores.parquet` also have scores {columns}"
        if any(round_.design.adaptive for round_ in self.view.project.protocol.rounds):
            yield f"\n{ADAPTIVE}\n"
        yield EMPTY_COLUMNS.format(example="" if compares else NOT_FITTED)

    def _loading(self) -> Iterator[str]:
        yield "Run this code in the folder that contains the files; if you downloaded the ZIP archive, unpack it first."
        yield "Each of the last lines loads one configuration.\n"
        yield from ("```python", loading([config["config_name"] for config in self._configs()]), "```")

    def _limits(self) -> Iterator[str]:
        yield "- There is no ground truth beyond human judgment: the scores reflect these annotators, these languages"
        yield "  and this question. Check the reliability before you train or evaluate on them."
        texts = (*FOR_SPREADSHEETS, *(file.name for file in self.publication.files if file.harmless))
        guarded = listed([f"`{name}`" for name in texts if name in self.rows])
        yield f"- In {guarded}, text that a spreadsheet would run as a formula is preceded by an apostrophe. All other"
        yield "  files contain the texts unchanged."
        yield "- Additional columns imported with the items are in `items.csv`."


def _config(name: str, files: Mapping[str, str], **reading: Any) -> dict[str, Any]:
    """Return a configuration of the header; reading: the options for pandas."""
    splits = [{"split": split, "path": path} for split, path in files.items()]
    return {"config_name": name, "data_files": splits, **reading}


def _reading(file: DataFile) -> dict[str, Any]:
    """Return the options with which `datasets` reads a file."""
    if not file.columns:
        return {"sep": ","}
    return {"sep": "\t", "names": list(file.columns), "quoting": 3, "keep_default_na": False}
