"""The same task on other tools: save a rating of a pair and get the next pair."""
