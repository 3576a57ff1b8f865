#ifndef CAPTURE_LEDGER_CMICROHTTPD_SHIM_H
#define CAPTURE_LEDGER_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// Variadic: Swift cannot call MHD_start_daemon. One thread for each connection, so that a handler may block.
static inline struct MHD_Daemon *_Nullable ledger_http_start(
    const struct sockaddr *_Nonnull address, int is_ipv6, unsigned int memory_per_connection,
    unsigned int connection_limit, unsigned int idle_seconds, MHD_AccessHandlerCallback _Nonnull handler,
    MHD_RequestCompletedCallback _Nonnull completed, void *_Nonnull context) {
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC |
            (is_ipv6 ? MHD_USE_IPv6 : 0),
        0,
        NULL, NULL, handler, context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)memory_per_connection, MHD_OPTION_CONNECTION_LIMIT,
        connection_limit, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_LISTEN_BACKLOG_SIZE, 256u, MHD_OPTION_THREAD_STACK_SIZE, (size_t)(512 * 1024), MHD_OPTION_END);
}

// Variadic: MHD_get_daemon_info. Zero when the port is not known.
static inline uint16_t ledger_http_port(struct MHD_Daemon *_Nonnull daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

// Variadic: MHD_get_connection_info. Resets the connection: libmicrohttpd itself always ends it in an orderly way first,
// but on Linux connecting to no address at all disconnects a TCP socket at once, see connect(2).
static inline void ledger_http_reset(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct sockaddr nowhere;
    memset(&nowhere, 0, sizeof nowhere);
    nowhere.sa_family = AF_UNSPEC;
    if (info) (void)connect(info->connect_fd, &nowhere, sizeof nowhere);
}

// Macro with a cast: not imported.
static inline uint64_t ledger_http_size_unknown(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t ledger_http_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t ledger_http_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#endif
