"""People from crowd platforms: their arrival, their way back, and their bonuses besides the reward."""
