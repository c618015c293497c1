// Preloaded into a process, has its clocks run HURRY times as fast as this machine's, the wall clock from the instant HURRY_BASE
// (Unix time) on, and shortens what it waits for in select accordingly.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../testing/gettimeofday.h"

static double number(const char *name) { return atof(getenv(name)); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    if (result != 0) return result;
    long long base = clock == CLOCK_REALTIME ? (long long)number("HURRY_BASE") * 1000000000 : 0;
    long long now = time->tv_sec * 1000000000LL + time->tv_nsec;
    now = base + (now - base) * (long long)number("HURRY");
    time->tv_sec = now / 1000000000;
    time->tv_nsec = now % 1000000000;
    return 0;
}

int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except, struct timeval *restrict limit) {
    struct timespec wait;
    if (limit) {
        double seconds = (limit->tv_sec + limit->tv_usec / 1e6) / number("HURRY");
        wait.tv_sec = (time_t)seconds;
        wait.tv_nsec = (long)((seconds - (double)wait.tv_sec) * 1e9);
    }
    return syscall(SYS_pselect6, count, read, write, except, limit ? &wait : NULL, NULL);
}
