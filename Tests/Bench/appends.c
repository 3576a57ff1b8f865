// Appends by one, by many who share commits, and by several processes.
#include "bench.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void database_path(char path[1024], const char *folder) { snprintf(path, 1024, "%s/plain.sqlite", folder); }

typedef struct {
    int next, pass;
} Place;

static void append_batch(Writer *writer, const Sample *sample, Place *place, int batch) {
    begin(writer);
    for (int i = 0; i < batch; i++) {
        append(writer, place->next, place->pass);
        if (++place->next == sample->event_count) place->next = 0, place->pass++;
    }
    commit(writer);
}

int measure_append(
    const Sample *sample, const char *schema, const char *folder, Omissions omissions, int batch, double seconds) {
    char path[1024];
    database_path(path, folder);
    Writer *writer = open_writer(path, true, schema, sample, omissions, 0);
    Place place = {0};
    // a short start that is not counted, as the product's
    for (double end = now() + 0.1; now() < end;) append_batch(writer, sample, &place, batch);
    long commits = 0;
    double begun = now(), end = begun + seconds, used = processor();
    do {
        append_batch(writer, sample, &place, batch);
        commits++;
    } while (now() < end);
    double took = now() - begun;
    used = processor() - used;
    printf("{\"events_per_second\": %.1f, \"commits_per_second\": %.1f, \"seconds\": %.3f, \"cpu_us_per_event\": %.3f}\n",
        (double)commits * batch / took, (double)commits / took, took, used * 1e6 / ((double)commits * batch));
    close_writer(writer);
    remove_database(path);
    return 0;
}

// Group commit as simple as it gets: a writer takes all that wait, appends them, commits, and wakes them.
typedef struct Request {
    int event, pass;
    bool is_done;
    pthread_cond_t done;
    struct Request *next;
} Request;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static Request *waiting, *last_waiting;
static bool is_over;
static long group_commits;

static void *write_groups(void *argument) {
    Writer *writer = argument;
    while (true) {
        pthread_mutex_lock(&mutex);
        while (!waiting && !is_over) pthread_cond_wait(&arrived, &mutex);
        Request *group = waiting;
        waiting = last_waiting = 0;
        pthread_mutex_unlock(&mutex);
        if (!group) return 0;
        begin(writer);
        for (Request *request = group; request; request = request->next) append(writer, request->event, request->pass);
        commit(writer);
        group_commits++;
        pthread_mutex_lock(&mutex);
        while (group) {
            Request *next = group->next;
            group->is_done = true;
            pthread_cond_signal(&group->done);
            group = next;
        }
        pthread_mutex_unlock(&mutex);
    }
}

typedef struct {
    const Sample *sample;
    int number, clients;
    double end;
    double *waits;
    long count, capacity;
} Client;

static void *send(void *argument) {
    Client *client = argument;
    Request request = {.done = PTHREAD_COND_INITIALIZER};
    for (int pass = 0;; pass++) {
        for (int s = client->number; s < client->sample->session_count; s += client->clients) {
            const Session *session = &client->sample->sessions[s];
            for (int i = 0; i < session->count; i++) {
                double begun = now();
                if (begun >= client->end || client->count == client->capacity) return 0;
                request.event = session->events[i];
                request.pass = pass;
                request.is_done = false;
                request.next = 0;
                pthread_mutex_lock(&mutex);
                if (last_waiting) last_waiting->next = &request;
                else waiting = &request;
                last_waiting = &request;
                pthread_cond_signal(&arrived);
                while (!request.is_done) pthread_cond_wait(&request.done, &mutex);
                pthread_mutex_unlock(&mutex);
                client->waits[client->count++] = now() - begun;
            }
        }
    }
}

int measure_group(const Sample *sample, const char *schema, const char *folder, int clients, double seconds) {
    char path[1024];
    database_path(path, folder);
    Writer *writer = open_writer(path, true, schema, sample, (Omissions){0}, 0);
    pthread_t writing, *threads = calloc((size_t)clients, sizeof *threads);
    Client *all = calloc((size_t)clients, sizeof *all);
    pthread_create(&writing, 0, write_groups, writer);
    double begun = now(), used = processor();
    for (int i = 0; i < clients; i++) {
        all[i] = (Client){.sample = sample, .number = i, .clients = clients, .end = begun + seconds, .capacity = 1 << 20};
        all[i].waits = malloc(sizeof(double) << 20);
        pthread_create(&threads[i], 0, send, &all[i]);
    }
    long events = 0;
    for (int i = 0; i < clients; i++) {
        pthread_join(threads[i], 0);
        events += all[i].count;
    }
    double took = now() - begun;
    used = processor() - used;
    pthread_mutex_lock(&mutex);
    is_over = true;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&mutex);
    pthread_join(writing, 0);
    double *waits = malloc(sizeof(double) * (size_t)events);
    long at = 0;
    for (int i = 0; i < clients; i++) {
        memcpy(waits + at, all[i].waits, sizeof(double) * (size_t)all[i].count);
        at += all[i].count;
    }
    sort(waits, events);
    printf("{\"clients\": %d, \"events_per_second\": %.1f, \"events_per_commit\": %.2f, \"ack_p50_us\": %.0f, "
           "\"ack_p99_us\": %.0f, \"ack_max_us\": %.0f, \"cpu_us_per_event\": %.3f}\n",
        clients, (double)events / took, (double)events / (double)group_commits, quantile(waits, events, 0.5) * 1e6,
        quantile(waits, events, 0.99) * 1e6, quantile(waits, events, 1) * 1e6, used * 1e6 / (double)events);
    close_writer(writer);
    remove_database(path);
    return 0;
}

int measure_contention(const Sample *sample, const char *schema, const char *folder, int processes, int events) {
    char path[1024];
    database_path(path, folder);
    close_writer(open_writer(path, true, schema, sample, (Omissions){0}, 0));
    size_t bytes = sizeof(double) * (size_t)processes * (size_t)events;
    double *waits = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (waits == MAP_FAILED) return 1;
    double begun = now();
    for (int p = 0; p < processes; p++) {
        if (fork() != 0) continue;
        Writer *writer = open_writer(path, false, schema, sample, (Omissions){0}, p + 1);
        for (int i = 0, pass = 0, next = 0; i < events; i++) {
            double start = now();
            begin(writer);
            append(writer, next, pass);
            commit(writer);
            waits[p * events + i] = now() - start;
            if (++next == sample->event_count) next = 0, pass++;
        }
        close_writer(writer);
        _exit(0);
    }
    int failed = 0, status;
    while (wait(&status) > 0) failed += status != 0;
    double took = now() - begun;
    long count = (long)processes * events;
    sqlite3 *database = open_reader(path, schema);
    sqlite3_stmt *stored = prepare(database, "SELECT count(*) FROM event");
    check(sqlite3_step(stored), database, SQLITE_ROW, "events");
    long lost = count - (long)sqlite3_column_int64(stored, 0);
    sqlite3_finalize(stored);
    sqlite3_close(database);
    sort(waits, count);
    printf("{\"processes\": %d, \"events\": %ld, \"events_per_second\": %.1f, \"failed_processes\": %d, \"lost\": %ld, "
           "\"ack_p50_us\": %.0f, \"ack_p99_us\": %.0f, \"ack_max_us\": %.0f}\n",
        processes, count, (double)count / took, failed, lost, quantile(waits, count, 0.5) * 1e6,
        quantile(waits, count, 0.99) * 1e6, quantile(waits, count, 1) * 1e6);
    remove_database(path);
    return failed != 0;
}
