#define _GNU_SOURCE
#include "CTensorFlowLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void reporter(void *, const char *, va_list);

// Of which only the first field is known; larger than in any version, so that the callee, which fills it through the hidden
// pointer of a structure returned in memory, stays inside.
struct delegate_options {
    int32_t threads;
    char rest[508];
};

// The table that Swift sees, and what only this file calls.
struct library {
    cl_tflite calls;
    cl_tflite_model *(*create_model)(const void *, size_t, reporter *, void *);
    void (*report_to)(cl_tflite_options *, reporter *, void *);
    struct delegate_options (*delegate_defaults)(void);
    cl_tflite_delegate *(*create_delegate)(const struct delegate_options *);
};

const cl_tflite *cl_tflite_open(const char *path, char *problem, size_t capacity) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, capacity, "%s", dlerror());
        return NULL;
    }
    struct library *library = calloc(1, sizeof *library);
    if (!library) abort();
    const struct {
        const char *name;
        void *target;
    } symbols[] = {
        {"TfLiteVersion", &library->calls.version},
        {"TfLiteModelCreateWithErrorReporter", &library->create_model},
        {"TfLiteModelDelete", &library->calls.delete_model},
        {"TfLiteInterpreterOptionsCreate", &library->calls.create_options},
        {"TfLiteInterpreterOptionsDelete", &library->calls.delete_options},
        {"TfLiteInterpreterOptionsSetNumThreads", &library->calls.set_threads},
        {"TfLiteInterpreterOptionsSetErrorReporter", &library->report_to},
        {"TfLiteInterpreterOptionsAddDelegate", &library->calls.add_delegate},
        {"TfLiteXNNPackDelegateOptionsDefault", &library->delegate_defaults},
        {"TfLiteXNNPackDelegateCreate", &library->create_delegate},
        {"TfLiteXNNPackDelegateDelete", &library->calls.delete_delegate},
        {"TfLiteInterpreterCreate", &library->calls.create},
        {"TfLiteInterpreterDelete", &library->calls.destroy},
        {"TfLiteInterpreterAllocateTensors", &library->calls.allocate},
        {"TfLiteInterpreterInvoke", &library->calls.invoke},
        {"TfLiteInterpreterGetInputTensorCount", &library->calls.input_count},
        {"TfLiteInterpreterGetOutputTensorCount", &library->calls.output_count},
        {"TfLiteInterpreterGetInputTensor", &library->calls.input},
        {"TfLiteInterpreterGetOutputTensor", &library->calls.output},
        {"TfLiteTensorType", &library->calls.type},
        {"TfLiteTensorNumDims", &library->calls.rank},
        {"TfLiteTensorDim", &library->calls.dimension},
        {"TfLiteTensorByteSize", &library->calls.byte_count},
        {"TfLiteTensorCopyFromBuffer", &library->calls.copy_in},
        {"TfLiteTensorCopyToBuffer", &library->calls.copy_out},
    };
    for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
        void *found = dlsym(handle, symbols[index].name);
        if (!found) {
            snprintf(problem, capacity, "it has no %s", symbols[index].name);
            free(library);
            dlclose(handle);
            return NULL;
        }
        memcpy(symbols[index].target, &found, sizeof found);
    }
    return &library->calls;
}

static void keep_first(void *target, const char *format, va_list values) {
    cl_tflite_report *report = target;
    if (report->text[0] == 0) vsnprintf(report->text, sizeof report->text, format, values);
}

cl_tflite_model *cl_tflite_create_model(const cl_tflite *calls, const void *bytes, size_t count, cl_tflite_report *report) {
    return ((const struct library *)calls)->create_model(bytes, count, keep_first, report);
}

void cl_tflite_report_to(const cl_tflite *calls, cl_tflite_options *options, cl_tflite_report *report) {
    ((const struct library *)calls)->report_to(options, keep_first, report);
}

// The library announces its first delegate on standard error, in a program whose silence means that all is well. Nothing but
// that line goes to C's stderr meanwhile: this program writes to the descriptor.
static pthread_mutex_t announcing = PTHREAD_MUTEX_INITIALIZER;
static int announced;

cl_tflite_delegate *cl_tflite_create_xnnpack(const cl_tflite *calls, int32_t threads) {
    const struct library *library = (const struct library *)calls;
    struct delegate_options options = library->delegate_defaults();
    options.threads = threads;
    pthread_mutex_lock(&announcing);
    FILE *usual = stderr;
    FILE *nowhere = announced ? NULL : fopen("/dev/null", "we");
    if (nowhere) stderr = nowhere;
    cl_tflite_delegate *delegate = library->create_delegate(&options);
    stderr = usual;
    if (nowhere) fclose(nowhere);
    announced = 1;
    pthread_mutex_unlock(&announcing);
    return delegate;
}
