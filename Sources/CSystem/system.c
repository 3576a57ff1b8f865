#define _GNU_SOURCE
#include "CSystem.h"

#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int cl_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int cl_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

long cl_random(void *bytes, size_t count) { return (long)getrandom(bytes, count, 0); }

int cl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cl_exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
int cl_end_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int cl_set_limit(int resource, unsigned long long soft, unsigned long long hard) {
    struct rlimit limit = {.rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard};
    return setrlimit(resource, &limit);
}

const int cl_limit_address_space = RLIMIT_AS;
const int cl_limit_processor_seconds = RLIMIT_CPU;
const int cl_limit_core_bytes = RLIMIT_CORE;
const int cl_limit_file_bytes = RLIMIT_FSIZE;
const int cl_limit_open_files = RLIMIT_NOFILE;
