"""The files that the releases of a preset have in addition to the usual ones, in a folder for each such preset.

`docs/adding-a-preset.md` describes how to add one.
"""
