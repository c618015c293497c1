// Counts every heap allocation of the process that links it: the C library's allocation functions, interposed.
//
// Swift's runtime allocates through them as well. For benchmarks only; glibc.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How many times memory was asked for since the process began.
unsigned long allocation_count(void);

#endif
