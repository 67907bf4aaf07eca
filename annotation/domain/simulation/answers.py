"""The answers of a simulated annotator: what they think, what they answer, and how long they take."""

import zlib
from dataclasses import dataclass, fields, replace

import numpy as np

from annotation.domain.errors import Refusal
from annotation.protocols.scale import Scale
from annotation.protocols.terms import BlockKind

CONTEXT_SHIFT = 0.045  # of the scale's length: Czech News table 2 has 2.66 and 2.92 on a scale of six
HASTE = 0.1  # of the usual time


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of simulated people: noise and drift are shares of the scale's length, the others of the people."""

    noise: float = 0.08
    """Standard deviation of an answer around what the person thinks."""
    drift: float = 0.0
    """The rise of the answers over a hundred of them."""
    careless: float = 0.0
    """People who answer anything, fast."""
    contrary: float = 0.0
    """People who take the scale the wrong way round."""
    leaving: float = 0.0
    """People who leave somewhere on the way."""
    hasty: float = 0.0
    """People who answer well, and faster than anybody can read."""
    straight: float = 0.0
    """People who give the same value, or choose the same places, all the time."""
    uncalibrated: float = 0.0
    """People who take the calibration pairs the wrong way round."""
    forgetful: float = 0.0
    """People who answer the other way round when a pair comes again."""

    def __post_init__(self) -> None:
        if not (0 <= self.noise <= 10 and -10 <= self.drift <= 10):
            raise Refusal("Noise must be 0 to 10 times the length of the scale, and drift -10 to 10 times.")
        for name in SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise Refusal(f"The share of {name} people lies between 0 and 1.")


HABITS = ("hasty", "straight", "uncalibrated", "forgetful")
SHARES = tuple(field.name for field in fields(Behaviour) if field.name not in ("noise", "drift"))


@dataclass(frozen=True)
class Person:
    """One simulated annotator."""

    generator: np.random.Generator
    behaviour: Behaviour
    careless: bool
    contrary: bool
    leaves_after: int | None
    hasty: bool = False
    straight: bool = False
    uncalibrated: bool = False
    forgetful: bool = False

    @classmethod
    def draw(cls, behaviour: Behaviour, generator: np.random.Generator, screens: int) -> "Person":
        careless, contrary, leaving = generator.random(3) < (behaviour.careless, behaviour.contrary, behaviour.leaving)
        leaves_after = int(generator.integers(screens)) if leaving and screens else None
        # From a separate generator, so that the answers do not depend on the number of possible habits.
        drawn = generator.spawn(1)[0].random(len(HABITS))
        habits = {name: bool(chance < getattr(behaviour, name)) for name, chance in zip(HABITS, drawn, strict=True)}
        return cls(generator, behaviour, bool(careless), bool(contrary), leaves_after, **habits)

    def feels(self, truth: float, answered: int) -> float:
        """Return the similarity that this person perceives for a true one from 0 to 1, after `answered` answers."""
        if self.careless:
            felt = self.generator.random()
        else:
            risen = self.behaviour.drift * answered / 100
            felt = truth + risen + self.generator.normal(0, self.behaviour.noise)
        return float(1 - felt if self.contrary else felt)

    def answer(self, scale: Scale, truth: float, answered: int, block: str = BlockKind.MAIN) -> float:
        """Return this person's rating of a similarity, after `answered` answers, in a block of that kind."""
        turned = (self.uncalibrated and block == BlockKind.CALIBRATION) or (self.forgetful and block == BlockKind.INTRA)
        felt = self.feels(truth, answered)
        felt = 0.5 if self.straight else 1 - felt if turned else felt
        return scale.nearest(float(scale.minimum) + felt * float(scale.maximum - scale.minimum))

    def seconds(self, usual: float) -> float:
        """Return the time that this person takes where others take the usual time."""
        haste = HASTE if self.careless or self.hasty else 1.0
        return float(usual * haste * self.generator.lognormal(0, 0.5))


def hidden_similarity(
    seed: int,
    left: str,
    right: str,
    *,
    gold: bool | None = None,
    earlier: float | None = None,
    in_context: bool = False,
) -> float:
    """Return the simulated similarity of two texts, from 0 to 1; context raises it a little.

    Parameters: gold, whether the texts are known to be similar; earlier, the similarity found before, from 0 to 1.
    """
    digest = zlib.crc32(f"{left}\n{right}".encode())
    generator = np.random.default_rng([seed, digest])
    similarity, shift = generator.random(), generator.normal(CONTEXT_SHIFT, CONTEXT_SHIFT)
    if gold is not None:
        similarity = 0.6 * gold + 0.4 * similarity
    if earlier is not None:
        similarity = earlier
    return float(np.clip(similarity + shift * in_context, 0, 1))


def some_of(behaviour: Behaviour, **shares: float | None) -> Behaviour:
    """Return the behaviour with those shares that are not None."""
    return replace(behaviour, **{name: value for name, value in shares.items() if value is not None})
