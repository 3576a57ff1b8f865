#ifndef CAPTURE_LEDGER_CSQLITE_MEMORY_H
#define CAPTURE_LEDGER_CSQLITE_MEMORY_H
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Memory for SQLite. An insert asks for some sixty small pieces and gives them back at once. SQLite has an allocator for that,
// lookaside, which Debian builds it without; and the C library keeps seven pieces of a size for a thread and works hard for more.
// So each thread keeps what it gave back, by size, up to a limit, and uses it again: no lock, a dozen instructions. A piece may be
// given back by another thread than asked for it. What a thread keeps goes back to the C library when the thread ends.

enum {
    CL_MEMORY_STEP = 64,                 // sizes are rounded up to a multiple
    CL_MEMORY_KINDS = 36,                // up to 2,240 bytes; larger pieces are the C library's
    CL_MEMORY_KEPT_BYTES = 32 * 1024,    // of one size and thread
};

// Before every piece, and its alignment. `kind` is 0 for a piece of the C library's.
typedef struct {
    sqlite3_uint64 kind;
    sqlite3_uint64 size;
} cl_memory_head;

typedef struct cl_memory_free {
    struct cl_memory_free *next;
} cl_memory_free;

typedef struct {
    cl_memory_free *first[CL_MEMORY_KINDS];
    int left[CL_MEMORY_KINDS]; // how many more it may keep
    int is_known;              // the thread's end will be noticed
} cl_memory_kept;

// Inside functions, since Swift's importer makes none of a header's own variables.
static cl_memory_kept *cl_memory_of_thread(void) {
    static _Thread_local cl_memory_kept kept;
    return &kept;
}
static pthread_key_t *cl_memory_end(void) {
    static pthread_key_t key;
    return &key;
}

static void cl_memory_release(void *unused) {
    (void)unused;
    cl_memory_kept *kept = cl_memory_of_thread();
    for (int kind = 1; kind < CL_MEMORY_KINDS; kind++) {
        while (kept->first[kind]) {
            cl_memory_free *piece = kept->first[kind];
            kept->first[kind] = piece->next;
            free((cl_memory_head *)piece - 1);
        }
        kept->left[kind] = 0;
    }
    kept->is_known = 0;
}

// False where the thread's end could not be noticed: then it keeps nothing.
static int cl_memory_begin(cl_memory_kept *kept) {
    if (pthread_setspecific(*cl_memory_end(), kept) != 0) return 0;
    kept->is_known = 1;
    for (int kind = 1; kind < CL_MEMORY_KINDS; kind++) kept->left[kind] = CL_MEMORY_KEPT_BYTES / (kind * CL_MEMORY_STEP);
    return 1;
}

static void *cl_memory_take(int count) {
    size_t kind = ((size_t)count + CL_MEMORY_STEP - 1) / CL_MEMORY_STEP;
    if (kind < CL_MEMORY_KINDS) {
        cl_memory_kept *kept = cl_memory_of_thread();
        cl_memory_free *piece = kept->first[kind];
        if (piece) {
            kept->first[kind] = piece->next;
            kept->left[kind]++;
            return piece;
        }
    }
    size_t size = kind < CL_MEMORY_KINDS ? kind * CL_MEMORY_STEP : ((size_t)count + 7) & ~(size_t)7;
    cl_memory_head *head = malloc(sizeof *head + size);
    if (!head) return NULL;
    head->kind = kind < CL_MEMORY_KINDS ? kind : 0;
    head->size = size;
    return head + 1;
}

static void cl_memory_give(void *piece) {
    cl_memory_head *head = (cl_memory_head *)piece - 1;
    size_t kind = head->kind;
    cl_memory_kept *kept = cl_memory_of_thread();
    if (kind > 0 && (kept->left[kind] > 0 || (!kept->is_known && cl_memory_begin(kept)))) {
        ((cl_memory_free *)piece)->next = kept->first[kind];
        kept->first[kind] = piece;
        kept->left[kind]--;
    } else {
        free(head);
    }
}

static int cl_memory_size(void *piece) { return piece ? (int)((cl_memory_head *)piece - 1)->size : 0; }

static void *cl_memory_resize(void *piece, int count) {
    int size = cl_memory_size(piece);
    if (count <= size) return piece;
    cl_memory_head *head = (cl_memory_head *)piece - 1;
    if (head->kind == 0) {
        size_t wider = ((size_t)count + 7) & ~(size_t)7;
        head = realloc(head, sizeof *head + wider);
        if (!head) return NULL;
        head->size = wider;
        return head + 1;
    }
    void *moved = cl_memory_take(count);
    if (!moved) return NULL;
    memcpy(moved, piece, (size_t)size);
    cl_memory_give(piece);
    return moved;
}

static int cl_memory_round(int count) {
    if (count > (CL_MEMORY_KINDS - 1) * CL_MEMORY_STEP) return (count + 7) & ~7;
    return (count + CL_MEMORY_STEP - 1) / CL_MEMORY_STEP * CL_MEMORY_STEP;
}

static int cl_memory_start(void *unused) {
    (void)unused;
    return pthread_key_create(cl_memory_end(), cl_memory_release) == 0 ? SQLITE_OK : SQLITE_ERROR;
}
static void cl_memory_stop(void *unused) {
    (void)unused;
    pthread_key_delete(*cl_memory_end());
}

static const sqlite3_mem_methods cl_memory_methods = {
    .xMalloc = cl_memory_take, .xFree = cl_memory_give, .xRealloc = cl_memory_resize, .xSize = cl_memory_size,
    .xRoundup = cl_memory_round, .xInit = cl_memory_start, .xShutdown = cl_memory_stop,
};

// sqlite3_config is variadic: Swift cannot call it. It has to be called before the first connection; a program that has used SQLite
// before keeps what it had. Counting every allocation, which is left out, takes a lock of the whole library.
static inline int cl_sqlite3_use_memory(void) {
    int code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MALLOC, &cl_memory_methods) : code;
}
#endif
