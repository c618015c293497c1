"""How long the bench's programs in a guest wait for a state."""
import os


def bound(seconds):
    """So many seconds, or those of SEXTANT_PATIENCE where it is set; 0 stays, the state of this moment."""
    seconds = float(seconds)
    return float(os.environ.get("SEXTANT_PATIENCE", seconds)) if seconds else 0.0
