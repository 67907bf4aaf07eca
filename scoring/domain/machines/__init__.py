"""Models that answer as annotators do: the same instructions, items, order, context and scale, stored apart."""
