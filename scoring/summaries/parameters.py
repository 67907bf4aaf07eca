"""The parameters of a run that may be chosen."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

MOST = 100_000


@dataclass(frozen=True)
class Parameters:
    """The parameters of a run besides its seed.

    splits: random halves (SemRel 3.2: 1,000). replicates: resamples of a standard error. subsets: random subsets of the
    -rand control (Czech News, table 3). slices: how many pieces a part is cut into, if it can be; changes no result.

    Raises:
        ValueError: a number is not whole, or out of range; the message is a full sentence.
    """

    splits: int = 1000
    replicates: int = 1000
    subsets: int = 200
    slices: int = 4

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least = 2 if name == "replicates" else 1
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
                raise ValueError(f"“{name}” must be a whole number from {least} to {MOST}, not {value!r}.")

    @classmethod
    def read(cls, chosen: Mapping[str, object]) -> "Parameters":
        """Return parameters from JSON; one that is not named keeps its default.

        Raises:
            ValueError: no run has a parameter of this name, or a number is out of range.
        """
        names = [one.name for one in fields(cls)]
        if unknown := sorted(set(chosen) - set(names)):
            raise ValueError(f"There is no parameter “{unknown[0]}”. Use one of: {', '.join(names)}.")
        return cls(**chosen)  # type: ignore[arg-type]

    def as_json(self) -> dict[str, int]:
        return asdict(self)

    @property
    def of_results(self) -> dict[str, int]:
        """Return the parameters that results depend on."""
        return {name: value for name, value in asdict(self).items() if name != "slices"}
