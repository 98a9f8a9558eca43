"""Restores everything from plain copies of warehouses, offline.

Nothing in a copy is believed: whoever can write to one cloud must neither stop a rescue nor change
what it gives.
"""
