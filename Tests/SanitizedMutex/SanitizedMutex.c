#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// A Mutex that has to wait is locked and unlocked within Swift's own library, where the thread sanitizer sees nothing:
// it would take what the lock protects for unprotected. These two functions stand before the library's, and tell it.
// By the names and the calling convention of Swift 6.3.1, of methods of Synchronization._MutexHandle.

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t state, SELF) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t state, SELF) {
    SWIFT void (*own)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW);
    own(state, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF) {
    SWIFT void (*own)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW);
    __tsan_release(mutex);
    own(mutex);
}

#endif
