"""How `scripts/test` runs its gates: which there are, in which order, and what is said of them at the end."""
