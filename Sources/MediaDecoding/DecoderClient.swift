package import MediaChecks
import Synchronization
import SystemCalls

/// Decodes by processes of the decoder's program: one for each picture or video, never used for a second one.
package final class DecoderClient: PictureDecoder {
    package let program: DecoderProgram
    package let limits: DecodingLimits
    private let keepsSpare: Bool
    private let spare = Mutex<DecoderProcess?>(nil)
    private let places: ProcessPlaces

    /// - Parameter keepsSpare: whether a locked-down decoder waits for the next picture, so that its start costs no time. It is
    ///   started when a picture is closed, or by ``warmUp()``, and takes about 30 MB.
    package init(program: DecoderProgram, limits: DecodingLimits = .standard, keepsSpare: Bool = true) {
        self.program = program
        self.limits = limits
        self.keepsSpare = keepsSpare
        places = ProcessPlaces(count: limits.processes)
    }

    /// Starts the spare, and does not wait for it. Nothing happens where one is there, or where it cannot be started: the picture
    /// that comes will say so.
    package func warmUp() {
        guard keepsSpare else { return }
        spare.withLock { spare in
            if spare == nil { spare = try? DecoderProcess(program, .picture) }
        }
    }

    package func picture(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenPicture {
        guard Int64(media.storedWidth) * Int64(media.storedHeight) <= limits.maxPixels || media.type == .pdf else {
            throw .tooLarge("size")
        }
        let place = try places.take(deadline: deadline(limits.pictureMilliseconds + limits.startMilliseconds))
        let process = try start(DecoderProcess.Role(media.type))
        do throws(DecodingRefusal) {
            let picture = DecoderPicture(process, media, limits)
            try picture.open(source, media)
            picture.whenClosed { [self] in
                place.leave()
                warmUp()
            }
            return picture
        } catch {
            process.close()
            place.leave()
            warmUp()
            throw error
        }
    }

    package func video(_ source: any ByteSource, _ media: SniffedMedia) throws(DecodingRefusal) -> any OpenVideo {
        let place = try places.take(deadline: deadline(limits.videoMilliseconds + limits.startMilliseconds))
        let process = try start(.video)
        let video = DecoderVideo(process, source, media, limits)
        video.whenClosed { place.leave() }
        try video.open()
        return video
    }

    /// A decoder that has locked itself down and has seen nothing. A spare that died while it waited says nothing about anybody's
    /// picture: another one is started.
    private func start(_ role: DecoderProcess.Role) throws(DecodingRefusal) -> DecoderProcess {
        if role == .picture, let waiting = takeSpare() {
            do throws(DecodingRefusal) {
                try waiting.waitUntilReady(deadline: deadline(limits.startMilliseconds))
                return waiting
            } catch {}
        }
        let process: DecoderProcess
        do throws(SystemError) { process = try DecoderProcess(program, role) } catch { throw .unavailable(error.code.rawValue) }
        try process.waitUntilReady(deadline: deadline(limits.startMilliseconds))
        return process
    }

    private func takeSpare() -> DecoderProcess? {
        spare.withLock { spare in
            defer { spare = nil }
            return spare
        }
    }

    /// Starts one, and says what holds in it.
    ///
    /// - Throws: `unavailable` with the reason.
    package func protection() throws(DecodingRefusal) -> DecoderProtection {
        let process = try start(.picture)
        return DecoderProtection(landlock: process.landlock)
    }
}

/// What a decoder of this machine is held by. Limits and seccomp always hold: without them it does not start.
package struct DecoderProtection: Sendable, Hashable {
    /// Version of Landlock in force; 0 where the kernel lacks it.
    package let landlock: Int

    /// For the operator; nil when nothing is missing.
    package var missing: String? {
        landlock > 0
            ? nil : "Landlock is not in this kernel (Linux 5.13 or newer with it enabled): seccomp and limits hold alone."
    }
}

func deadline(_ milliseconds: Int64) -> Int64 { SystemClock.monotonicNanoseconds() + milliseconds * 1_000_000 }
