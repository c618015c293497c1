// Preloaded into a process, sets what it reads of the wall clock back by the seconds that the file CLOCK_FILE holds, and has the
// kernel call the clock unsynchronised meanwhile, unless the file says "kept" too.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "../testing/gettimeofday.h"

static long back(int *is_kept) {
    char text[64] = "";
    int saved = errno, file = open(getenv("CLOCK_FILE"), O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
        close(file);
    }
    errno = saved;
    if (is_kept) *is_kept = strstr(text, "kept") != NULL;
    return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec -= back(NULL);
    return result;
}

time_t time(time_t *into) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (into) *into = now.tv_sec;
    return now.tv_sec;
}

int adjtimex(struct timex *state) {
    int is_kept = 0, result = syscall(SYS_adjtimex, state);
    long seconds = back(&is_kept);
    if (is_kept) return TIME_OK;
    return seconds ? TIME_ERROR : result;
}
