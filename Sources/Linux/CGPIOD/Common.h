#ifndef CGPIOD_COMMON_H
#define CGPIOD_COMMON_H

#include "CGPIOD.h"

/// The negative of the errno that a call has just left, never zero.
int cgpiod_failure(void);

/// Copies a name, cut to the room there is; NULL gives the empty one.
void cgpiod_copy_name(char destination[32], const char *source);

/// Makes reads of a descriptor return at once.
int cgpiod_make_nonblocking(int descriptor);

#endif
