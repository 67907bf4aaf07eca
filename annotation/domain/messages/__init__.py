"""Messages to annotators: to one person, to many, and reminders by email."""
