extension FrameScan {
    /// Frames of a video are looked at in this size at most.
    private static let frameSide = 1_280

    /// Scans a video from its beginning until a frame is captured.
    ///
    /// - Throws: as ``look(at:number:timeMilliseconds:)``; `undecodable` where the video breaks off.
    package mutating func scan(_ video: any OpenVideo) throws(CheckFault) {
        var time: Int64 = 0
        var number = 0
        while captured == nil {
            let frame: VideoFrame?
            do throws(DecodingRefusal) {
                frame = try video.frame(atMilliseconds: time, .within(Self.frameSide))
            } catch { throw CheckFault(error) }
            guard let frame else { return }
            try look(at: FramePicture(frame.image), number: number, timeMilliseconds: frame.timeMilliseconds)
            number += 1
            // a file may say any time: the next one is later all the same, and never so late that it overflows
            time = max(time, frame.timeMilliseconds) + interval
        }
    }
}
