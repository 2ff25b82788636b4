"""Importing this reads the rules that are asked most, so that processes forked then have them."""

from pyengine.solving import program

_ = program("rules/editions/heroes.lp").slicer
