// usage: bench SCHEMA MEASUREMENT …, printed as one JSON object; `make bench` calls it, or by hand:
//   append SAMPLE FOLDER BATCH SECONDS [bare | no-chain | no-projections]
//   group SAMPLE FOLDER CLIENTS SECONDS
//   contention SAMPLE FOLDER PROCESSES EVENTS
//   verify LEDGER PASSES | rebuild LEDGER FOLDER PASSES
//   read LEDGER PASSES | session LEDGER LOADS | seal FOLDER MEGABYTES | sync FOLDER SECONDS | version
// SAMPLE and LEDGER are ledgers' folders; FOLDER lies on the disk to measure.
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double processor(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort(double *values, long count) { qsort(values, (size_t)count, sizeof *values, compare); }

double quantile(double *sorted, long count, double fraction) {
    long rank = (long)(fraction * (double)count);
    return count ? sorted[rank < count ? rank : count - 1] : 0;
}

int main(int count, char **words) {
    if (count < 3) return 2;
    const char *schema = words[1], *what = words[2];
    if (!strcmp(what, "version")) {
        printf("{\"sqlite\": \"%s\", \"openssl\": \"%s\"}\n", sqlite3_libversion(), OpenSSL_version(OPENSSL_VERSION));
        return 0;
    }
    if (!strcmp(what, "append") && count >= 7) {
        Omissions omissions = {0};
        for (int i = 7; i < count; i++) {
            omissions.bare |= !strcmp(words[i], "bare");
            omissions.without_chain |= !strcmp(words[i], "no-chain");
            omissions.without_projections |= !strcmp(words[i], "no-projections");
        }
        Sample sample = load_sample(words[3]);
        return measure_append(&sample, schema, words[4], omissions, atoi(words[5]), atof(words[6]));
    }
    if (!strcmp(what, "group") && count == 7) {
        Sample sample = load_sample(words[3]);
        return measure_group(&sample, schema, words[4], atoi(words[5]), atof(words[6]));
    }
    if (!strcmp(what, "contention") && count == 7) {
        Sample sample = load_sample(words[3]);
        return measure_contention(&sample, schema, words[4], atoi(words[5]), atoi(words[6]));
    }
    if (!strcmp(what, "read") && count == 5) return measure_read(words[3], schema, atoi(words[4]));
    if (!strcmp(what, "verify") && count == 5) return measure_verify(words[3], schema, atoi(words[4]));
    if (!strcmp(what, "rebuild") && count == 6) return measure_rebuild(words[3], schema, words[4], atoi(words[5]));
    if (!strcmp(what, "session") && count == 5) return measure_session(words[3], schema, atoi(words[4]));
    if (!strcmp(what, "seal") && count == 5) return measure_seal(words[3], atoi(words[4]));
    if (!strcmp(what, "sync") && count == 5) return measure_sync(words[3], atof(words[4]));
    fprintf(stderr, "bench: what is %s? See the head of main.c.\n", what);
    return 2;
}
