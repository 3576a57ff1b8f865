// Opening databases as the product does, and the statements of Schema/queries.
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void check(int code, sqlite3 *database, int expected, const char *what) {
    if (code == expected) return;
    fprintf(stderr, "bench: %s: %d %s\n", what, code, database ? sqlite3_errmsg(database) : "");
    exit(1);
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) exit(1);
    text[size] = 0;
    fclose(file);
    return text;
}

void execute(sqlite3 *database, const char *sql) { check(sqlite3_exec(database, sql, 0, 0, 0), database, SQLITE_OK, sql); }

void execute_file(sqlite3 *database, const char *schema_folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.sql", schema_folder, name);
    char *sql = read_file(path);
    execute(database, sql);
    free(sql);
}

sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0), database, SQLITE_OK, sql);
    return statement;
}

sqlite3_stmt *prepare_query(sqlite3 *database, const char *schema_folder, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/queries/%s.sql", schema_folder, name);
    char *sql = read_file(path);
    sqlite3_stmt *statement = prepare(database, sql);
    free(sql);
    return statement;
}

void bind_cell(sqlite3_stmt *statement, int index, const Cell *cell) {
    switch (cell->kind) {
    case SQLITE_INTEGER: sqlite3_bind_int64(statement, index, cell->number); break;
    case SQLITE_TEXT: sqlite3_bind_text(statement, index, (const char *)cell->bytes, cell->length, SQLITE_STATIC); break;
    case SQLITE_BLOB: sqlite3_bind_blob(statement, index, cell->bytes, cell->length, SQLITE_STATIC); break;
    default: sqlite3_bind_null(statement, index);
    }
}

void run(sqlite3_stmt *statement, sqlite3 *database) {
    check(sqlite3_step(statement), database, SQLITE_DONE, sqlite3_sql(statement));
    sqlite3_reset(statement);
}

void remove_database(const char *path) {
    char name[1024];
    const char *endings[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

// The product's page size, log, durability and cache. The schema is the caller's.
sqlite3 *open_database(const char *path, bool fresh, const char *schema_folder) {
    if (fresh) remove_database(path);
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    check(sqlite3_open_v2(path, &database, flags, 0), database, SQLITE_OK, path);
    sqlite3_busy_timeout(database, 60000);
    if (fresh) execute_file(database, schema_folder, "queries/configure_new_database");
    execute_file(database, schema_folder, "queries/configure_writer");
    return database;
}

sqlite3 *open_reader(const char *path, const char *schema_folder) {
    sqlite3 *database;
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, 0), database, SQLITE_OK, path);
    execute_file(database, schema_folder, "queries/configure_reader");
    return database;
}

static int keep_pages(void *pages, sqlite3 *database, const char *name, int count) {
    (void)database;
    (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}

void keep_log_short(sqlite3 *database, int *log_pages) { sqlite3_wal_hook(database, keep_pages, log_pages); }
