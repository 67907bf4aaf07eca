"""Presets: a folder for each, with its protocol, words, guidelines and demo material.

`docs/adding-a-preset.md` describes how to add one.
"""
