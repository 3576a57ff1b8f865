#ifndef CVIPS_SHIM_H
#define CVIPS_SHIM_H

#include <gmodule.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

// Every operation of libvips is variadic. 0, or -1 with a text in vips_error_buffer(); *out is the caller's.

// Lazily: pixels are read from top to bottom when they are asked for.
#define CV_LAZILY "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on

static inline int cv_load_jpeg(const void *bytes, size_t count, int shrink, VipsFailOn fail_on, VipsImage **out) {
    return vips_jpegload_buffer((void *)bytes, count, out, "shrink", shrink, CV_LAZILY, NULL);
}
static inline int cv_load_png(const void *bytes, size_t count, VipsFailOn fail_on, VipsImage **out) {
    return vips_pngload_buffer((void *)bytes, count, out, CV_LAZILY, NULL);
}
static inline int cv_load_webp(const void *bytes, size_t count, VipsFailOn fail_on, VipsImage **out) {
    return vips_webpload_buffer((void *)bytes, count, out, CV_LAZILY, NULL);
}
static inline int cv_load_heic(const void *bytes, size_t count, VipsFailOn fail_on, VipsImage **out) {
    return vips_heifload_buffer((void *)bytes, count, out, CV_LAZILY, NULL);
}
static inline int cv_load_pdf(const void *bytes, size_t count, double dots_an_inch, VipsFailOn fail_on, VipsImage **out) {
    return vips_pdfload_buffer((void *)bytes, count, out, "dpi", dots_an_inch, CV_LAZILY, NULL);
}

static inline int cv_crop(VipsImage *in, VipsImage **out, int x, int y, int width, int height) {
    return vips_extract_area(in, out, x, y, width, height, NULL);
}
// What vips_resize 8.14 makes larger lies half a pixel to the right and below of where it belongs. It is left to make things smaller;
// vips_affine makes them larger, from pixel middle to pixel middle.
static inline int cv_resize(VipsImage *in, VipsImage **out, int width, int height) {
    double across = (double)width / in->Xsize, down = (double)height / in->Ysize;
    VipsImage *smaller = NULL;
    if (vips_resize(in, &smaller, across < 1 ? across : 1, "vscale", down < 1 ? down : 1, NULL))
        return -1;
    if (across <= 1 && down <= 1) {
        *out = smaller;
        return 0;
    }
    VipsInterpolate *cubic = vips_interpolate_new("bicubic");
    VipsArrayInt *area = vips_array_int_newv(4, 0, 0, width, height);
    int code = cubic == NULL ? -1
                             : vips_affine(smaller, out, across > 1 ? across : 1, 0.0, 0.0, down > 1 ? down : 1, "interpolate",
                                           cubic, "oarea", area, "idx", 0.5, "idy", 0.5, "odx", -0.5, "ody", -0.5, "extend",
                                           VIPS_EXTEND_COPY, NULL);
    vips_area_unref(VIPS_AREA(area));
    if (cubic != NULL)
        g_object_unref(cubic);
    g_object_unref(smaller);
    return code;
}
static inline int cv_flatten(VipsImage *in, VipsImage **out, double grey) {
    VipsArrayDouble *background = vips_array_double_newv(1, grey);
    int code = vips_flatten(in, out, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return code;
}
static inline int cv_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}
static inline int cv_to_grey(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_B_W, NULL);
}
static inline int cv_to_bytes(VipsImage *in, VipsImage **out) { return vips_cast_uchar(in, out, NULL); }
// By the profile in the picture, or else by the one of that name.
static inline int cv_transform(VipsImage *in, VipsImage **out, const char *otherwise) {
    return otherwise != NULL ? vips_icc_transform(in, out, "srgb", "embedded", TRUE, "input_profile", otherwise, NULL)
                             : vips_icc_transform(in, out, "srgb", "embedded", TRUE, NULL);
}
static inline int cv_rotate(VipsImage *in, VipsImage **out, VipsAngle angle) { return vips_rot(in, out, angle, NULL); }
static inline int cv_flip(VipsImage *in, VipsImage **out) { return vips_flip(in, out, VIPS_DIRECTION_HORIZONTAL, NULL); }
static inline int cv_save_jpeg(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_jpegsave_buffer(in, bytes, count, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

// Macros.
static inline int cv_init(const char *name) { return VIPS_INIT(name); }
static inline void cv_unref(VipsImage *image) { g_object_unref(image); }
static inline int cv_has_loader(const char *name) { return g_type_from_name(name) != 0; }
static inline int cv_has_profile(VipsImage *image) { return vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0; }

// Whether the profile in the picture calls itself sRGB, near its beginning.
static inline int cv_profile_is_srgb(VipsImage *image) {
    static const char name[] = "sRGB IEC61966-2.1";
    const void *profile;
    size_t count;
    if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &count) != 0) return 0;
    for (size_t i = 0; i + sizeof(name) - 1 <= count && i < 65536; i++)
        if (memcmp((const char *)profile + i, name, sizeof(name) - 1) == 0) return 1;
    return 0;
}

// Lets a module of libvips register its loaders; it stays. 0 where there is none.
static inline int cv_open_module(const char *path) { return g_module_open(path, G_MODULE_BIND_LAZY) != NULL; }

// Nothing a library has to say reaches standard error.
static inline void cv_ignore_message(const gchar *domain, GLogLevelFlags level, const gchar *text, gpointer data) {}
static inline void cv_silence(void) { g_log_set_default_handler(cv_ignore_message, NULL); }

#endif
