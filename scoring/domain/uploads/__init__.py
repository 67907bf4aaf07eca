"""Uploads of releases to Hugging Face and Zenodo: a private draft first, published after a question."""
