"""Tessera's client: encrypts files on the user's computer and stores them over several clouds."""
