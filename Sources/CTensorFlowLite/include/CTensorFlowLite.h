#ifndef CAPTURE_LEDGER_TENSORFLOW_LITE_H
#define CAPTURE_LEDGER_TENSORFLOW_LITE_H

#include <stddef.h>
#include <stdint.h>

// What models are run with of TensorFlow Lite's C interface, version 2.17: tensorflow/lite/core/c/c_api.h and
// tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h. The library is looked up at run time, so neither header nor library
// is needed to build. Every handle is opaque. A status of 0 is success, a type of 1 is float32.
#pragma clang assume_nonnull begin

typedef struct cl_tflite_model cl_tflite_model;
typedef struct cl_tflite_options cl_tflite_options;
typedef struct cl_tflite_delegate cl_tflite_delegate;
typedef struct cl_tflite_interpreter cl_tflite_interpreter;
typedef struct cl_tflite_tensor cl_tflite_tensor;

typedef struct cl_tflite {
    const char *_Nonnull (*_Nonnull version)(void);
    void (*_Nonnull delete_model)(cl_tflite_model *_Nonnull);
    cl_tflite_options *_Nullable (*_Nonnull create_options)(void);
    void (*_Nonnull delete_options)(cl_tflite_options *_Nonnull);
    void (*_Nonnull set_threads)(cl_tflite_options *_Nonnull, int32_t count);
    void (*_Nonnull add_delegate)(cl_tflite_options *_Nonnull, cl_tflite_delegate *_Nonnull);
    void (*_Nonnull delete_delegate)(cl_tflite_delegate *_Nonnull);
    cl_tflite_interpreter *_Nullable (*_Nonnull create)(cl_tflite_model *_Nonnull, cl_tflite_options *_Nonnull);
    void (*_Nonnull destroy)(cl_tflite_interpreter *_Nonnull);
    int32_t (*_Nonnull allocate)(cl_tflite_interpreter *_Nonnull);
    int32_t (*_Nonnull invoke)(cl_tflite_interpreter *_Nonnull);
    int32_t (*_Nonnull input_count)(const cl_tflite_interpreter *_Nonnull);
    int32_t (*_Nonnull output_count)(const cl_tflite_interpreter *_Nonnull);
    cl_tflite_tensor *_Nullable (*_Nonnull input)(const cl_tflite_interpreter *_Nonnull, int32_t index);
    const cl_tflite_tensor *_Nullable (*_Nonnull output)(const cl_tflite_interpreter *_Nonnull, int32_t index);
    int32_t (*_Nonnull type)(const cl_tflite_tensor *_Nonnull);
    int32_t (*_Nonnull rank)(const cl_tflite_tensor *_Nonnull);
    int32_t (*_Nonnull dimension)(const cl_tflite_tensor *_Nonnull, int32_t index);
    size_t (*_Nonnull byte_count)(const cl_tflite_tensor *_Nonnull);
    int32_t (*_Nonnull copy_in)(cl_tflite_tensor *_Nonnull, const void *_Nonnull bytes, size_t count);
    int32_t (*_Nonnull copy_out)(const cl_tflite_tensor *_Nonnull, void *_Nonnull bytes, size_t count);
} cl_tflite;

/// Loads the library, for ever: its threads may outlive every model. Null with a sentence in `problem`.
const cl_tflite *_Nullable cl_tflite_open(const char *path, char *problem, size_t capacity);

/// What the library reported, in place of standard error: the first message.
typedef struct cl_tflite_report {
    char text[200];
} cl_tflite_report;

// Messages come as a va_list, which Swift cannot take. A report must outlive what was made with it.

/// The bytes must outlive the model; the file's structure is verified.
cl_tflite_model *_Nullable cl_tflite_create_model(const cl_tflite *, const void *bytes, size_t count, cl_tflite_report *);
void cl_tflite_report_to(const cl_tflite *, cl_tflite_options *, cl_tflite_report *);

/// The delegate that runs float models on this processor's vector units. Its default options come as a structure by value,
/// of another size in every version.
cl_tflite_delegate *_Nullable cl_tflite_create_xnnpack(const cl_tflite *, int32_t threads);

#pragma clang assume_nonnull end

#endif
