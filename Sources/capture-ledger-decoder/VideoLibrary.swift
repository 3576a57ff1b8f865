import CAV

/// libavformat, libavcodec and libswscale. They are linked, and what they hold needs no file.
enum VideoLibrary {
    static func load() -> Bool {
        av_log_set_level(AV_LOG_QUIET)
        return true
    }
}
