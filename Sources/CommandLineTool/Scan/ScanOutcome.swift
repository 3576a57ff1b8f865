import MediaChecks
import SessionDomain
import SystemCalls

/// What a scan came to.
struct ScanOutcome: Sendable {
    let captured: FrameScan.Seen?
    /// What is reported: of the captured frame, or of the last one that was looked at.
    let seen: FrameScan.Seen?
    let frames: ScannedFrames
    let lookedAt: Int
    let unreadable: Int
    /// In the order of their names.
    let guidance: [(hint: LiveScanHint, count: Int)]
    let policy: String

    init(_ scan: FrameScan, _ frames: ScannedFrames, policy: String) {
        captured = scan.captured
        seen = scan.captured ?? scan.last
        self.frames = frames
        lookedAt = scan.lookedAt
        unreadable = scan.unreadable
        guidance = scan.guidance.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
        self.policy = policy
    }

    /// Writes the captured frame and the annotated one, as far as they were asked for.
    func write(_ request: ScanRequest) throws(Complaint) {
        if let path = request.out, let captured {
            if let name = name(captured) {
                try Self.copy(request.path + "/" + name, to: path)
            } else if let image = captured.image {
                try Self.write(PNGFile.bytes(of: image), to: path)
            }
        }
        if let path = request.annotated, let seen, let image = seen.image {
            try Self.write(PNGFile.bytes(of: Annotation.draw(report: seen.report, on: image)), to: path)
        }
    }

    private func name(_ seen: FrameScan.Seen) -> String? { frames.names?[seen.number] }

    /// Byte for byte; what is there is not written over.
    private static func copy(_ path: String, to newPath: String) throws(Complaint) {
        do throws(SystemError) {
            let source = try FileDescriptor(readingFile: path)
            let target = try FileDescriptor(opening: newPath, .createNew)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                var span = buffer.mutableSpan
                let count = try source.read(into: &span)
                if count == 0 { return }
                try target.write(buffer.span.extracting(0..<count))
            }
        } catch { throw Complaint(writing: error) }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(Complaint) {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, .createNew)
            try file.write(bytes)
        } catch { throw Complaint(writing: error) }
    }
}

extension ScanOutcome {
    var json: JSONValue {
        let object: JSONValue = [
            "captured": .bool(captured != nil), "frame": captured.map(frame) ?? .null,
            "failure": captured == nil ? .text(seen?.report.failure?.rawValue) : .null,
            "findings": (seen?.report.findings ?? []).json,
            "detections": .array((seen?.report.detections ?? []).map(\.json)), "frames": .whole(frames.count),
            "looked_at": .whole(lookedAt), "unreadable": .whole(unreadable),
            "guidance": .members(guidance.map { .init($0.hint.rawValue, .whole($0.count)) }),
            "policy_version": .string(policy),
        ]
        return object.adding("ignored_files", frames.names == nil ? nil : .whole(frames.ignored))
            .adding("last_frame", captured == nil ? seen.map(frame) : nil)
    }

    private func frame(_ seen: FrameScan.Seen) -> JSONValue {
        let frame: JSONValue = ["number": .whole(seen.number), "time_ms": .integer(seen.timeMilliseconds)]
        return frame.adding("file", name(seen).map { .string($0) })
    }

    func words(_ piece: Piece) -> String {
        var lines: [String] = []
        if let captured {
            let file = name(captured).map { " (\($0))" } ?? ""
            lines.append("Captured frame \(captured.number)\(file), \(Self.seconds(captured)) into the scan.")
        } else {
            let failure = seen?.report.failure.map { " At the end: \($0.text.user) \($0.text.remedy)" } ?? ""
            lines.append("Nothing was captured.\(failure)")
        }
        if let seen { lines.append(seen.report.findings.words(piece)) }
        var counts = "\(Words.count(frames.count, "frame")), \(lookedAt) looked at"
        if unreadable > 0 { counts += ", \(unreadable) unreadable" }
        if frames.ignored > 0 { counts += ", \(Words.count(frames.ignored, "other file")) left alone" }
        lines.append(counts + ".")
        if !guidance.isEmpty {
            lines.append(
                "Told: " + guidance.map { "\(Words.plain($0.hint.rawValue)) \($0.count)×" }.joined(separator: ", ") + ".")
        }
        return lines.joined(separator: "\n")
    }

    private static func seconds(_ seen: FrameScan.Seen) -> String {
        let tenths = (seen.timeMilliseconds + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
