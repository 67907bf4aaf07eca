"""README.md: the data card, with the header that the Hugging Face hub reads."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.protocols.spec import BestWorstDesign
from scoring.exports.frozen import Frozen
from scoring.exports.judgments import Tally

SPLITS = {"train": "train", "dev": "validation", "test": "test"}
SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
TRAIN = ("sentence1", "sentence2", "value")
TEST = ("sentence1", "sentence2", "mean", "annotations", "selected_value")
FIGURES = ("agreement", "intra", "split_half", "choice_agreement")
"""The parts of a run's results that tell how reliable the scores are."""
FIGURES_FOLDER = "figures"
FOR_SPREADSHEETS = ("judgments.csv", "items.csv", "dscs.csv", "stss131.csv")
PAPERS = {
    "czech_news": "the Czech News Dataset for Semantic Textual Similarity",
    "semrel": "SemRel2024",
    "giccs": "GiCCS",
    "dscs": "DSCS",
    "stss131": "STSS-131",
}

INVALID = (
    "an item stands twice in the tuple, or the same item is best and worst. Scores, their errors, split-half "
    "reliability and agreement count them as they stand; models of choice leave them out"
)
"""What is said of choices that were brought in with `--invalid keep`."""


@dataclass(frozen=True)
class Card:
    """What a data card tells. reasons: how many were excluded in each round, by kind of reason.
    figures: name, title and description of each."""

    frozen: Frozen
    title: str
    licence: str
    rows: Mapping[str, int]
    tallies: Mapping[str, Tally]
    reasons: Mapping[str, Mapping[str, int]]
    results: Mapping[str, Any]
    figures: tuple[tuple[str, str, str], ...]
    notes: Mapping[str, Any]
    run: int
    seed: int
    code_version: str

    def text(self) -> str:
        sections = (
            ("", self._about()),
            ("Protocol", self._protocol()),
            ("People", self._people()),
            ("Reliability", self._reliability()),
            ("Figures", self._figures()),
            ("Files", self._files()),
            ("How to load", self._loading()),
            ("Known limits", self._limits()),
            ("Licence", iter([self.licence or "No licence has been given: ask before you use these data."])),
        )
        written = ["\n".join([f"## {title}\n", *lines] if title else lines) for title, lines in sections]
        return "\n".join([*self._header(), "", "\n\n".join(written), ""])

    def _header(self) -> Iterator[str]:
        """YAML; texts are quoted as JSON, which YAML reads."""
        yield "---"
        if self.licence:
            yield f"license: {_quoted(self.licence.lower())}"
        if codes := sorted({tag.partition("-")[0].lower() for tag in self.frozen.languages}):
            yield "language:"
            yield from (f"- {_quoted(code)}" for code in codes)
        yield from ("task_categories:", "- sentence-similarity")
        yield f"pretty_name: {_quoted(self.title)}"
        yield from ("size_categories:", f"- {self._size()}", "configs:")
        for number, (name, files, further) in enumerate(self._configs()):
            yield f"- config_name: {name}"
            if number == 0:
                yield "  default: true"
            yield "  data_files:"
            for split, file in files.items():
                yield from (f"  - split: {split}", f"    path: {_quoted(file)}")
            yield from (f"  {line}" for line in further)
        yield "---"

    def _size(self) -> str:
        number = max(self.rows.values(), default=0)
        return next((name for limit, name in SIZES if number < limit), "10M<n<100M")

    def _configs(self) -> Iterator[tuple[str, dict[str, str], list[str]]]:
        """Name, the file of each split, and how to read them; files without rows are left out.

        The first one is the default: the paper's own files, or else the scores. All are CSV or TSV, as `datasets` reads
        all configurations of a folder by one reader.
        """
        parts = {split: f"{part}.csv" for part, split in SPLITS.items() if self.rows.get(f"{part}.csv")}
        if parts:
            yield "parts", parts, ['sep: ","']
        for name in sorted(self.rows):
            stem, _, suffix = name.rpartition(".")
            if suffix == "tsv" and self.rows[name]:
                columns = TRAIN if stem.startswith("train") else TEST
                reading = ['sep: "\\t"', f"names: {json.dumps(columns)}", "quoting: 3", "keep_default_na: false"]
                yield stem, {stem.partition("-")[0]: name}, reading
        for stem in ("giccs", "dscs", "stss131"):
            if self.rows.get(f"{stem}.csv"):
                yield stem, {"train": f"{stem}.csv"}, ['sep: ","']
        for stem in ("scores", "judgments"):
            yield stem, {"train": f"{stem}.csv"}, ['sep: ","']

    def _about(self) -> Iterator[str]:
        yield f"# {' '.join(self.title.split())}\n"
        protocol = self.frozen.project.protocol
        yield f"Human judgments of how similar texts are, collected by the protocol of {PAPERS[protocol.key]}."
        yield f"As of {self.frozen.as_of:%Y-%m-%d %H:%M:%S} UTC; run {self.run}, seed {self.seed},"
        yield f"Semblance {self.code_version}. Checksums of all files are in `manifest.json`."
        for name, value in self.notes.items():
            yield f"\n{name}: {value}"

    def _protocol(self) -> Iterator[str]:
        protocol = self.frozen.project.protocol
        yield f"{protocol.title}. Question: “{protocol.question}”"
        if scale := protocol.scale:
            yield f"Scale: {scale.minimum} to {scale.maximum} in steps of {scale.step}."
            yield from (f"{label.value}: {label.text}." for label in scale.labels)
        yield ""
        for one in protocol.rounds:
            sessions = ", then ".join(f"context-{context.value}" for context in one.sessions)
            own = f"; tuples of {one.design.tuple_size}" if isinstance(one.design, BestWorstDesign) else ""
            yield f"- {one.key}: {one.title}" + (f" ({sessions}{own})" if sessions or own else "")
        yield "\nEvery number of the protocol is in `manifest.json`."

    def _people(self) -> Iterator[str]:
        yield "People are told apart by pseudonyms that are the same in all files and releases of this project."
        yield "No file names anybody.\n"
        yield "| round | people who answered | judgments | of these counted | excluded |"
        yield "| --- | ---: | ---: | ---: | --- |"
        for one in self.frozen.project.protocol.rounds:
            own = self.tallies.get(one.key, Tally())
            reasons = "; ".join(f"{number}: {reason}" for reason, number in self.reasons.get(one.key, {}).items())
            known = str(len(own.people))
            people = f"{known} and others whom nobody knows" if own.unsigned else known
            yield f"| {one.key} | {people} | {own.judgments} | {own.counted} | {reasons or 'nobody'} |"
        yield "\nJudgments of excluded people are in `judgments.*` with `counted` false, and in no score."
        yield from self._brought_in()

    def _brought_in(self) -> Iterator[str]:
        """What files of others hold that is not collected here."""
        if unsigned := sum(own.unsigned for own in self.tallies.values()):
            yield f"\nOf {unsigned} choices, brought in from elsewhere, nobody knows who made them: as annotators stand"
            yield "“unknown 1”, “unknown 2” and so on, and no two choices of theirs need be of one person. Figures by"
            yield "person are not defined; what is told of tuples and items does not need to know."
        if invalid := self.frozen.invalid:
            yield f"\nOf the choices that count, {invalid} {'is' if invalid == 1 else 'are'} invalid: {INVALID}."

    def _reliability(self) -> Iterator[str]:
        figures = [
            line
            for part in FIGURES
            if part in self.results
            for line in _figures(part, self.results[part], self.results)
        ]
        if not figures:
            yield "No figure applies: there is nothing yet that two people judged."
            return
        yield from ("| figure | value |", "| --- | --- |", *figures)
        yield "\nAll statistics of the run are in `results.json`."

    def _figures(self) -> Iterator[str]:
        if not self.figures:
            yield "There is nothing yet that could be drawn."
            return
        yield f"Each is in `{FIGURES_FOLDER}/` as SVG, as PNG and, with the data drawn, as CSV."
        for name, title, description in self.figures:
            yield f"\n**`{name}`: {title}.** {description}"

    def _files(self) -> Iterator[str]:
        yield from ("| file | rows |", "| --- | ---: |")
        yield from (f"| `{name}` | {number} |" for name, number in sorted(self.rows.items()))

    def _loading(self) -> Iterator[str]:
        names = [name for name, _, _ in self._configs()]
        yield "```python"
        yield "import pandas"
        yield 'judgments = pandas.read_parquet("judgments.parquet")'
        yield ""
        yield "from datasets import load_dataset"
        yield f'dataset = load_dataset("PATH", "{names[0]}")  # or: {", ".join(names[1:])}'
        yield 'typed = load_dataset("parquet", data_files="PATH/judgments.parquet")'
        yield "```"

    def _limits(self) -> Iterator[str]:
        yield "- Similarity has no truth beyond what people say: scores are those of these people, in these languages,"
        yield "  asked this question. Look at the reliability before you train or test on them."
        guarded = " and ".join(f"`{name}`" for name in FOR_SPREADSHEETS if name in self.rows)
        yield f"- In {guarded} a text that a spreadsheet would run as a formula has an apostrophe before it. The other"
        yield "  files hold every text as it is."
        yield "- Further columns that were brought in with the items are in `items.csv` as they came."


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _figures(name: str, value: Any, beside: Mapping[str, Any]) -> Iterator[str]:
    """Every number under a key of the results as a row of a table; one that is not defined with its reason."""
    if isinstance(value, Mapping):
        for key in sorted(value):
            yield from _figures(f"{name}.{key}", value[key], value)
    elif value is None:
        reason = beside.get(f"{name.rpartition('.')[2]}_reason", "")
        yield f"| {name} | undefined: {reason} |"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield f"| {name} | {value if isinstance(value, int) else format(value, '.4f')} |"
