// Reads of a ledger that the product made, by the product's statements.
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t touch(sqlite3_stmt *row) {
    int64_t sum = 0;
    for (int i = 0; i < EVENT_COLUMNS; i++) {
        switch (sqlite3_column_type(row, i)) {
        case SQLITE_INTEGER: sum += sqlite3_column_int64(row, i); break;
        case SQLITE_NULL: break;
        default: {
            const unsigned char *bytes = sqlite3_column_blob(row, i);
            int length = sqlite3_column_bytes(row, i);
            if (length) sum += bytes[0] + bytes[length - 1];
        }
        }
    }
    return sum;
}

static void ledger_path(char path[1024], const char *ledger) { snprintf(path, 1024, "%s/ledger.sqlite", ledger); }

int measure_read(const char *ledger, const char *schema, int passes) {
    char path[1024];
    ledger_path(path, ledger);
    sqlite3 *database = open_reader(path, schema);
    sqlite3_stmt *events = prepare_query(database, schema, "events_by_position");
    double *rates = malloc(sizeof(double) * (size_t)passes);
    long count = 0;
    int64_t sum = 0;
    double used = processor();
    for (int pass = 0; pass < passes; pass++) {
        sqlite3_bind_int64(events, 1, 0);
        sqlite3_bind_int64(events, 2, INT64_MAX);
        sqlite3_bind_int64(events, 3, -1);
        count = 0;
        double begun = now();
        while (sqlite3_step(events) == SQLITE_ROW) {
            sum += touch(events);
            count++;
        }
        rates[pass] = (double)count / (now() - begun);
        sqlite3_reset(events);
    }
    used = processor() - used;
    sort(rates, passes);
    printf("{\"events\": %ld, \"events_per_second\": %.0f, \"cpu_us_per_event\": %.4f, \"sum\": %lld}\n", count,
        quantile(rates, passes, 0.5), used * 1e6 / ((double)count * passes), (long long)sum);
    sqlite3_finalize(events);
    sqlite3_close(database);
    return 0;
}

static Cell cell_in_place(sqlite3_stmt *row, int column) {
    Cell cell = {.kind = sqlite3_column_type(row, column)};
    if (cell.kind == SQLITE_INTEGER) {
        cell.number = sqlite3_column_int64(row, column);
    } else if (cell.kind != SQLITE_NULL) {
        cell.bytes = sqlite3_column_blob(row, column);
        cell.length = sqlite3_column_bytes(row, column);
    }
    return cell;
}

// The least that verifying a log can be: every event read, and hashed as a leaf.
int measure_verify(const char *ledger, const char *schema, int passes) {
    char path[1024];
    ledger_path(path, ledger);
    sqlite3 *database = open_reader(path, schema);
    sqlite3_stmt *events = prepare_query(database, schema, "events_by_position");
    EVP_MD *sha256 = EVP_MD_fetch(0, "SHA256", 0);
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    unsigned char *bytes = malloc(1 << 20), digest[32], session[16] = {0};
    double *rates = malloc(sizeof(double) * (size_t)passes);
    long count = 0;
    for (int pass = 0; pass < passes; pass++) {
        sqlite3_bind_int64(events, 1, 0);
        sqlite3_bind_int64(events, 2, INT64_MAX);
        sqlite3_bind_int64(events, 3, -1);
        count = 0;
        double begun = now();
        while (sqlite3_step(events) == SQLITE_ROW) {
            Cell cells[EVENT_COLUMNS];
            for (int i = 0; i < EVENT_COLUMNS; i++) cells[i] = cell_in_place(events, i);
            long length = encode_row(bytes, cells, session);
            EVP_DigestInit_ex2(hash, sha256, 0);
            EVP_DigestUpdate(hash, "\0", 1);
            EVP_DigestUpdate(hash, bytes, (size_t)length);
            EVP_DigestFinal_ex(hash, digest, 0);
            count++;
        }
        rates[pass] = (double)count / (now() - begun);
        sqlite3_reset(events);
    }
    sort(rates, passes);
    printf("{\"events\": %ld, \"events_per_second\": %.0f, \"last\": %d}\n", count, quantile(rates, passes, 0.5), digest[0]);
    sqlite3_finalize(events);
    sqlite3_close(database);
    return 0;
}

// A rebuild at its plainest: typed columns folded into counts, one row a session written beside, then put in place.
int measure_rebuild(const char *ledger, const char *schema, const char *folder, int passes) {
    enum { COUNTS = 8 };
    char path[1024], beside[1024];
    ledger_path(path, ledger);
    snprintf(beside, sizeof beside, "%s/plain-rebuild.sqlite", folder);
    sqlite3 *database = open_reader(path, schema);
    sqlite3_stmt *last = prepare(database, "SELECT max(session_no), max(last_position) FROM session, event_commit");
    check(sqlite3_step(last), database, SQLITE_ROW, "the last session");
    long sessions = (long)sqlite3_column_int64(last, 0);
    sqlite3_finalize(last);
    sqlite3_stmt *events = prepare(
        database, "SELECT session_no, version, type, recorded_at_ms, piece, outcome, duration_ms FROM event ORDER BY position");
    double *rates = malloc(sizeof(double) * (size_t)passes);
    long count = 0;
    for (int pass = 0; pass < passes; pass++) {
        count = 0;
        double begun = now();
        int64_t(*states)[COUNTS] = calloc((size_t)sessions + 1, sizeof *states);
        while (sqlite3_step(events) == SQLITE_ROW) {
            int64_t *state = states[sqlite3_column_int64(events, 0)];
            state[0] = sqlite3_column_int64(events, 1);
            state[1 + (sqlite3_column_int(events, 2) & 3)]++;
            state[5] = sqlite3_column_int64(events, 3);
            state[6] += sqlite3_column_int64(events, 4);
            state[7] += sqlite3_column_int64(events, 5) + sqlite3_column_int64(events, 6);
            count++;
        }
        sqlite3_reset(events);
        sqlite3 *other = open_database(beside, true, schema);
        execute(other, "CREATE TABLE state (session_no INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h); BEGIN IMMEDIATE");
        sqlite3_stmt *insert = prepare(other, "INSERT INTO state VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
        for (long i = 1; i <= sessions; i++) {
            sqlite3_bind_int64(insert, 1, i);
            for (int k = 0; k < COUNTS; k++) sqlite3_bind_int64(insert, 2 + k, states[i][k]);
            run(insert, other);
        }
        sqlite3_finalize(insert);
        execute(other, "COMMIT");
        sqlite3_close(other);
        free(states);
        rates[pass] = (double)count / (now() - begun);
    }
    remove_database(beside);
    sort(rates, passes);
    printf("{\"events\": %ld, \"sessions\": %ld, \"events_per_second\": %.0f}\n", count, sessions, quantile(rates, passes, 0.5));
    sqlite3_finalize(events);
    sqlite3_close(database);
    return 0;
}

int measure_session(const char *ledger, const char *schema, int loads) {
    char path[1024];
    ledger_path(path, ledger);
    sqlite3 *database = open_reader(path, schema);
    sqlite3_stmt *ids = prepare(database, "SELECT session_id FROM session WHERE session_no > 0");
    unsigned char *all = malloc(16 * 4000000L);
    long count = 0;
    while (count < 4000000 && sqlite3_step(ids) == SQLITE_ROW) memcpy(all + 16 * count++, sqlite3_column_blob(ids, 0), 16);
    sqlite3_finalize(ids);
    sqlite3_stmt *find = prepare_query(database, schema, "session_by_id");
    sqlite3_stmt *events = prepare_query(database, schema, "events_of_session");
    double *waits = malloc(sizeof(double) * (size_t)loads);
    uint64_t random = 88172645463325252ULL;
    int64_t sum = 0;
    for (int i = 0; i < loads; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        const unsigned char *id = all + 16 * (random % (uint64_t)count);
        double begun = now();
        sqlite3_bind_blob(find, 1, id, 16, SQLITE_STATIC);
        check(sqlite3_step(find), database, SQLITE_ROW, "a session");
        sqlite3_bind_int64(events, 1, sqlite3_column_int64(find, 0));
        sqlite3_reset(find);
        sqlite3_bind_int64(events, 2, 0);
        while (sqlite3_step(events) == SQLITE_ROW) sum += touch(events);
        sqlite3_reset(events);
        waits[i] = now() - begun;
    }
    sort(waits, loads);
    printf("{\"sessions\": %ld, \"loads\": %d, \"p50_us\": %.2f, \"p99_us\": %.2f, \"sum\": %lld}\n", count, loads,
        quantile(waits, loads, 0.5) * 1e6, quantile(waits, loads, 0.99) * 1e6, (long long)sum);
    sqlite3_finalize(find);
    sqlite3_finalize(events);
    sqlite3_close(database);
    return 0;
}
