"""Pairs taken one by one, so long as they are new and their sentences are not used up."""

from collections import Counter

from annotation.corpora.pairing.corpus import Ids
from annotation.corpora.pairing.heuristics import Heuristic


class Drawn:
    """The pairs taken so far, each with its heuristic. Sentences with the same words count as one."""

    def __init__(self, first: Ids, uses: int) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.heuristics: list[Heuristic] = []
        self._first, self._most = first, uses
        self._seen: set[frozenset[int]] = set()
        self._uses = Counter[int]()

    def take(self, heuristic: Heuristic, number: int, candidates: Ids) -> None:
        """At most so many of the candidates, shape (pairs, 2), in their order."""
        goal = len(self.pairs) + number
        for one, other in candidates.tolist():
            if len(self.pairs) == goal:
                break
            alike = frozenset((int(self._first[one]), int(self._first[other])))
            if alike not in self._seen and all(self._uses[sentence] < self._most for sentence in alike):
                self.pairs.append((one, other))
                self.heuristics.append(heuristic)
                self._seen.add(alike)
                self._uses.update(alike)
