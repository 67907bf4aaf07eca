"""What comes in from pages."""
