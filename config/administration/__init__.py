"""The pages of administrators: the state of the installation, accounts and their rights, and the settings in effect."""
