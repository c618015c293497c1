/* A card with faults: preloaded into the daemon, it fails or delays calls on files below one folder.
 *
 * SEXTANT_CARD names a file that holds a `struct orders`, which the trial changes while the daemon runs, and
 * SEXTANT_CARD_FOLDER the folder. A call is counted when it would write; those from `from` on and before `until` fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct orders {
    _Atomic int64_t counted, from, until, error, delay, reads, halves, failed, unsynced, held, waiting, reading;
};

static struct orders *orders;
static char folder[4096];
static _Atomic unsigned char below[4096];

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SEXTANT_CARD"), *name = getenv("SEXTANT_CARD_FOLDER");
    if (!path || !name) return;
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = real(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof(struct orders), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) orders = memory;
    snprintf(folder, sizeof folder, "%s/", name);
}

static int is_below(const char *path) { return orders && path && !strncmp(path, folder, strlen(folder)); }
static int is_file(int number) { return orders && number >= 0 && number < 4096 && below[number]; }

/* Whether this call fails; errno says how. */
static int fails(void) {
    int64_t number = atomic_fetch_add(&orders->counted, 1) + 1;
    if (orders->delay) usleep((useconds_t)orders->delay);
    atomic_fetch_add(&orders->waiting, 1);
    while (orders->held) usleep(1000);
    atomic_fetch_sub(&orders->waiting, 1);
    if (!orders->error || number < orders->from || number >= orders->until) return 0;
    atomic_fetch_add(&orders->failed, 1);
    errno = (int)orders->error;
    return 1;
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = dlsym(RTLD_NEXT, #name)

static int noted(int number, const char *path) {
    if (number >= 0 && number < 4096) below[number] = (unsigned char)is_below(path);
    return number;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        /* A read-only card refuses to open for writing; a full one to make a file. */ \
        int writes = orders && orders->error == EROFS ? flags & (O_WRONLY | O_RDWR | O_CREAT) : flags & O_CREAT; \
        if (is_below(path) && writes && fails()) return -1; \
        return noted(real(path, flags, mode), path); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        REAL(name); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        int is_ours = is_below(path) || (is_file(at) && path && path[0] != '/'); \
        if (is_ours && flags & O_CREAT && fails()) return -1; \
        int number = real(at, path, flags, mode); \
        if (number >= 0 && number < 4096) below[number] = (unsigned char)is_ours; \
        return number; \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int number) {
    REAL(close);
    if (number >= 0 && number < 4096) below[number] = 0;
    return real(number);
}

/* Half of what is written comes on the card before it is full, where that is ordered. */
static size_t part(size_t count) { return orders->halves && count > 1 ? count / 2 : 0; }

#define PWRITE(name, offset_type) \
    ssize_t name(int number, const void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        if (is_file(number) && fails()) { \
            size_t some = part(count); \
            return some ? real(number, bytes, some, offset) : -1; \
        } \
        return real(number, bytes, count, offset); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* A read takes its time, where that is ordered. */
static void wait_for_read(int number) {
    if (is_file(number) && orders->reading) usleep((useconds_t)orders->reading);
}

#define PREAD(name, offset_type) \
    ssize_t name(int number, void *bytes, size_t count, offset_type offset) { \
        REAL(name); \
        wait_for_read(number); \
        if (is_file(number) && orders->reads && fails()) return -1; \
        return real(number, bytes, count, offset); \
    }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t read(int number, void *bytes, size_t count) {
    REAL(read);
    wait_for_read(number);
    return real(number, bytes, count);
}

ssize_t write(int number, const void *bytes, size_t count) {
    REAL(write);
    if (is_file(number) && fails()) {
        size_t some = part(count);
        return some ? real(number, bytes, some) : -1;
    }
    return real(number, bytes, count);
}

/* Every nth call returns before the bytes are on the card, where that is ordered. */
static int is_ignored(void) {
    static _Atomic int64_t calls;
    return orders->unsynced && ++calls % orders->unsynced == 0;
}

#define SYNC(name) \
    int name(int number) { \
        REAL(name); \
        if (is_file(number) && is_ignored()) return 0; \
        return is_file(number) && fails() ? -1 : real(number); \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset_type) \
    int name(int number, offset_type length) { \
        REAL(name); \
        return is_file(number) && fails() ? -1 : real(number, length); \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int unlink(const char *path) {
    REAL(unlink);
    return is_below(path) && fails() ? -1 : real(path);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return is_below(to) && fails() ? -1 : real(from, to);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return is_below(path) && fails() ? -1 : real(path, mode);
}
