#ifndef CAPTURE_LEDGER_LOCKDOWN_H
#define CAPTURE_LEDGER_LOCKDOWN_H

#include <stddef.h>

// What a process gives up for good before it meets bytes that may be hostile. Each call but cl_landlock answers 0, or -1 with errno.

// No new privileges by exec, no core dump, and nobody of the same user may look into this process: prctl(2).
int cl_give_up_privileges(void);

// Closes every descriptor from `first` on: close_range(2).
int cl_close_from(unsigned first);

// The kernel kills this process when the last writer of the pipe behind `file` is gone. Not PR_SET_PDEATHSIG: that one fires when
// the *thread* ends that started the child.
int cl_die_with_writer(int file);

// No file, no TCP port, no abstract socket and no signal outside: landlock(7). The version of Landlock that is in force, 0 where the
// kernel has none, -1 with errno where it has one and refused.
int cl_landlock(void);

// The system calls that are left are listed in lockdown.c; every other one fails with EPERM: seccomp(2).
int cl_seccomp(void);

// Number of threads of this process, or -1.
long cl_thread_count(void);

// Every signal does what it does by default: handlers that the language's runtime put up, to print traces by another program, would
// keep a process alive that has crashed.
void cl_default_signals(void);

// The file of the library that has this function, or NULL: dladdr(3).
const char *cl_library_of(const char *function);

// One heap for all threads, so that address space is not reserved for each.
void cl_one_heap(void);

// The calls that must fail afterwards, each answering 0 when it went through and errno when it did not.
int cl_try_open(const char *path, int for_writing);
int cl_try_socket(void);
int cl_try_exec(void);
int cl_try_fork(void);
int cl_try_trace(void);
int cl_try_signal(int pid);
int cl_try_executable_memory(void);
int cl_try_memory(size_t bytes);
int cl_try_limit(void);
int cl_try_thread(void);

#endif
