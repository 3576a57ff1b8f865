package import CaptureLedger
import LocalHTTP
import SystemCalls

extension Bench {
    /// Delivers one hologram video over loopback, and lets `curl` post a plain file with the same bytes on the wire.
    ///
    /// - Parameter megabytes: of the video, in 1,000,000 bytes.
    /// - Throws: as `deliver`.
    package static func deliverVideo(
        megabytes: Int = 500, rounds: Int = 3, product: String, folder: String
    ) throws(LedgerError) -> DeliverComparison {
        let bytes = megabytes * 1_000_000
        var figures = DeliverComparison(
            pieces: 1, pieceBytes: bytes, inFlight: 1, rounds: rounds, product: DeliverFigures(bytes: Int64(bytes)),
            reference: DeliverFigures(bytes: Int64(bytes)))
        let server = try endpoint()
        defer { server.stop() }
        // Kept until the end: a file system looks for room in vain where much was removed a moment ago.
        var scratches: [ScratchFolder] = []
        defer { scratches.removeAll() }
        for _ in 0..<rounds {
            let scratch = try ScratchFolder(in: folder)
            scratches.append(scratch)
            let (video, request) = try movie(bytes: bytes, in: scratch)
            let ledger = try DeliverLedger(in: scratch, server.port, inFlight: 1)
            try ledger.captureVideo(video)
            synchronizeDisks()
            try figures.reference.add(
                try MeasuredRun.of(
                    "/usr/bin/env",
                    [
                        "curl", "--silent", "--show-error", "--fail", "--request", "POST", "--header", "Expect:", "--header",
                        "Content-Type: application/json", "--output", "/dev/null", "--upload-file", request,
                        "http://127.0.0.1:\(server.port)/hologram",
                    ], server, requests: 1))
            try figures.product.add(
                try MeasuredRun.of(
                    product, ["--ledger", ledger.folder, "--json", "--log", "error", "sync"], server, requests: 1))
        }
        return figures
    }

    /// The video, and a file of as many bytes as the request's body, in which the video is base64.
    private static func movie(
        bytes: Int, in scratch: ScratchFolder
    ) throws(LedgerError) -> (video: String, request: String) {
        let (video, request) = (scratch.path + "/video.mp4", scratch.path + "/request.json")
        let head = BenchMedia.movieHead(noiseBytes: 0).count
        let noise = bytes - head
        try called { () throws(SystemError) in
            var random = Noise(state: 7)
            let piece = 1 << 20
            let file = try FileDescriptor(opening: video, .createNew)
            try file.write(BenchMedia.movieHead(noiseBytes: Int64(noise)))
            for start in stride(from: 0, to: noise, by: piece) { try file.write(random.bytes(min(piece, noise - start))) }
            let text = try FileDescriptor(opening: request, .createNew)
            let letters = [UInt8](repeating: UInt8(ascii: "A"), count: piece)
            let length = (bytes + 2) / 3 * 4
            for start in stride(from: 0, to: length, by: piece) {
                try text.write(letters.span.extracting(0..<min(piece, length - start)))
            }
        }
        return (video, request)
    }
}
