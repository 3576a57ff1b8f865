// Appends the sample's events: as bare rows, or with everything that the product writes in the transaction of an event, by its
// own statements. What the product does besides and this does not: the lock between processes, the domain's decision, ids and
// digests (they are the sample's), sealing, and the keys' database.
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECKPOINT_PAGES = 2048 };

struct Writer {
    sqlite3 *database;
    const Sample *sample;
    Omissions omissions;
    int salt; // tells the sessions of several processes apart
    int log_pages;
    sqlite3_stmt *begin, *commit;
    // bare
    sqlite3_stmt *insert_stream, *advance_stream, *insert_bare;
    // as the product
    sqlite3_stmt *last_commit, *clock_anchor, *last_session, *configuration, *insert_session, *find_receipt, *append_event,
        *insert_delivery, *insert_receipt, *upsert_flow, *append_commit;
    int64_t position, first, next_session, time;
    int64_t *numbers; // of the sample's sessions in their present pass
    bool *is_dirty;
    int *dirty;
    int dirty_count;
    unsigned char ledger_id[16], chain[32];
    unsigned char *row, *leaves;
    long leaf_bytes;
    EVP_MD *sha256;
    EVP_MD_CTX *hash;
};

Writer *open_writer(
    const char *path, bool fresh, const char *schema_folder, const Sample *sample, Omissions omissions, int salt) {
    Writer *writer = calloc(1, sizeof *writer);
    sqlite3 *database = open_database(path, fresh, schema_folder);
    writer->database = database;
    writer->sample = sample;
    writer->omissions = omissions;
    writer->salt = salt;
    writer->time = 1767225600000;
    writer->numbers = calloc((size_t)sample->session_count, sizeof *writer->numbers);
    writer->is_dirty = calloc((size_t)sample->session_count, sizeof *writer->is_dirty);
    writer->dirty = calloc((size_t)sample->session_count, sizeof *writer->dirty);
    writer->row = malloc(1 << 20);
    writer->leaves = malloc(32 << 16);
    writer->sha256 = EVP_MD_fetch(0, "SHA256", 0);
    writer->hash = EVP_MD_CTX_new();
    keep_log_short(database, &writer->log_pages);
    if (omissions.bare) {
        if (fresh)
            execute(
                database,
                "CREATE TABLE stream (stream_no INTEGER PRIMARY KEY, stream_id BLOB NOT NULL UNIQUE, version INTEGER NOT NULL);"
                "CREATE TABLE event (position INTEGER PRIMARY KEY, stream_no INTEGER NOT NULL, version INTEGER NOT NULL, "
                "event_id BLOB NOT NULL, type INTEGER NOT NULL, recorded_at_ms INTEGER NOT NULL, facts TEXT NOT NULL, "
                "private BLOB); CREATE UNIQUE INDEX event_in_order ON event (stream_no, version)");
        writer->insert_stream = prepare(database, "INSERT INTO stream (stream_no, stream_id, version) VALUES (?1, ?2, 1)");
        writer->advance_stream =
            prepare(database, "UPDATE stream SET version = ?2 WHERE stream_no = ?1 AND version = ?2 - 1");
        writer->insert_bare = prepare(
            database, "INSERT INTO event (position, stream_no, version, event_id, type, recorded_at_ms, facts, private) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
        writer->next_session = 1;
    } else {
        if (fresh) {
            execute_file(database, schema_folder, "migrations/0001_foundation");
            execute_file(database, schema_folder, "migrations/0002_delivery");
            execute_file(database, schema_folder, "migrations/0003_proof");
            sqlite3_stmt *stream = prepare_query(database, schema_folder, "insert_session");
            sqlite3_bind_int64(stream, 1, 0);
            sqlite3_bind_blob(stream, 2, writer->ledger_id, 16, SQLITE_STATIC);
            run(stream, database);
            sqlite3_finalize(stream);
            execute(database, "INSERT INTO clock_anchor VALUES (1, zeroblob(16), 0, 0, 0)");
        }
        writer->last_commit = prepare_query(database, schema_folder, "last_commit");
        writer->clock_anchor = prepare_query(database, schema_folder, "find_clock_anchor");
        writer->last_session = prepare_query(database, schema_folder, "last_session");
        writer->configuration = prepare_query(database, schema_folder, "insert_configuration");
        writer->insert_session = prepare_query(database, schema_folder, "insert_session");
        writer->find_receipt = prepare_query(database, schema_folder, "find_receipt");
        writer->append_event = prepare_query(database, schema_folder, "append_event");
        writer->insert_delivery = prepare_query(database, schema_folder, "insert_delivery");
        writer->insert_receipt = prepare_query(database, schema_folder, "insert_receipt");
        writer->upsert_flow = prepare_query(database, schema_folder, "upsert_flow");
        writer->append_commit = prepare_query(database, schema_folder, "append_commit");
        writer->position = -1;
    }
    writer->begin = prepare(database, "BEGIN IMMEDIATE");
    writer->commit = prepare(database, "COMMIT");
    return writer;
}

void begin(Writer *writer) {
    run(writer->begin, writer->database);
    writer->time++;
    if (writer->omissions.bare) return;
    int64_t last = 0;
    if (sqlite3_step(writer->last_commit) == SQLITE_ROW) {
        last = sqlite3_column_int64(writer->last_commit, 0);
        if (last != writer->position) memcpy(writer->chain, sqlite3_column_blob(writer->last_commit, 2), 32);
    }
    sqlite3_reset(writer->last_commit);
    if (last != writer->position) { // another process was here
        writer->position = last;
        check(sqlite3_step(writer->last_session), writer->database, SQLITE_ROW, "last session");
        writer->next_session = sqlite3_column_int64(writer->last_session, 0) + 1;
        sqlite3_reset(writer->last_session);
    }
    check(sqlite3_step(writer->clock_anchor), writer->database, SQLITE_ROW, "clock anchor");
    sqlite3_reset(writer->clock_anchor);
    writer->first = last + 1;
    writer->leaf_bytes = 0;
}

static void new_id(const Writer *writer, const Session *session, int pass, unsigned char id[16]) {
    memcpy(id, session->id, 16);
    uint32_t mark = (uint32_t)pass * 64 + (uint32_t)writer->salt;
    for (int i = 0; i < 4; i++) id[12 + i] ^= (unsigned char)(mark >> 8 * i);
}

// The row in the encoding of docs/storage-format.md, which is what is hashed.
long encode_row(unsigned char *out, const Cell cells[EVENT_COLUMNS], const unsigned char session_id[16]) {
    const unsigned char *start = out;
    for (int i = 0; i < EVENT_COLUMNS; i++) {
        const Cell *cell = &cells[i];
        Cell id = {.kind = SQLITE_BLOB, .bytes = session_id, .length = 16};
        if (i == 1) cell = &id;
        if (cell->kind == SQLITE_NULL) {
            *out++ = 0;
        } else if (cell->kind == SQLITE_INTEGER) {
            *out++ = 1;
            for (int shift = 56; shift >= 0; shift -= 8) *out++ = (unsigned char)((uint64_t)cell->number >> shift);
        } else {
            *out++ = cell->kind == SQLITE_TEXT ? 2 : 3;
            for (int shift = 24; shift >= 0; shift -= 8) *out++ = (unsigned char)((uint32_t)cell->length >> shift);
            memcpy(out, cell->bytes, (size_t)cell->length);
            out += cell->length;
        }
    }
    return out - start;
}

static void add_leaf(Writer *writer, const Cell cells[EVENT_COLUMNS], const unsigned char session_id[16]) {
    long length = encode_row(writer->row, cells, session_id);
    EVP_DigestInit_ex2(writer->hash, writer->sha256, 0);
    EVP_DigestUpdate(writer->hash, "\0", 1);
    EVP_DigestUpdate(writer->hash, writer->row, (size_t)length);
    EVP_DigestFinal_ex(writer->hash, writer->leaves + writer->leaf_bytes, 0);
    writer->leaf_bytes += 32;
}

static void append_bare(Writer *writer, const Event *event, const Session *session, int pass) {
    const Cell *cells = event->cells;
    int64_t *number = &writer->numbers[event->session];
    unsigned char id[16];
    if (cells[2].number == 1) {
        *number = writer->next_session++;
        new_id(writer, session, pass, id);
        sqlite3_bind_int64(writer->insert_stream, 1, *number);
        sqlite3_bind_blob(writer->insert_stream, 2, id, 16, SQLITE_STATIC);
        run(writer->insert_stream, writer->database);
    } else {
        sqlite3_bind_int64(writer->advance_stream, 1, *number);
        sqlite3_bind_int64(writer->advance_stream, 2, cells[2].number);
        run(writer->advance_stream, writer->database);
        check(sqlite3_changes(writer->database), writer->database, 1, "the expected version");
    }
    sqlite3_stmt *insert = writer->insert_bare;
    sqlite3_bind_int64(insert, 1, ++writer->position);
    sqlite3_bind_int64(insert, 2, *number);
    bind_cell(insert, 3, &cells[2]);
    bind_cell(insert, 4, &cells[3]);
    bind_cell(insert, 5, &cells[4]);
    sqlite3_bind_int64(insert, 6, writer->time);
    bind_cell(insert, 7, &cells[19]);
    bind_cell(insert, 8, &cells[20]);
    run(insert, writer->database);
}

void append(Writer *writer, int index, int pass) {
    const Event *event = &writer->sample->events[index];
    const Session *session = &writer->sample->sessions[event->session];
    if (writer->omissions.bare) return append_bare(writer, event, session, pass);
    sqlite3 *database = writer->database;
    int64_t *number = &writer->numbers[event->session];
    unsigned char id[16];
    new_id(writer, session, pass, id);
    if (event->cells[2].number == 1) {
        *number = writer->next_session++;
        bind_cell(writer->configuration, 1, &writer->sample->configuration[0]);
        bind_cell(writer->configuration, 2, &writer->sample->configuration[1]);
        run(writer->configuration, database);
        sqlite3_bind_int64(writer->insert_session, 1, *number);
        sqlite3_bind_blob(writer->insert_session, 2, id, 16, SQLITE_STATIC);
        sqlite3_bind_int64(writer->insert_session, 3, *number);
        run(writer->insert_session, database);
    } else if (event->has_receipt) {
        sqlite3_bind_int64(writer->find_receipt, 1, *number);
        bind_cell(writer->find_receipt, 2, &event->receipt[1]);
        run(writer->find_receipt, database);
    }

    Cell cells[EVENT_COLUMNS];
    memcpy(cells, event->cells, sizeof cells);
    cells[0].number = ++writer->position;
    cells[1].number = *number;
    cells[6].number = writer->time;
    for (int i = 0; i < EVENT_COLUMNS; i++) bind_cell(writer->append_event, i + 1, &cells[i]);
    run(writer->append_event, database);
    if (!writer->omissions.without_chain) add_leaf(writer, cells, id);

    if (event->has_delivery && !writer->omissions.without_projections) {
        sqlite3_stmt *delivery = writer->insert_delivery;
        for (int i = 0; i < DELIVERY_COLUMNS; i++) bind_cell(delivery, i + 1, &event->delivery[i]);
        sqlite3_bind_int64(delivery, 1, writer->position);
        sqlite3_bind_int64(delivery, 3, *number);
        run(delivery, database);
    }
    if (event->has_receipt) {
        for (int i = 0; i < RECEIPT_COLUMNS; i++) bind_cell(writer->insert_receipt, i + 1, &event->receipt[i]);
        sqlite3_bind_int64(writer->insert_receipt, 1, *number);
        sqlite3_bind_int64(writer->insert_receipt, 4, writer->position);
        run(writer->insert_receipt, database);
    }
    if (!writer->is_dirty[event->session]) {
        writer->is_dirty[event->session] = true;
        writer->dirty[writer->dirty_count++] = event->session;
    }
}

static void write_flows(Writer *writer) {
    for (int i = 0; i < writer->dirty_count; i++) {
        int session = writer->dirty[i];
        writer->is_dirty[session] = false;
        if (writer->omissions.without_projections) continue;
        for (int k = 0; k < FLOW_COLUMNS; k++) bind_cell(writer->upsert_flow, k + 1, &writer->sample->sessions[session].flow[k]);
        sqlite3_bind_int64(writer->upsert_flow, 1, writer->numbers[session]);
        sqlite3_bind_int64(writer->upsert_flow, 3, writer->position);
        sqlite3_bind_int64(writer->upsert_flow, 9, writer->time);
        run(writer->upsert_flow, writer->database);
    }
    writer->dirty_count = 0;
}

static void close_chain(Writer *writer) {
    unsigned char head[25] = {2};
    uint64_t words[3] = {(uint64_t)writer->first, (uint64_t)writer->position, (uint64_t)writer->time};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 8; k++) head[1 + 8 * i + k] = (unsigned char)(words[i] >> (56 - 8 * k));
    EVP_DigestInit_ex2(writer->hash, writer->sha256, 0);
    EVP_DigestUpdate(writer->hash, head, 1);
    EVP_DigestUpdate(writer->hash, writer->chain, 32);
    EVP_DigestUpdate(writer->hash, head + 1, 24);
    EVP_DigestUpdate(writer->hash, writer->leaves, (size_t)writer->leaf_bytes);
    EVP_DigestFinal_ex(writer->hash, writer->chain, 0);
}

void commit(Writer *writer) {
    if (!writer->omissions.bare) {
        write_flows(writer);
        if (!writer->omissions.without_chain) close_chain(writer);
        sqlite3_bind_int64(writer->append_commit, 1, writer->position);
        sqlite3_bind_int64(writer->append_commit, 2, writer->first);
        sqlite3_bind_int64(writer->append_commit, 3, writer->time);
        sqlite3_bind_blob(writer->append_commit, 4, writer->chain, 32, SQLITE_STATIC);
        run(writer->append_commit, writer->database);
    }
    run(writer->commit, writer->database);
    if (writer->log_pages >= CHECKPOINT_PAGES)
        sqlite3_wal_checkpoint_v2(writer->database, 0, SQLITE_CHECKPOINT_PASSIVE, 0, 0);
}

void close_writer(Writer *writer) { sqlite3_close_v2(writer->database); }
