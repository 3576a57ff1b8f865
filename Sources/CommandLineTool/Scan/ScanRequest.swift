import CaptureLedger
import MediaChecks
import SessionDomain
import SystemCalls

/// What a scan is asked for.
struct ScanRequest: Sendable {
    let path: String
    let piece: Piece
    let policy: CheckPolicy
    let tools: CheckTools
    let limits: MediaLimits
    /// From one picture of a folder to the next.
    let interval: Int64
    let out: String?
    let annotated: String?

    init(_ invocation: Invocation) throws {
        path = invocation[0]
        guard let named = invocation.text("piece"), let piece = Piece(rawValue: named) else {
            throw Complaint.usage(
                "scan needs to know what is scanned.",
                remedy: "Add --piece \(Verb.scanned.map(\.rawValue).joined(separator: "|")).")
        }
        self.piece = piece
        let bench = try CheckBench(invocation)
        (tools, limits) = (bench.tools, bench.limits)
        policy = try tools.policy()
        interval = try invocation.integer("interval", in: 1...600_000) ?? 300
        out = invocation.text("out")
        annotated = invocation.text("annotate")
    }

    /// Looks at the frames. Blocks while it does.
    func outcome() throws(Complaint) -> ScanOutcome {
        let tools = ScanTools(tools, policy)
        defer { tools.close() }
        guard let status = try status() else {
            throw Complaint(
                "no_such_file", "There is no folder or file of that name.", remedy: "Look at its spelling.", exit: .notFound)
        }
        // pixels are kept only for a picture to draw on, and of a video, whose frames lie nowhere else
        let isFolder = status.kind == .folder
        let side = annotated == nil && (isFolder || out == nil) ? nil : 1_600
        guard var scan = FrameScan(piece, tools.pipeline, warmsUp: !isFolder, longestSide: side) else {
            throw Complaint.usage("The hologram is no scan.", remedy: "Check its video with capture-ledger check.")
        }
        let frames =
            isFolder
            ? try FolderFrames(path, piece, limits).scan(&scan, tools.decoder, interval: interval)
            : try VideoFrames(path, limits).scan(&scan, tools.decoder)
        return ScanOutcome(scan, frames, policy: policy.identity)
    }

    private func status() throws(Complaint) -> FileStatus? {
        do throws(SystemError) { return try FileStatus.of(path) } catch { throw Complaint(reading: error) }
    }
}

/// How many frames there were, and what they are called.
struct ScannedFrames: Sendable {
    var count = 0
    /// Files that are no frames, such as a text.
    var ignored = 0
    /// Of a folder's pictures, by number; nil: a video.
    var names: [String]?
}
