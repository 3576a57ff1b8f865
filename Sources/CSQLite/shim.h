#ifndef CAPTURE_LEDGER_CSQLITE_SHIM_H
#define CAPTURE_LEDGER_CSQLITE_SHIM_H
#include "memory.h"
#include <sqlite3.h>
#include <string.h>

// Variadic: Swift cannot call sqlite3_db_config.
static inline int cl_sqlite3_no_checkpoint_on_close(sqlite3 *db) {
    int now = 0;
    return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &now);
}

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline int cl_sqlite3_bind_text_copy(sqlite3_stmt *s, int i, const char *p, int n) {
    return sqlite3_bind_text(s, i, p, n, SQLITE_TRANSIENT);
}
static inline int cl_sqlite3_bind_blob_copy(sqlite3_stmt *s, int i, const void *p, int n) {
    return n == 0 ? sqlite3_bind_zeroblob(s, i, 0) : sqlite3_bind_blob(s, i, p, n, SQLITE_TRANSIENT);
}

// Binds one row in the canonical encoding of docs/storage-format.md to ?1…?n without copying: the caller keeps `row` alive until
// the statement is reset. Column `replaced` (1-based, 0 for none) gets the integer `with` in place of what the row has.
// One call per row in place of one per column: this is the hot path of every append.
static inline int cl_sqlite3_bind_row(sqlite3_stmt *s, const unsigned char *row, long n, int replaced, sqlite3_int64 with) {
    long at = 0;
    int column = 1, rc = SQLITE_OK;
    while (at < n && rc == SQLITE_OK) {
        unsigned char tag = row[at++];
        if (tag == 0) {
            rc = sqlite3_bind_null(s, column);
        } else if (tag == 1) {
            if (n - at < 8) return SQLITE_MISUSE;
            sqlite3_uint64 v = 0;
            for (int k = 0; k < 8; k++) v = v << 8 | row[at + k];
            at += 8;
            rc = sqlite3_bind_int64(s, column, (sqlite3_int64)v);
        } else {
            if (n - at < 4) return SQLITE_MISUSE;
            unsigned long length = (unsigned long)row[at] << 24 | row[at + 1] << 16 | row[at + 2] << 8 | row[at + 3];
            at += 4;
            if ((unsigned long)(n - at) < length) return SQLITE_MISUSE;
            if (column == replaced) rc = sqlite3_bind_int64(s, column, with);
            else if (tag == 2) rc = sqlite3_bind_text(s, column, (const char *)row + at, (int)length, SQLITE_STATIC);
            else rc = sqlite3_bind_blob(s, column, row + at, (int)length, SQLITE_STATIC);
            at += (long)length;
        }
        column++;
    }
    return rc;
}

// Writes the row that `s` stands on, columns 0…count-1, in the canonical encoding of docs/storage-format.md; column `replaced` (-1 for
// none) becomes a blob of the 16 bytes of `high` and `low`. Answers how many bytes the row has; more than `capacity` means that
// it was cut short and is to be asked for again with more room. One call a row: this is the hot path of every verification. The
// values are unprotected, which is allowed to the one thread that the connection belongs to.
static inline void cl_sqlite3_put_word(unsigned char *at, sqlite3_uint64 v) {
    for (int k = 0; k < 8; k++) at[k] = (unsigned char)(v >> (56 - 8 * k));
}
static inline long cl_sqlite3_read_row(
    sqlite3_stmt *s, int count, int replaced, sqlite3_uint64 high, sqlite3_uint64 low, unsigned char *row, long capacity) {
    long n = 0;
    for (int column = 0; column < count; column++) {
        sqlite3_value *value = sqlite3_column_value(s, column);
        int type = sqlite3_value_type(value);
        if (column != replaced && type == SQLITE_NULL) {
            if (n + 1 <= capacity) row[n] = 0;
            n += 1;
        } else if (column != replaced && type == SQLITE_INTEGER) {
            if (n + 9 <= capacity) {
                row[n] = 1;
                cl_sqlite3_put_word(row + n + 1, (sqlite3_uint64)sqlite3_value_int64(value));
            }
            n += 9;
        } else {
            const void *bytes = column == replaced ? 0 : sqlite3_value_blob(value);
            long length = column == replaced ? 16 : sqlite3_value_bytes(value);
            if (n + 5 + length <= capacity) {
                row[n] = column != replaced && type == SQLITE_TEXT ? 2 : 3;
                for (int k = 0; k < 4; k++) row[n + 1 + k] = (unsigned char)(length >> (24 - 8 * k));
                if (column == replaced) {
                    cl_sqlite3_put_word(row + n + 5, high);
                    cl_sqlite3_put_word(row + n + 13, low);
                } else if (length > 0) {
                    memcpy(row + n + 5, bytes, (size_t)length);
                }
            }
            n += 5 + length;
        }
    }
    return n;
}

// Fetches every column of the row and keeps none: what reading costs anybody. Answers the bytes of texts and blobs.
static inline long cl_sqlite3_touch_row(sqlite3_stmt *s, int count) {
    long n = 0;
    for (int column = 0; column < count; column++) {
        sqlite3_value *value = sqlite3_column_value(s, column);
        int type = sqlite3_value_type(value);
        if (type == SQLITE_INTEGER) {
            n += sqlite3_value_int64(value) & 1;
        } else if (type != SQLITE_NULL) {
            const unsigned char *bytes = sqlite3_value_blob(value);
            int length = sqlite3_value_bytes(value);
            n += length + (length > 0 ? bytes[length - 1] & 1 : 0);
        }
    }
    return n;
}

// The columns of the row that `s` stands on, in one call in place of two for each of them; bytes last until the next step. A double's bits
// are its integer. The values are unprotected, as above.
typedef struct {
    sqlite3_int64 integer;
    const unsigned char *bytes;
    int length;
    int type;
} cl_sqlite3_cell;
static inline void cl_sqlite3_fetch(sqlite3_stmt *s, int columns, cl_sqlite3_cell *cells) {
    for (int column = 0; column < columns; column++) {
        sqlite3_value *value = sqlite3_column_value(s, column);
        cl_sqlite3_cell *cell = cells + column;
        cell->type = sqlite3_value_type(value);
        if (cell->type == SQLITE_INTEGER) {
            cell->integer = sqlite3_value_int64(value);
        } else if (cell->type == SQLITE_FLOAT) {
            double number = sqlite3_value_double(value);
            memcpy(&cell->integer, &number, 8);
        } else if (cell->type != SQLITE_NULL) {
            cell->bytes = sqlite3_value_blob(value);
            cell->length = sqlite3_value_bytes(value);
        }
    }
}

// Binds one row of `rows`, as PackedRows.swift packs them: `columns` values, a tag and its content in this machine's order. Nothing is
// copied: text and blobs are bound where they lie. Answers where the next row begins, or minus the error.
static inline long cl_sqlite3_bind_next(sqlite3_stmt *s, const unsigned char *rows, long at, int columns) {
    int rc = SQLITE_OK;
    for (int column = 1; column <= columns && rc == SQLITE_OK; column++) {
        unsigned char tag = rows[at++];
        if (tag == 0) {
            rc = sqlite3_bind_null(s, column);
        } else if (tag == 1) {
            sqlite3_int64 value;
            memcpy(&value, rows + at, 8);
            at += 8;
            rc = sqlite3_bind_int64(s, column, value);
        } else if (tag == 4) {
            double value;
            memcpy(&value, rows + at, 8);
            at += 8;
            rc = sqlite3_bind_double(s, column, value);
        } else {
            unsigned int length;
            memcpy(&length, rows + at, 4);
            at += 4;
            if (tag == 2) rc = sqlite3_bind_text(s, column, (const char *)rows + at, (int)length, SQLITE_STATIC);
            else rc = sqlite3_bind_blob(s, column, rows + at, (int)length, SQLITE_STATIC);
            at += (long)length;
        }
    }
    return rc == SQLITE_OK ? at : -(long)rc;
}

// The values of one row, for a statement that is then stepped.
static inline int cl_sqlite3_bind_values(sqlite3_stmt *s, const unsigned char *row, int columns) {
    long at = cl_sqlite3_bind_next(s, row, 0, columns);
    return at < 0 ? (int)-at : SQLITE_OK;
}

// Runs a statement for row after row of `rows`: one call for thousands of rows in place of two for each of their columns.
static inline int cl_sqlite3_run_rows(sqlite3_stmt *s, const unsigned char *rows, long n, int columns) {
    long at = 0;
    int rc = SQLITE_OK;
    while (at < n) {
        at = cl_sqlite3_bind_next(s, rows, at, columns);
        if (at < 0) return (int)-at;
        rc = sqlite3_step(s);
        if (rc != SQLITE_DONE && rc != SQLITE_ROW) return rc;
        rc = sqlite3_reset(s);
        if (rc != SQLITE_OK) return rc;
    }
    sqlite3_clear_bindings(s);
    return SQLITE_OK;
}

// The sixteen bytes by which SQLite itself tells that another connection changed a database without a write-ahead log: the change
// counter and what follows it (https://sqlite.org/fileformat2.html). One call of the system in place of the nine that a read
// transaction takes. SQLITE_OK when they were read.
static inline int cl_sqlite3_file_version(sqlite3 *db, void *version) {
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_MISUSE;
    return file->pMethods->xRead(file, version, 16, 24);
}

// Packs columns 0…columns-1 of the row that `s` stands on as PackedRows.swift packs values. Answers how many bytes they take; more than
// `capacity` means that some were left out and all are to be asked for again with more room.
static inline long cl_sqlite3_pack_row(sqlite3_stmt *s, int columns, unsigned char *rows, long capacity) {
    long n = 0;
    for (int column = 0; column < columns; column++) {
        sqlite3_value *value = sqlite3_column_value(s, column);
        int type = sqlite3_value_type(value);
        if (type == SQLITE_NULL) {
            if (n + 1 <= capacity) rows[n] = 0;
            n += 1;
        } else if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
            if (n + 9 <= capacity) {
                rows[n] = type == SQLITE_INTEGER ? 1 : 4;
                if (type == SQLITE_INTEGER) {
                    sqlite3_int64 integer = sqlite3_value_int64(value);
                    memcpy(rows + n + 1, &integer, 8);
                } else {
                    double number = sqlite3_value_double(value);
                    memcpy(rows + n + 1, &number, 8);
                }
            }
            n += 9;
        } else {
            const void *bytes = sqlite3_value_blob(value);
            unsigned int length = (unsigned int)sqlite3_value_bytes(value);
            if (n + 5 + (long)length <= capacity) {
                rows[n] = type == SQLITE_TEXT ? 2 : 3;
                memcpy(rows + n + 1, &length, 4);
                if (length > 0) memcpy(rows + n + 5, bytes, length);
            }
            n += 5 + (long)length;
        }
    }
    return n;
}

// The length of the first `columns` values of a packed row.
static inline long cl_sqlite3_packed_length(const unsigned char *row, int columns) {
    long at = 0;
    for (int column = 0; column < columns; column++) {
        unsigned char tag = row[at++];
        if (tag == 1 || tag == 4) {
            at += 8;
        } else if (tag != 0) {
            unsigned int length;
            memcpy(&length, row + at, 4);
            at += 4 + (long)length;
        }
    }
    return at;
}

// How two packed rows are ordered by their first `columns` values, as SQLite orders keys of a STRICT table: whole numbers and doubles by
// value, text and blobs by their bytes. Two kinds in one column, or NULL, answer 0: no such key is in order.
static inline int cl_sqlite3_compare_packed(const unsigned char *a, const unsigned char *b, int columns) {
    for (int column = 0; column < columns; column++) {
        unsigned char tag = *a++;
        if (tag != *b++ || tag == 0) return 0;
        if (tag == 1) {
            sqlite3_int64 left, right;
            memcpy(&left, a, 8);
            memcpy(&right, b, 8);
            if (left != right) return left < right ? -1 : 1;
            a += 8, b += 8;
        } else if (tag == 4) {
            double left, right;
            memcpy(&left, a, 8);
            memcpy(&right, b, 8);
            if (left != right) return left < right ? -1 : 1;
            a += 8, b += 8;
        } else {
            unsigned int left, right;
            memcpy(&left, a, 4);
            memcpy(&right, b, 4);
            int order = memcmp(a + 4, b + 4, left < right ? left : right);
            if (order != 0) return order;
            if (left != right) return left < right ? -1 : 1;
            a += 4 + left, b += 4 + right;
        }
    }
    return 0;
}

// https://sqlite.org/fileformat2.html#varint: answers how many bytes were written, at most 9.
static inline int cl_sqlite3_put_varint(unsigned char *at, sqlite3_uint64 v) {
    if (v < 0x80) {
        at[0] = (unsigned char)v;
        return 1;
    }
    if (v >> 56) {
        at[8] = (unsigned char)v;
        v >>= 8;
        for (int k = 7; k >= 0; k--) {
            at[k] = (unsigned char)(v & 0x7f) | 0x80;
            v >>= 7;
        }
        return 9;
    }
    unsigned char digits[9];
    int n = 0;
    do {
        digits[n++] = (unsigned char)(v & 0x7f) | 0x80;
        v >>= 7;
    } while (v != 0);
    digits[0] &= 0x7f;
    for (int k = 0; k < n; k++) at[k] = digits[n - 1 - k];
    return n;
}

// Makes a record of SQLite's file format (https://sqlite.org/fileformat2.html#record_format) of the packed row at `row`, whose first
// value is the rowid where `has_rowid`: NULL stands in its place. Answers how long the record is; one longer than `capacity` was not
// written and is to be asked for again with more room. `columns` are at most 64; `next` is where the row behind this one begins.
static inline long cl_sqlite3_make_record(
    const unsigned char *row, int columns, int has_rowid, unsigned char *record, long capacity, sqlite3_int64 *rowid,
    const unsigned char **next) {
    const unsigned char *values[64];
    unsigned int lengths[64];
    unsigned char tags[64];
    unsigned char types[64 * 5];
    int header = 0;
    long body = 0;
    for (int column = 0; column < columns; column++) {
        unsigned char tag = *row++;
        tags[column] = tag;
        values[column] = row;
        lengths[column] = 0;
        if (tag == 0) {
            types[header++] = 0;
        } else if (tag == 1) {
            sqlite3_int64 value;
            memcpy(&value, row, 8);
            row += 8;
            if (column == 0 && has_rowid) {
                *rowid = value;
                types[header++] = 0;
                continue;
            }
            sqlite3_uint64 size = (sqlite3_uint64)(value < 0 ? ~value : value);
            if (size <= 0x7f) {
                lengths[column] = value == 0 || value == 1 ? 0 : 1;
                types[header++] = (unsigned char)(value == 0 ? 8 : value == 1 ? 9 : 1);
            } else {
                lengths[column] = size <= 0x7fff ? 2 : size <= 0x7fffff ? 3 : size <= 0x7fffffff ? 4 : size <= 0x7fffffffffff ? 6 : 8;
                types[header++] = (unsigned char)(lengths[column] <= 4 ? lengths[column] : lengths[column] == 6 ? 5 : 6);
            }
            body += lengths[column];
        } else if (tag == 4) {
            double value;
            memcpy(&value, row, 8);
            row += 8;
            // SQLite takes what is not a number for NULL
            lengths[column] = value == value ? 8 : 0;
            types[header++] = value == value ? 7 : 0;
            body += lengths[column];
        } else {
            memcpy(&lengths[column], row, 4);
            values[column] = row + 4;
            header += cl_sqlite3_put_varint(types + header, (sqlite3_uint64)lengths[column] * 2 + (tag == 2 ? 13 : 12));
            row += 4 + lengths[column];
            body += lengths[column];
        }
    }
    *next = row;
    // the header counts itself
    int whole = header + (header + 1 < 0x80 ? 1 : 2);
    if (whole + body > capacity) return whole + body;
    record += cl_sqlite3_put_varint(record, (sqlite3_uint64)whole);
    memcpy(record, types, (size_t)header);
    record += header;
    for (int column = 0; column < columns; column++) {
        unsigned int length = lengths[column];
        const unsigned char *value = values[column];
        if (tags[column] == 1 || tags[column] == 4) {
            // in this machine's order, which is least significant byte first
            for (unsigned int k = 0; k < length; k++) record[k] = value[length - 1 - k];
        } else {
            memcpy(record, value, length);
        }
        record += length;
    }
    return whole + body;
}

// A callback in C, so that Swift needs no escaping function pointer: keeps how many pages the write-ahead log holds after a commit.
static int cl_sqlite3_keep_wal_pages(void *pages, sqlite3 *db, const char *name, int count) {
    (void)db;
    (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}
static inline void cl_sqlite3_count_wal_pages(sqlite3 *db, int *pages) {
    sqlite3_wal_hook(db, cl_sqlite3_keep_wal_pages, pages);
}
#endif
