// Takes the place of a PPS device in a program that this library is preloaded into: a pulse at each second of this
// machine's clock, with a deviation of 2 us, as the kernel would time it (ioctl PPS_FETCH).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/pps.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

// The pulse of a second is timed once, however often it is asked for.
static long long timed_second;
static double timed;

static double deviation(void) {
    double u = (rand() + 1.0) / (RAND_MAX + 2.0), v = (rand() + 1.0) / (RAND_MAX + 2.0);
    return 2000 * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

int ioctl(int descriptor, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (request != PPS_FETCH) {
        int (*next)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
        return next(descriptor, request, argument);
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec != timed_second) {
        timed_second = now.tv_sec;
        timed = deviation();
    }
    long long at = timed_second * 1000000000LL + (long long)timed;
    struct pps_fdata *data = argument;
    data->info.assert_sequence = (unsigned)timed_second;
    data->info.assert_tu.sec = at / 1000000000LL;
    data->info.assert_tu.nsec = (int)(at % 1000000000LL);
    return 0;
}
