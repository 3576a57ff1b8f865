#define _GNU_SOURCE
#include "CSystem.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

int cl_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int cl_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

long cl_random(void *bytes, size_t count) { return (long)getrandom(bytes, count, 0); }

void *cl_memory_cleared_by_fork(size_t count) {
    void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    if (madvise(memory, count, MADV_WIPEONFORK) == 0) return memory;
    munmap(memory, count);
    return NULL;
}

int cl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cl_synchronize_file_system(int file) { return syncfs(file); }

const int cl_no_access_time = O_NOATIME;
const int cl_unnamed_file = O_TMPFILE;

long cl_file_system_kind(int file) {
    struct statfs status;
    return fstatfs(file, &status) == 0 ? (long)status.f_type : 0;
}

int cl_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
int cl_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int cl_set_limit(int resource, unsigned long long soft, unsigned long long hard) {
    struct rlimit limit = {.rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard};
    return setrlimit(resource, &limit);
}

int cl_signal_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int cl_terminal_columns(int file) {
    struct winsize size;
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : -1;
}

long cl_clock_ticks(void) { return sysconf(_SC_CLK_TCK); }

int cl_datagram_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

long cl_send_datagram(int socket, const unsigned char *address, size_t length, const void *bytes, size_t count) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (length >= sizeof(name.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name.sun_path, address, length);
    // the terminator of a path does not count in an abstract name
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (address[0] == 0 ? 0 : 1));
    return (long)sendto(socket, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&name, size);
}

const int cl_limit_address_space = RLIMIT_AS;
const int cl_limit_processor_seconds = RLIMIT_CPU;
const int cl_limit_core_bytes = RLIMIT_CORE;
const int cl_limit_file_bytes = RLIMIT_FSIZE;
const int cl_limit_open_files = RLIMIT_NOFILE;

int cl_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

long cl_send(int socket, const void *bytes, size_t count) {
    return (long)send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

long cl_receive(int socket, void *bytes, size_t count) { return (long)recv(socket, bytes, count, MSG_DONTWAIT); }

int cl_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int cl_seal_memory_file(int file) {
    return fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

int cl_seal_memory_size(int file) { return fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW); }
