// Preloaded into a process by the end-to-end tests: writes down the calls that decide what survives a crash, and kills the
// process with SIGKILL in front of one of them.
//
// RECORD_ROOT   only calls on files below this folder count
// RECORD_FILE   gets a line a call: its name, a tab, the path, and for a rename another tab and the new path
// KILL_BEFORE   the process dies in front of this call, counted from 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char root[PATH_MAX];
static size_t root_length;
static int record = -1;
static long kill_before;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("RECORD_ROOT"), *file = getenv("RECORD_FILE"), *number = getenv("KILL_BEFORE");
    if (folder && realpath(folder, root)) root_length = strlen(root);
    if (file) record = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (number) kill_before = atol(number);
}

static int path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static void path_at(int folder, const char *name, char *path) {
    char parent[PATH_MAX];
    if (name[0] == '/') snprintf(path, PATH_MAX, "%s", name);
    else if (folder == AT_FDCWD) snprintf(path, PATH_MAX, "%s/%s", getcwd(parent, sizeof parent) ? parent : "", name);
    else if (path_of(folder, parent)) snprintf(path, PATH_MAX, "%s/%s", parent, name);
    else path[0] = 0;
}

static int counts(const char *path) { return root_length && strncmp(path, root, root_length) == 0; }

static void note(const char *call, const char *path, const char *other) {
    if (!counts(path) && !(other && counts(other))) return;
    if (atomic_fetch_add(&calls, 1) + 1 == kill_before) {
        syscall(SYS_kill, getpid(), SIGKILL);
    }
    if (record < 0) return;
    char line[2 * PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%s\t%s%s%s\n", call, path, other ? "\t" : "", other ? other : "");
    syscall(SYS_write, record, line, (size_t)length);
}

static void note_file(const char *call, int descriptor) {
    char path[PATH_MAX];
    if (root_length && path_of(descriptor, path)) note(call, path, NULL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int file) {
    note_file("fsync", file);
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    note_file("fdatasync", file);
    return NEXT(fdatasync)(file);
}

int syncfs(int file) {
    note_file("syncfs", file);
    return NEXT(syncfs)(file);
}

int ftruncate64(int file, off64_t length) {
    note_file("truncate", file);
    return NEXT(ftruncate64)(file, length);
}

ssize_t write(int file, const void *bytes, size_t count) {
    note_file("write", file);
    return NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    note_file("write", file);
    return NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    note_file("write", file);
    return NEXT(pwrite64)(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    note_file("write", file);
    return NEXT(writev)(file, parts, count);
}

int rename(const char *from, const char *to) {
    char source[PATH_MAX], target[PATH_MAX];
    path_at(AT_FDCWD, from, source);
    path_at(AT_FDCWD, to, target);
    note("rename", source, target);
    return NEXT(rename)(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    char source[PATH_MAX], target[PATH_MAX];
    path_at(from_folder, from, source);
    path_at(to_folder, to, target);
    note("rename", source, target);
    return NEXT(renameat)(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char source[PATH_MAX], target[PATH_MAX];
    path_at(from_folder, from, source);
    path_at(to_folder, to, target);
    note("rename", source, target);
    return NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

int unlink(const char *name) {
    char path[PATH_MAX];
    path_at(AT_FDCWD, name, path);
    note("remove", path, NULL);
    return NEXT(unlink)(name);
}

int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    path_at(folder, name, path);
    note("remove", path, NULL);
    return NEXT(unlinkat)(folder, name, flags);
}
