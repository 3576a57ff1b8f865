// The bare half of `make bench`: what SQLite and OpenSSL do in plain C, without Swift and without the product around them.
// It takes its events from a ledger that the product made, so that both sides store the same bytes, and its statements from
// Schema/, so that both sides run the same SQL.
#ifndef CAPTURE_LEDGER_BENCH_H
#define CAPTURE_LEDGER_BENCH_H
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

// One column of a row, kept so that it is bound without a copy.
typedef struct {
    int kind; // SQLITE_INTEGER, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL
    int64_t number;
    const unsigned char *bytes;
    int length;
} Cell;

enum { EVENT_COLUMNS = 21, FLOW_COLUMNS = 12, DELIVERY_COLUMNS = 12, RECEIPT_COLUMNS = 5 };

typedef struct {
    Cell cells[EVENT_COLUMNS];
    int session; // which of the sample's sessions
    bool has_receipt, has_delivery;
    Cell receipt[RECEIPT_COLUMNS];
    Cell delivery[DELIVERY_COLUMNS];
} Event;

typedef struct {
    unsigned char id[16];
    Cell flow[FLOW_COLUMNS];
    int *events; // in the session's order
    int count;
} Session;

// Everything that is stored of some sessions, in memory.
typedef struct {
    Event *events;
    int event_count;
    Session *sessions;
    int session_count;
    Cell configuration[2];
} Sample;

Sample load_sample(const char *ledger);

// database.c
void check(int code, sqlite3 *database, int expected, const char *what);
sqlite3 *open_database(const char *path, bool fresh, const char *schema_folder);
sqlite3 *open_reader(const char *path, const char *schema_folder);
void execute(sqlite3 *database, const char *sql);
void execute_file(sqlite3 *database, const char *schema_folder, const char *name);
sqlite3_stmt *prepare(sqlite3 *database, const char *sql);
sqlite3_stmt *prepare_query(sqlite3 *database, const char *schema_folder, const char *name);
void bind_cell(sqlite3_stmt *statement, int index, const Cell *cell);
void run(sqlite3_stmt *statement, sqlite3 *database);
void keep_log_short(sqlite3 *database, int *log_pages);
void remove_database(const char *path);

// A writer that appends the sample again and again, each time as other sessions.
typedef struct {
    bool bare;              // one table of events and the streams' versions, nothing else
    bool without_chain;     // no leaves, no chain
    bool without_projections; // no rows of flow and delivery
} Omissions;

typedef struct Writer Writer;
long encode_row(unsigned char *out, const Cell cells[EVENT_COLUMNS], const unsigned char session_id[16]);
Writer *open_writer(const char *path, bool fresh, const char *schema_folder, const Sample *sample, Omissions omissions, int salt);
void begin(Writer *writer);
void append(Writer *writer, int event, int pass);
void commit(Writer *writer);
void close_writer(Writer *writer);

// measure.c
double now(void);
double processor(void); // seconds that this process has used
double quantile(double *sorted, long count, double fraction);
void sort(double *values, long count);
int compare(const void *a, const void *b);

// One function a measurement; each prints one JSON object.
int measure_append(const Sample *, const char *schema, const char *folder, Omissions, int batch, double seconds);
int measure_group(const Sample *, const char *schema, const char *folder, int clients, double seconds);
int measure_contention(const Sample *, const char *schema, const char *folder, int processes, int events);
int measure_read(const char *ledger, const char *schema, int passes);
int measure_session(const char *ledger, const char *schema, int loads);
int measure_verify(const char *ledger, const char *schema, int passes);
int measure_rebuild(const char *ledger, const char *schema, const char *folder, int passes);
int measure_seal(const char *folder, int megabytes);
int measure_sync(const char *folder, double seconds);
#endif
