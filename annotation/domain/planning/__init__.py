"""Plans of rounds: from a design and the items to places and screens."""
