"""How long answers take, and what they are compared with: ``python -m bench``."""
