#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

// A sanitizer has functions of its own in these places, which must see every call: nothing is counted beside them.
unsigned long allocation_count(void) { return 0; }

#else

// glibc's own names of the functions below, which a program may replace (glibc manual, "Replacing malloc"). free is
// left alone: what these return is glibc's.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// In the room that the loader sets up with the thread: to get at it asks for no memory.
static _Thread_local __attribute__((tls_model("initial-exec"))) unsigned long count;

static void note(void) { count += 1; }

unsigned long allocation_count(void) { return count; }

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    note();
    return __libc_calloc(items, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

#endif
