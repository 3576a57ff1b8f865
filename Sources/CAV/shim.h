#ifndef CAV_SHIM_H
#define CAV_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libswscale/swscale.h>

// Macros.
static inline int cav_end(void) { return AVERROR_EOF; }
static inline int cav_again(void) { return AVERROR(EAGAIN); }
static inline int cav_no_memory(void) { return AVERROR(ENOMEM); }
static inline int64_t cav_no_time(void) { return AV_NOPTS_VALUE; }
static inline int64_t cav_milliseconds(int64_t time, AVRational base) {
    return av_rescale_q(time, base, (AVRational){1, 1000});
}
static inline int64_t cav_duration_milliseconds(const AVFormatContext *format) {
    return format->duration == AV_NOPTS_VALUE ? -1 : format->duration / (AV_TIME_BASE / 1000);
}

// The picture's own matrix from YCbCr to RGB where it names one; else that of its size: HD or not. Full range comes out.
static inline int cav_set_colours(struct SwsContext *scaler, const AVFrame *frame) {
    int matrix;
    switch (frame->colorspace) {
    case AVCOL_SPC_BT709: matrix = SWS_CS_ITU709; break;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M: matrix = SWS_CS_ITU601; break;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL: matrix = SWS_CS_BT2020; break;
    default: matrix = frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
    }
    return sws_setColorspaceDetails(
        scaler, sws_getCoefficients(matrix), frame->color_range == AVCOL_RANGE_JPEG, sws_getCoefficients(SWS_CS_DEFAULT), 1, 0,
        1 << 16, 1 << 16);
}

// Arrays of a fixed size, which Swift imports as tuples.
static inline int cav_scale(struct SwsContext *scaler, const AVFrame *frame, uint8_t *rows, int row_bytes) {
    uint8_t *planes[4] = {rows, NULL, NULL, NULL};
    int strides[4] = {row_bytes, 0, 0, 0};
    return sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
}
static inline AVStream *cav_stream(const AVFormatContext *format, int index) { return format->streams[index]; }

#endif
