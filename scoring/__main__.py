"""`python -m scoring COMMAND`: scores, reliability, agreement, models of raters, comparisons and tuples, no database.

Only the command that is asked for is loaded, so that --help comes at once.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from math import inf
from typing import Any

MOST_DECIMALS = 15  # what a float holds
MOST_TUPLES = 1_000_000  # for each item
MOST_PAIRS = 10**12
STOPPED = 130  # what shells call a program that was interrupted


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="python -m scoring",
        description="Scores and reliability of human judgments in CSV files; use - for standard input.",
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_tuples(commands)
    _add_scores(commands)
    _add_reliability(commands)
    _add_agreement(commands)
    _add_raters(commands)
    _add_compare(commands)
    _add_compare_releases(commands)
    _add_merge_releases(commands)
    return whole


def _add_tuples(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("tuples", help="create a balanced best-worst design for the items in a file")
    command.add_argument("items", metavar="ITEMS.csv", help="file with a column “item”")
    command.add_argument("--size", type=_whole(2), default=4, help="items per tuple (default: 4)")
    command.add_argument("--factor", type=_factor, default="2", help="tuples per item (default: 2)")
    command.add_argument("--group", metavar="COLUMN", help="only combine items with the same value in this column")
    command.add_argument("--seed", type=_whole(0), default=0, help="random seed (default: 0)")
    command.add_argument("--certificate", metavar="FILE.json", help="write the properties of the design to this file")


def _add_scores(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("scores", help="compute scores by counting: (best - worst) / appearances")
    command.add_argument("judgments", metavar="JUDGMENTS.csv", help="columns item1..itemK,best,worst")
    command.add_argument("--scale", choices=("signed", "unit"), default="signed", help="signed: -1 to 1; unit: 0 to 1")
    command.add_argument(
        "--decimals",
        type=_whole(0, MOST_DECIMALS),
        metavar="D",
        help="number of decimals, rounded half to even (default: no rounding)",
    )
    _add_keep_invalid(command)


def _add_reliability(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("reliability", help="compute the split-half reliability of best-worst judgments")
    command.add_argument(
        "judgments", metavar="JUDGMENTS.csv", help="columns item1..itemK,best,worst and optionally tuple or annotator"
    )
    command.add_argument("--splits", type=_whole(1), default=1000, help="number of random splits (default: 1000)")
    command.add_argument("--seed", type=_whole(0), default=0, help="random seed (default: 0)")
    command.add_argument(
        "--by",
        choices=("tuple", "judgment", "annotator"),
        default="tuple",
        help="what to split into halves (default: tuple)",
    )
    _add_keep_invalid(command)


def _add_agreement(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("agreement", help="compute the agreement of ratings or best-worst choices")
    command.add_argument(
        "judgments", metavar="FILE.csv", help="columns item,annotator,value or item1..itemK,best,worst"
    )
    command.add_argument(
        "--strong", type=_share, default=0.8, help="share of a tuple’s judgments that must agree (default: 0.8)"
    )
    _add_keep_invalid(command)


def _add_raters(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("raters", help="compute scores that weigh annotators, and the weight of each")
    command.add_argument(
        "judgments", metavar="FILE.csv", help="columns item,annotator,value or item1..itemK,best,worst,annotator"
    )
    command.add_argument("--seed", type=_whole(0), default=0, help="random seed (default: 0)")


def _add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("compare", help="compare two correlations that share a variable")
    for name, text in (
        ("r1", "the first correlation"),
        ("r2", "the second correlation"),
        ("r12", "the correlation between the two variables that are not shared"),
    ):
        command.add_argument(name, type=_correlation, metavar=name.upper(), help=text)
    command.add_argument("n", type=_whole(4, MOST_PAIRS), metavar="N", help="the number of pairs")
    # Python 3.11 takes -1e-5 for an option; no option of this command begins with a dash and a digit or a point.
    command._negative_number_matcher = re.compile(r"-[\d.]")


def _add_compare_releases(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("compare-releases", help="compare two releases, or two rounds of releases")
    _add_two_releases(command)
    for side in ("first", "second"):
        command.add_argument(
            f"--{side}-round",
            metavar="ROUND[.CONTEXT]",
            help=f"round of the {side} release, with its context, such as R3.free (default: the last one)",
        )
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")


def _add_merge_releases(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("merge-releases", help="merge two releases of the same task into one dataset")
    _add_two_releases(command)
    command.add_argument("--out", metavar="FOLDER", required=True, help="new or empty folder for the dataset")


def _add_two_releases(command: argparse.ArgumentParser) -> None:
    for name, metavar in (("first", "RELEASE_A"), ("second", "RELEASE_B")):
        command.add_argument(name, metavar=metavar, help="unpacked folder or ZIP file of a release")


def _add_keep_invalid(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--keep-invalid",
        action="store_true",
        help="count rows with a repeated item or best = worst instead of refusing them",
    )


def _whole(least: int, most: float = inf) -> Callable[[str], int]:
    limits = f"at least {least}" if most == inf else f"from {least} to {most}"
    return _checked("whole number", int, lambda value: least <= value <= most, limits)


def _checked(
    name: str, read: Callable[[str], Any], allowed: Callable[[Any], bool], limits: str
) -> Callable[[str], Any]:
    """Return a reader for arguments; argparse uses `name` in its message where the text cannot be read."""

    def checked(text: str) -> Any:
        value = read(text)
        if not allowed(value):
            raise argparse.ArgumentTypeError(f"{limits}, not {text}")
        return value

    checked.__name__ = name
    return checked


def _factor(text: str) -> str:
    """Return the number as written, because 0.1 is a tenth and not a float."""
    _above_zero(text)
    return text


_factor.__name__ = "number"
_above_zero = _checked(
    "number", float, lambda value: 0 < value <= MOST_TUPLES, f"greater than 0 and at most {MOST_TUPLES}"
)
_correlation = _checked("number", float, lambda value: -1 <= value <= 1, "from -1 to 1")
_share = _checked("number", float, lambda value: 0 < value <= 1, "greater than 0 and at most 1")


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(_with_command(sys.argv[1:] if arguments is None else arguments))
    if sys.stdout is None:
        print("standard output is closed.", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        import_module(f"scoring.files.{options.command.replace('-', '_')}").run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has stopped; Python must not fail again when it closes the stream.
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        print(f"standard output: {error.strerror}.", file=sys.stderr)
        return 2
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return STOPPED
    return 0


def _with_command(arguments: Sequence[str]) -> list[str]:
    """Return the arguments; `compare` followed by a folder or file is `compare-releases`."""
    if len(arguments) > 1 and arguments[0] == "compare" and os.path.exists(arguments[1]):
        return ["compare-releases", *arguments[1:]]
    return list(arguments)


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
