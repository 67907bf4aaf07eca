"""What becomes of answers and background work while parts of production are killed, frozen or out of space."""
