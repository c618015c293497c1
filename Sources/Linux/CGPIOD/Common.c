#include "Common.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

int cgpiod_failure(void) { return errno ? -errno : -EIO; }

void cgpiod_copy_name(char destination[32], const char *source) {
    size_t count = source ? strnlen(source, 31) : 0;
    if (count) memcpy(destination, source, count);
    destination[count] = '\0';
}

int cgpiod_make_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    return 0;
}

int64_t cgpiod_stamp_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
