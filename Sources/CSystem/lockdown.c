#define _GNU_SOURCE
#include "lockdown.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int cl_give_up_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int cl_close_from(unsigned first) { return (int)syscall(SYS_close_range, first, ~0U, 0); }

int cl_die_with_writer(int file) {
    if (fcntl(file, F_SETOWN, getpid()) != 0 || fcntl(file, F_SETSIG, SIGKILL) != 0) return -1;
    if (fcntl(file, F_SETFL, O_ASYNC | O_NONBLOCK) != 0) return -1;
    // The writer may have gone before the signal was asked for.
    char byte;
    if (read(file, &byte, 1) == 0) raise(SIGKILL);
    return 0;
}

// Debian 12's headers know version 2 of Landlock; the kernel may know more. The numbers are the kernel's, include/uapi/linux/landlock.h.
struct landlock_rules {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

int cl_landlock(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (version <= 0) return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
    struct landlock_rules rules = {.files = (1ULL << 13) - 1};
    size_t size = 8;
    if (version >= 2) rules.files |= 1ULL << 13;  // refer
    if (version >= 3) rules.files |= 1ULL << 14;  // truncate
    if (version >= 5) rules.files |= 1ULL << 15;  // ioctl of devices
    if (version >= 4) {
        rules.network = 3;  // bind, connect
        size = 16;
    }
    if (version >= 6) {
        rules.scopes = 3;  // abstract sockets, signals
        size = 24;
    }
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) return -1;
    // No rule is added: nothing is allowed.
    int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    int code = errno;
    close(ruleset);
    errno = code;
    return result == 0 ? version : -1;
}

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "the decoder's list of system calls is written for x86-64 and arm64"
#endif

// Compares the lower half of an argument: flags and small numbers.
#define ARGUMENT(number) (offsetof(struct seccomp_data, args) + 8 * (number))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)
#define ANY_BIT(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), yes, no)
#define MASK(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (uint32_t)(bits))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (uint32_t)(value))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define DENY RETURN(SECCOMP_RET_ERRNO | EPERM)

// Without any look at arguments: memory, threads that exist, clocks, descriptors that are open.
static const int plain_calls[] = {
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_fstat,
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid, SYS_getpid,
    SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_exit, SYS_exit_group,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrandom, SYS_getrusage,
    SYS_sysinfo, SYS_getcpu, SYS_ppoll,
#if defined(__x86_64__)
    SYS_poll, SYS_time,
#endif
};

int cl_seccomp(void) {
    enum { most = 160 };
    struct sock_filter code[most];
    unsigned count = 0;
#define ADD(...) \
    do { \
        const struct sock_filter added[] = {__VA_ARGS__}; \
        for (unsigned i = 0; i < sizeof(added) / sizeof(added[0]); i++) { \
            if (count == most) { errno = E2BIG; return -1; } \
            code[count++] = added[i]; \
        } \
    } while (0)

    ADD(LOAD(offsetof(struct seccomp_data, arch)), EQUAL(NATIVE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS));
    ADD(LOAD(offsetof(struct seccomp_data, nr)));
#if defined(__x86_64__)
    // The calls of x32 have numbers of their own.
    ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000U, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS));
#endif
    for (unsigned i = 0; i < sizeof(plain_calls) / sizeof(plain_calls[0]); i++) ADD(EQUAL(plain_calls[i], 0, 1), ALLOW);

    // Memory that can be executed is not made any more.
    ADD(EQUAL(SYS_mmap, 0, 4), LOAD(ARGUMENT(2)), ANY_BIT(PROT_EXEC, 0, 1), DENY, ALLOW);
    ADD(EQUAL(SYS_mprotect, 0, 4), LOAD(ARGUMENT(2)), ANY_BIT(PROT_EXEC, 0, 1), DENY, ALLOW);
    // Threads, never processes or namespaces. clone3 hides its flags in memory: the C library falls back to clone without it.
    enum { thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, spaces = 0x7E020080 };
    ADD(EQUAL(SYS_clone, 0, 6), LOAD(ARGUMENT(0)), ANY_BIT(spaces, 3, 0), MASK(thread), EQUAL(thread, 0, 1), ALLOW, DENY);
    ADD(EQUAL(SYS_clone3, 0, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS));
    // A thread's name.
    ADD(EQUAL(SYS_prctl, 0, 4), LOAD(ARGUMENT(0)), EQUAL(PR_SET_NAME, 0, 1), ALLOW, DENY);
    // Signals to itself: abort(3).
    ADD(EQUAL(SYS_tgkill, 0, 4), LOAD(ARGUMENT(0)), EQUAL(getpid(), 0, 1), ALLOW, DENY);
    // Asking for limits, not setting them.
    ADD(EQUAL(SYS_prlimit64, 0, 6), LOAD(ARGUMENT(2)), EQUAL(0, 0, 3), LOAD(ARGUMENT(2) + 4), EQUAL(0, 0, 1), ALLOW, DENY);
    ADD(DENY);
#undef ADD

    struct sock_fprog program = {.len = (unsigned short)count, .filter = code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

long cl_thread_count(void) {
    // One link of the folder for each thread, and two of its own.
    struct stat status;
    return stat("/proc/self/task", &status) == 0 ? (long)status.st_nlink - 2 : -1;
}

void cl_default_signals(void) {
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_DFL);
}

const char *cl_library_of(const char *function) {
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, function);
    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

void cl_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

int cl_try_open(const char *path, int for_writing) {
    int file = open(path, (for_writing ? O_WRONLY | O_CREAT : O_RDONLY) | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
}

int cl_try_socket(void) {
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0) return errno;
    close(file);
    return 0;
}

int cl_try_exec(void) {
    char *const words[] = {"true", NULL};
    execve("/bin/true", words, words + 1);
    return errno;
}

int cl_try_fork(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    return child < 0 ? errno : 0;
}

int cl_try_trace(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : errno; }

int cl_try_signal(int pid) { return kill(pid, 0) == 0 ? 0 : errno; }

int cl_try_executable_memory(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

int cl_try_memory(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return errno;
    munmap(pages, bytes);
    return 0;
}

int cl_try_limit(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_AS, &limit) == 0 ? 0 : errno;
}

static void *nothing(void *argument) { return argument; }

int cl_try_thread(void) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, nothing, NULL);
    return code != 0 ? code : pthread_join(thread, NULL);
}
