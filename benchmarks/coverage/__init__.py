"""How often intervals of 95 % have the true figure, by simulation."""
