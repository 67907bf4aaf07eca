"""The shares of pairs whose two means differ, of a round's `context_shift`."""

from collections.abc import Sequence

from scoring.exports.report.tables import Tree

NO_P_VALUE = "no pair has a p-value"


def rejected_pairs(shift: Tree) -> dict[str, Tree]:
    """Return r(x) and the number of pairs with a p-value, by test.

    Runs of version 1 of the results have no such number, and an r(x) of 0 where it is not defined; the p-values of the
    pairs show both.
    """
    return {
        name: found if "tested" in found else _with_tested(found, shift["p_values"][name])
        for name, found in shift["rejected"].items()
    }


def _with_tested(found: Tree, p_values: Sequence[float | None]) -> Tree:
    tested = sum(p is not None for p in p_values)
    undefined = {key: value for name in found for key, value in ((name, None), (f"{name}_reason", NO_P_VALUE))}
    return {"tested": tested, **(found if tested else undefined)}
