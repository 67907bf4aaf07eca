"""How long the pages of managers take at the size of a large project, and how many queries they need."""
