// Reads the sessions of a ledger into memory: what is stored of them, column by column.
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *claim(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) exit(1);
    return memory;
}

static Cell cell_of(sqlite3_stmt *row, int column) {
    Cell cell = {.kind = sqlite3_column_type(row, column)};
    if (cell.kind == SQLITE_INTEGER) {
        cell.number = sqlite3_column_int64(row, column);
    } else if (cell.kind != SQLITE_NULL) {
        const void *bytes = sqlite3_column_blob(row, column);
        cell.length = sqlite3_column_bytes(row, column);
        unsigned char *copy = claim((size_t)cell.length + 1, 1);
        if (cell.length) memcpy(copy, bytes, (size_t)cell.length);
        cell.bytes = copy;
    }
    return cell;
}

static int64_t one_number(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = prepare(database, sql);
    check(sqlite3_step(statement), database, SQLITE_ROW, sql);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

Sample load_sample(const char *ledger) {
    char path[1024];
    snprintf(path, sizeof path, "%s/ledger.sqlite", ledger);
    sqlite3 *database;
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, 0), database, SQLITE_OK, path);

    Sample sample = {0};
    int last_position = (int)one_number(database, "SELECT max(position) FROM event");
    sample.session_count = (int)one_number(database, "SELECT max(session_no) FROM session");
    sample.events = claim((size_t)last_position, sizeof(Event));
    sample.sessions = claim((size_t)sample.session_count, sizeof(Session));
    int *event_at = claim((size_t)last_position + 1, sizeof(int));

    sqlite3_stmt *row = prepare(
        database,
        "SELECT position, session_no, version, event_id, type, schema_version, recorded_at_ms, occurred_at_ms, flags, "
        "command_id, correlation_id, causation_position, actor, piece, capture_id, source, outcome, reason, duration_ms, "
        "facts, private FROM event WHERE session_no > 0 ORDER BY position");
    while (sqlite3_step(row) == SQLITE_ROW) {
        Event *event = &sample.events[sample.event_count];
        for (int i = 0; i < EVENT_COLUMNS; i++) event->cells[i] = cell_of(row, i);
        event->session = (int)event->cells[1].number - 1;
        event_at[event->cells[0].number] = sample.event_count++;
        sample.sessions[event->session].count++;
    }
    sqlite3_finalize(row);
    for (int i = 0; i < sample.session_count; i++) {
        sample.sessions[i].events = claim((size_t)sample.sessions[i].count, sizeof(int));
        sample.sessions[i].count = 0;
    }
    for (int i = 0; i < sample.event_count; i++) {
        Session *session = &sample.sessions[sample.events[i].session];
        session->events[session->count++] = i;
    }

    row = prepare(database, "SELECT session_no, session_id FROM session WHERE session_no > 0");
    while (sqlite3_step(row) == SQLITE_ROW)
        memcpy(sample.sessions[sqlite3_column_int(row, 0) - 1].id, sqlite3_column_blob(row, 1), 16);
    sqlite3_finalize(row);

    row = prepare(
        database,
        "SELECT session_no, version, last_position, status, phase, current_piece, context, started_at_ms, changed_at_ms, "
        "ended_at_ms, expires_at_ms, pieces FROM flow");
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < FLOW_COLUMNS; i++) sample.sessions[sqlite3_column_int(row, 0) - 1].flow[i] = cell_of(row, i);
    sqlite3_finalize(row);

    row = prepare(database, "SELECT session_no, command_id, body_digest, first_position, event_count FROM receipt WHERE session_no > 0");
    while (sqlite3_step(row) == SQLITE_ROW) {
        Event *event = &sample.events[event_at[sqlite3_column_int64(row, 3)]];
        event->has_receipt = true;
        for (int i = 0; i < RECEIPT_COLUMNS; i++) event->receipt[i] = cell_of(row, i);
    }
    sqlite3_finalize(row);

    row = prepare(
        database,
        "SELECT delivery_no, delivery_id, session_no, capture_id, piece, ordinal, destination, strict_order, status, "
        "blocked, settled_position, cause FROM delivery");
    while (sqlite3_step(row) == SQLITE_ROW) {
        Event *event = &sample.events[event_at[sqlite3_column_int64(row, 0)]];
        event->has_delivery = true;
        for (int i = 0; i < DELIVERY_COLUMNS; i++) event->delivery[i] = cell_of(row, i);
    }
    sqlite3_finalize(row);

    row = prepare(database, "SELECT digest, json FROM configuration LIMIT 1");
    check(sqlite3_step(row), database, SQLITE_ROW, "a configuration");
    for (int i = 0; i < 2; i++) sample.configuration[i] = cell_of(row, i);
    sqlite3_finalize(row);
    sqlite3_close(database);
    free(event_at);
    return sample;
}
