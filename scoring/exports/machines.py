"""machine_judgments.csv, .jsonl and .parquet: the valid answers of models, apart from the judgments of people; and
machines.json: how each model was asked."""

import json
from collections.abc import Callable, Iterator
from itertools import compress, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from annotation.models import TuplePlace
from annotation.protocols.counting import MACHINE
from scoring.exports.files import whole_file
from scoring.exports.judgments import printed_value, tuple_size
from scoring.exports.snapshot_view import SnapshotView
from scoring.exports.tables import Column, Kind, write_tables
from scoring.models import Machine, MachineAnswer
from scoring.queries import CHUNK, among
from scoring.summaries.storing import OutdatedRun

STEM, SETTINGS = "machine_judgments", "machines.json"
PUBLISHED = (
    *("name", "round", "model", "version", "temperature", "seed", "max_tokens", "repeats", "reverses", "sample"),
    *("price_prompt", "price_answer", "epsilon", "instructions"),
)
"""What machines.json says of a model: neither its key nor its address."""
FIELDS: tuple[tuple[str, Kind, Callable[[MachineAnswer], Any]], ...] = (
    ("arm", Kind.TEXT, attrgetter("screen.machine.name")),
    ("model", Kind.TEXT, attrgetter("screen.machine.model")),
    ("round", Kind.TEXT, attrgetter("screen.machine.round")),
    ("context", Kind.TEXT, attrgetter("screen.context")),
    ("session", Kind.INTEGER, attrgetter("screen.session")),
    ("repeat", Kind.INTEGER, attrgetter("screen.repeat")),
    ("reversed", Kind.TRUTH, attrgetter("screen.reversed")),
    ("position", Kind.INTEGER, attrgetter("screen.position")),
    ("item", Kind.TEXT, lambda answer: answer.screen.item.key if answer.screen.item else None),
    ("value", Kind.NUMBER, attrgetter("value")),
    ("counted", Kind.TRUTH, lambda answer: False),
    ("not_counted_because", Kind.TEXT, lambda answer: MACHINE),
    ("attempt", Kind.INTEGER, attrgetter("attempt")),
    ("raw", Kind.TEXT, attrgetter("raw")),
    ("prompt", Kind.TEXT, attrgetter("prompt")),
    ("seed", Kind.INTEGER, attrgetter("seed")),
    ("reported_model", Kind.TEXT, lambda answer: answer.reported_model or None),
    ("fingerprint", Kind.TEXT, lambda answer: answer.fingerprint or None),
    ("prompt_tokens", Kind.INTEGER, attrgetter("prompt_tokens")),
    ("answer_tokens", Kind.INTEGER, attrgetter("answer_tokens")),
    ("tokens_estimated", Kind.TRUTH, attrgetter("estimated")),
    ("cost", Kind.TEXT, lambda answer: str(answer.cost)),
    ("milliseconds", Kind.INTEGER, attrgetter("milliseconds")),
    ("answered_at", Kind.TIME, attrgetter("answered_at")),
)
"""The name and kind of each column of every answer, and where its value is."""


def export_machines(view: SnapshotView, folder: Path) -> dict[str, int]:
    """Write the answers that the run read, if there are any, and return the rows of each file.

    Raises:
        OutdatedRun: some of these answers have been deleted.
    """
    ids = view.machine_answers
    if not len(ids):
        return {}
    rows = write_tables(folder, STEM, _columns(view), _rows(view))
    if (found := next(iter(rows.values()))) != len(ids):
        raise OutdatedRun(f"The scoring run read {len(ids)} answers of models, now there are {found}. Start a new run.")
    machines = view.project.machines.filter(name__in=view.machines).order_by("pk")
    with whole_file(folder / SETTINGS) as file:
        file.write(json.dumps([_settings(one) for one in machines], ensure_ascii=False, indent=2) + "\n")
    return rows


def _settings(machine: Machine) -> dict[str, Any]:
    values = {name: getattr(machine, name) for name in PUBLISHED}
    return values | {name: str(values[name]) for name in ("price_prompt", "price_answer")}


def _columns(view: SnapshotView) -> list[Column]:
    printed = {"value": printed_value(view)}
    columns = [Column(name, kind, printed.get(name)) for name, kind, _ in FIELDS]
    size = tuple_size(view)
    shown = [Column(f"item{place}", Kind.TEXT) for place in range(1, size + 1)]
    choice = [Column("tuple", Kind.INTEGER), *shown, Column("best", Kind.TEXT), Column("worst", Kind.TEXT)]
    return columns + choice if size else columns


def _rows(view: SnapshotView) -> Iterator[tuple[Any, ...]]:
    size = tuple_size(view)
    answers = MachineAnswer.objects.filter(problem="", screen__machine__project=view.project).order_by("pk")
    stream = answers.select_related("screen__machine", "screen__item", "screen__tuple", "best", "worst").iterator(CHUNK)
    while chunk := list(islice(stream, CHUNK)):
        known = list(compress(chunk, among(view.machine_answers, [answer.pk for answer in chunk])))
        shown = items_shown(known) if size else {}
        yield from (_row(answer, shown.get(answer.pk), size) for answer in known)


def items_shown(answers: list[MachineAnswer]) -> dict[int, list[str]]:
    """Return the keys of the items of each choice, in the order shown, by the id of the answer."""
    tuples = {answer.screen.tuple_id for answer in answers}
    places = TuplePlace.objects.filter(tuple__in=tuples).order_by("tuple", "position")
    keys: dict[int, list[str]] = {}
    for tuple_id, key in places.values_list("tuple", "item__key"):
        keys.setdefault(tuple_id, []).append(key)
    return {
        answer.pk: [keys[answer.screen.tuple_id][int(digit) - 1] for digit in answer.screen.order]
        for answer in answers
        if answer.screen.tuple_id
    }


def _row(answer: MachineAnswer, shown: list[str] | None, size: int) -> tuple[Any, ...]:
    common = tuple(value(answer) for _, _, value in FIELDS)
    if not size:
        return common
    padded = [*(shown or []), *[None] * (size - len(shown or []))]
    chosen = (answer.best.key, answer.worst.key) if answer.best and answer.worst else (None, None)
    return (*common, answer.screen.tuple.position if answer.screen.tuple else None, *padded, *chosen)
