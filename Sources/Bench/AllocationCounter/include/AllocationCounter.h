// Counts the heap allocations of each thread of the process that links it: the C library's functions for them, interposed.
//
// Swift's runtime allocates through them as well. For benchmarks and tests, which other threads' do not disturb; glibc.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/// How many times the calling thread asked for memory since it began.
unsigned long allocation_count(void);

#endif
