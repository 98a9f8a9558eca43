"""Keeps a folder of this computer and a folder of a space the same."""
