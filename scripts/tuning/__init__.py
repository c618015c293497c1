"""What the scripts beside this folder share that measure a board and write what they found into its file."""
