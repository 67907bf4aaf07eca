"""How long the pages for watching take, on a database."""
