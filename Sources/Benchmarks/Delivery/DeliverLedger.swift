import CaptureLedger
import Dispatch
import SessionDomain
import Synchronization
import SystemCalls

/// A ledger whose destinations are the benchmark's endpoint.
struct DeliverLedger {
    private static let piecesPerSession: [Piece] = [.passportFront, .passportBack, .selfie]

    let folder: String

    init(in scratch: ScratchFolder, _ port: UInt16, inFlight: Int) throws(LedgerError) {
        folder = scratch.path + "/bench.ledger"
        _ = try Ledger.create(folder: folder, options: CreateOptions(configurationFolder: scratch.path + "/config"))
        let settings = folder + "/" + Settings.fileName
        let destinations = ["verifier", "hologram"].map {
            "\($0): { url: \"http://127.0.0.1:\(port)/\($0)\", kind: \"\($0)\", in_flight_limit: \(inFlight) },"
        }
        try called { () throws(SystemError) in
            let text = String(
                decoding: try FileDescriptor(opening: settings, .read).readToEnd(limit: 1 << 20), as: UTF8.self)
            _ = try FileSystem.remove(settings)
            try FileDescriptor(opening: settings, .createNew).write(
                Array(
                    text.replacing("destinations: {", with: "destinations: { " + destinations.joined(separator: " ")).utf8))
        }
    }

    /// Every file as a confirmed capture, eight sessions at a time.
    func capture(_ files: [String]) throws(LedgerError) {
        let ledger = try Ledger.open(folder: folder)
        defer { ledger.closeAndWait() }
        let size = Self.piecesPerSession.count
        let failure = Mutex<LedgerError?>(nil)
        DispatchQueue.concurrentPerform(iterations: (files.count + size - 1) / size) { index in
            do throws(LedgerError) {
                let own = files[(index * size)..<min(files.count, (index + 1) * size)]
                let session = try Self.start(ledger, Array(Self.piecesPerSession.prefix(own.count)))
                for (piece, file) in zip(Self.piecesPerSession, own) {
                    var request = CaptureRequest(session: session, piece: piece, path: file, source: .camera)
                    request.confirm = true
                    _ = try ledger.capture(request)
                }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    func captureVideo(_ file: String) throws(LedgerError) {
        let ledger = try Ledger.open(folder: folder)
        defer { ledger.closeAndWait() }
        let session = try Self.start(ledger, [.hologram])
        _ = try ledger.startHologram(session, CommandOptions())
        var request = CaptureRequest(session: session, piece: .hologram, path: file, source: .camera)
        request.confirm = true
        _ = try ledger.capture(request)
    }

    private static func start(_ ledger: Ledger, _ pieces: [Piece]) throws(LedgerError) -> SessionID {
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Benchmark", analyticsContext: "bench")
        configuration.checks = .off
        var request = StartRequest(configuration: configuration)
        if pieces.contains(.hologram) {
            request.configuration.hologramCardType = .NEW_TC_ID
            request.transactionID = "bench"
        }
        return try ledger.start(request).session
    }
}
