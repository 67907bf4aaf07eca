"""Released datasets read from their files, compared with each other, and merged; without a database."""
