// Tells ThreadSanitizer of the two slow paths of Swift's Mutex, which lie in a library that is built without it: preloaded by
// `make sanitize`. The fast paths are inlined and need no help.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SLOW_LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define SLOW_UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef __attribute__((swiftcall)) void (*Lock)(uint32_t, __attribute__((swift_context)) void *);
typedef __attribute__((swiftcall)) void (*Unlock)(__attribute__((swift_context)) void *);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(SLOW_LOCK);
__attribute__((swiftcall)) void unlock_slowly(__attribute__((swift_context)) void *mutex) __asm__(SLOW_UNLOCK);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((Lock)dlsym(RTLD_NEXT, SLOW_LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slowly(__attribute__((swift_context)) void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock)dlsym(RTLD_NEXT, SLOW_UNLOCK))(mutex);
}
