// Counts how often a program asks the disk to keep what was written, so that "durable" is seen and not believed.
// Put before a program with LD_PRELOAD; it counts into the file that PEER_SYNCS names, with all its child processes together.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t *count;

__attribute__((constructor)) static void open_count(void) {
    const char *path = getenv("PEER_SYNCS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(0, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) count = memory;
    close(file);
}

static void *next(const char *name) {
    if (count) atomic_fetch_add(count, 1);
    return dlsym(RTLD_NEXT, name);
}

int fsync(int file) { return ((int (*)(int))next("fsync"))(file); }
int fdatasync(int file) { return ((int (*)(int))next("fdatasync"))(file); }
int msync(void *address, size_t length, int flags) { return ((int (*)(void *, size_t, int))next("msync"))(address, length, flags); }
