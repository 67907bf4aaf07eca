"""Drawing pairs one by one, as long as they are new and their sentences are not used up."""

from collections import Counter

from annotation.corpora.pairing.corpus import Ids
from annotation.corpora.pairing.heuristics import Heuristic


class DrawnPairs:
    """The pairs drawn so far, each with its heuristic. Sentences with the same words count as one."""

    def __init__(self, first: Ids, uses: int) -> None:
        self.pairs: list[tuple[int, int]] = []
        self.heuristics: list[Heuristic] = []
        self._first, self._maximum_uses = first, uses
        self._seen: set[frozenset[int]] = set()
        self._uses = Counter[int]()

    def add(self, heuristic: Heuristic, number: int, candidates: Ids) -> None:
        """Add at most `number` of the candidates, shape (pairs, 2), in their order."""
        goal = len(self.pairs) + number
        for first, second in candidates.tolist():
            if len(self.pairs) == goal:
                break
            alike = frozenset((int(self._first[first]), int(self._first[second])))
            if alike not in self._seen and all(self._uses[sentence] < self._maximum_uses for sentence in alike):
                self.pairs.append((first, second))
                self.heuristics.append(heuristic)
                self._seen.add(alike)
                self._uses.update(alike)
