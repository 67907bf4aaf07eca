"""People from crowd platforms: how they come, how they go back, and what they are paid beside the reward."""
