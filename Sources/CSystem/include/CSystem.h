#ifndef CAPTURE_LEDGER_CSYSTEM_H
#define CAPTURE_LEDGER_CSYSTEM_H

#include "lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

// Variadic: Swift cannot call open and openat.
static inline int cl_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int cl_openat(int folder, const char *name, int flags, mode_t mode) { return openat(folder, name, flags, mode); }

// Declared for _GNU_SOURCE only, so they live in system.c: renameat2 with RENAME_NOREPLACE, pidfd_open,
// pipe2 with O_CLOEXEC, and syncfs.
int cl_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);
int cl_pidfd_open(pid_t pid);
int cl_pipe(int ends[2]);
int cl_synchronize_file_system(int file);

// Declared for _GNU_SOURCE only.
extern const int cl_no_access_time;  // O_NOATIME
extern const int cl_unnamed_file;    // O_TMPFILE

// The call and its result have the same name: the number that says which file system it is, or 0.
long cl_file_system_kind(int file);

// Not in the modules that Swift makes of glibc: getrandom(2).
long cl_random(void *bytes, size_t count);

// Memory that a child of fork(2) finds cleared, so that nothing in it is used twice; NULL where the kernel cannot.
void *cl_memory_cleared_by_fork(size_t count);

// Macros with arguments.
int cl_exit_status(int status);  // 0…255, or -1 when a signal ended it
int cl_end_signal(int status);   // the signal, or 0

// The resource argument is an enum for GNU C, which Swift imports as another type than the call's.
int cl_set_limit(int resource, unsigned long long soft, unsigned long long hard);

// A disposition is a function pointer, which Swift cannot compare with SIG_IGN.
int cl_signal_is_ignored(int number);

// ioctl is variadic: the columns of a terminal, or -1.
int cl_terminal_columns(int file);

long cl_clock_ticks(void);

// sockaddr_un is filled by offset and length. The address holds no terminator; one that begins with 0 is abstract.
int cl_datagram_socket(void);
long cl_send_datagram(int socket, const unsigned char *address, size_t length, const void *bytes, size_t count);

// Flags that Swift imports as other types than the calls': a connected pair with SOCK_CLOEXEC; send and receive what goes at once,
// without SIGPIPE.
int cl_socket_pair(int ends[2]);
long cl_send(int socket, const void *bytes, size_t count);
long cl_receive(int socket, void *bytes, size_t count);

// Declared for _GNU_SOURCE only: memfd_create, and the seals that leave the file as it is for ever.
int cl_memory_file(const char *name);
int cl_seal_memory_file(int file);
// Its content may change, its size not.
int cl_seal_memory_size(int file);

extern const int cl_limit_address_space;
extern const int cl_limit_processor_seconds;
extern const int cl_limit_core_bytes;
extern const int cl_limit_file_bytes;
extern const int cl_limit_open_files;

#endif
