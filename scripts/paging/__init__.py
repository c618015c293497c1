"""A board with a past, and the page in front of it: what `scripts/run --page` shows and `scripts/check-page` looks at."""
