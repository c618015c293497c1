// What the compiler and Swift's runtime call by the names of a C library and of Arm's run-time ABI, in C of our own: no
// C library is linked. The functions of doubles take and give bits, so the library's own headers do not fit them.
#pragma once
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *one, const void *other, size_t count);
size_t strlen(const char *text);

// The double nearest to a number of 64 bits whose bit 62 stands for 1, times two to a power; the exponent is biased.
uint64_t chip_rounded(int exponent, uint64_t significand);

// The double nearest to a decimal number; `*end` stands behind it, or at the beginning where there is none.
uint64_t chip_decimal(const char *text, const char **end);
