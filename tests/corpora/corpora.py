"""Corpora to be paired."""

import numpy as np
from hypothesis import strategies as st

WORDS = ("ሰላም", "ዓለም", "नमस्ते", "दुनिया", "مرحبا", "عالم", "hello", "world", "a", "the", "of", "and", "జగత్", "Straße")
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=25)


def made_up(sentences, *, words=2000, seed=0):
    """Sentences of made-up words, a few of them frequent, every tenth a copy with one word changed."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(5, 20, size=sentences)
    share = 1 / np.arange(1, words + 1)
    every = generator.choice(words, lengths.sum(), p=share / share.sum())
    drawn = [one.tolist() for one in np.split(every, np.cumsum(lengths)[:-1])]
    for place in range(10, sentences, 10):
        copy = list(drawn[generator.integers(place)])
        copy[generator.integers(len(copy))] = words + place
        drawn[place] = copy
    return [" ".join(f"w{word:04}x" for word in one) for one in drawn]
