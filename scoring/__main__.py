"""`python -m scoring COMMAND`: scores, reliability, agreement, comparison and tuples from CSV files, no database.

Only the command that is asked for is loaded, so that --help comes at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from scoring.files.reading import FileFault


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="python -m scoring",
        description="Scores and reliability of human judgments, from CSV files; - stands for standard input.",
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_tuples(commands)
    _add_scores(commands)
    _add_reliability(commands)
    _add_agreement(commands)
    _add_compare(commands)
    return whole


def _add_tuples(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    one = commands.add_parser("tuples", help="a balanced best-worst design for the items of a file")
    one.add_argument("items", metavar="ITEMS.csv", help="with a column “item”")
    one.add_argument("--size", type=_whole(2), default=4, help="items in a tuple (default: 4)")
    one.add_argument("--factor", default="2", help="tuples for each item (default: 2)")
    one.add_argument("--group", metavar="COLUMN", help="items only meet items with the same value in this column")
    one.add_argument("--seed", type=_whole(0), default=0)
    one.add_argument("--certificate", metavar="FILE.json", help="where to write what the design is worth")


def _add_scores(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    one = commands.add_parser("scores", help="scores by counting: (best - worst) / appearances")
    one.add_argument("judgments", metavar="JUDGMENTS.csv", help="item1..itemK,best,worst")
    one.add_argument("--scale", choices=("signed", "unit"), default="signed", help="-1 to 1, or 0 to 1")
    one.add_argument("--decimals", type=_whole(0), metavar="D", help="rounded half to even (default: not rounded)")
    one.add_argument("--keep-invalid", action="store_true", help="count rows with a repeated item or best = worst")


def _add_reliability(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    one = commands.add_parser("reliability", help="split-half reliability of best-worst judgments")
    one.add_argument("judgments", metavar="JUDGMENTS.csv", help="item1..itemK,best,worst, and tuple or annotator")
    one.add_argument("--splits", type=_whole(1), default=1000)
    one.add_argument("--seed", type=_whole(0), default=0)
    one.add_argument("--by", choices=("tuple", "judgment", "annotator"), default="tuple", help="what is halved")


def _add_agreement(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    one = commands.add_parser("agreement", help="agreement of ratings or of best-worst choices")
    one.add_argument("judgments", metavar="FILE.csv", help="item,annotator,value or item1..itemK,best,worst")
    one.add_argument(
        "--strong", type=_share, default=0.8, help="the share of a tuple's judgments that must agree (default: 0.8)"
    )


def _add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    one = commands.add_parser("compare", help="two correlations with a common variable")
    for name, text in (
        ("r1", "the first correlation"),
        ("r2", "the second"),
        ("r12", "that between the two variables that are not common"),
    ):
        one.add_argument(name, type=float, metavar=name.upper(), help=text)
    one.add_argument("n", type=int, metavar="N", help="the number of pairs")


def _whole(least: int):
    def read(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"at least {least}, not {text}")
        return value

    read.__name__ = "whole number"
    return read


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"above 0 and at most 1, not {text}")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        import_module(f"scoring.files.{options.command}").run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not fail again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, FileFault) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
