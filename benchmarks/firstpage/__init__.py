"""How much a first page loads, how long it takes on a slow line, and how soon the next screen is there."""
