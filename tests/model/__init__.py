"""An independent second opinion of the engine: the rules of `heroes` again, in plain Python.

Written from the documents only (the seeds, RULEBOOK, CONTRACT); it shares no code with the
engine except the data classes of ``pyengine.model``. See ``game`` for what it answers and
``READINGS.md`` for how it reads what the documents leave open.
"""
