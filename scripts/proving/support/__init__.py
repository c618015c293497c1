"""What the kinds of attack share: a folder, daemons, a receiver, connections, and what was promised to them."""
