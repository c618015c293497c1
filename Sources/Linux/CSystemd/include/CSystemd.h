// The calls to systemd-logind that the helper of host sleep makes over D-Bus: what Swift cannot import, since sd-bus takes
// variable arguments.
//
// A function that can fail returns a negative errno, and writes what the other end said to `why`. Sources: sd-bus(3),
// org.freedesktop.login1(5).

#ifndef CSYSTEMD_H
#define CSYSTEMD_H

#include <stddef.h>
#include <stdint.h>

struct csystemd_bus;

/// Connects to the bus at an address, NULL for the system's; no call on it takes longer than so many seconds.
int csystemd_open(struct csystemd_bus **bus, const char *address, unsigned seconds, char *why, size_t size);
void csystemd_close(struct csystemd_bus *bus);
/// Asks logind to power off without asking anybody for a password, so that sessions and inhibitors hold.
int csystemd_power_off(struct csystemd_bus *bus, char *why, size_t size);
/// Writes a line "USER CLASS SEAT" for each session; the class is "unknown" where logind does not tell it.
int csystemd_sessions(struct csystemd_bus *bus, char *lines, size_t room, char *why, size_t size);
/// Writes a line "WHAT MODE WHO: WHY" for each inhibitor.
int csystemd_inhibitors(struct csystemd_bus *bus, char *lines, size_t room, char *why, size_t size);

#endif
