import Benchmarks
import SessionDomain
import SystemCalls

extension Verb {
    static let benchDeliver = Verb(
        path: ["bench", "deliver"], summary: "Measure sync over loopback beside curl with the same bytes from plain files.",
        options: [
            .value("pieces", "N", "pieces of one round (1000)"),
            .value("kilobytes", "N", "of one piece, 1,000 bytes each (1000)"),
            .value("in-flight", "N", "requests under way at once, on both sides (16)"),
            .value("video-megabytes", "N", "then one hologram video of so many 1,000,000 bytes (500; 0: none)"),
            .value("rounds", "N", "rounds of each side (3)"),
            .value("folder", "DIR", "on the disk to measure (the working folder); nothing is left there"),
        ],
        examples: ["capture-ledger bench deliver --rounds 5 --json"], exits: [.cannotCreate, .inputOutput],
        run: { invocation, console in
            var extent = Bench.DeliverExtent()
            extent.pieces = Int(try invocation.integer("pieces", in: 1...1_000_000) ?? 1000)
            extent.pieceBytes = 1000 * Int(try invocation.integer("kilobytes", in: 1...60_000) ?? 1000)
            extent.inFlight = Int(try invocation.integer("in-flight", in: 1...256) ?? 16)
            extent.rounds = Int(try invocation.integer("rounds", in: 1...1000) ?? 3)
            let megabytes = Int(try invocation.integer("video-megabytes", in: 0...4000) ?? 500)
            let folder = FileSystem.absolute(invocation.text("folder") ?? ".")
            let product = try FileSystem.ownProgram()
            let pieces = try Bench.deliver(extent, product: product, folder: folder)
            let video =
                megabytes == 0
                ? nil
                : try Bench.deliverVideo(megabytes: megabytes, rounds: extent.rounds, product: product, folder: folder)
            try console.result(
                .members(
                    [.init("pieces", pieces.json)] + (video.map { [.init("video", $0.json)] } ?? [])),
                pieces.words("\(pieces.pieces) pieces of \(pieces.pieceBytes / 1000) kB, \(pieces.inFlight) at once")
                    + (video.map { "\n" + $0.words("one video of \($0.pieceBytes / 1_000_000) MB") } ?? ""))
            return .done
        })
}

extension DeliverComparison {
    fileprivate func words(_ what: String) -> String {
        let heading = ["", "MB/s", "seconds", "processor s", "most memory", "connections"]
        return what + "\n" + Words.table([heading, product.row("sync"), reference.row("curl")])
            + "\nsync reaches \(hundredths(ratio)) of curl's rate (\(hundredths(ratios.min() ?? 0)) to "
            + "\(hundredths(ratios.max() ?? 0)) over \(ratios.count) rounds)."
    }
}

extension DeliverFigures {
    fileprivate func row(_ name: String) -> [String] {
        [
            name, String(Int((bytesPerSecond / 1e6).rounded())),
            "\(hundredths(seconds.min() ?? 0)) to \(hundredths(seconds.max() ?? 0))",
            hundredths(processorSeconds.reduce(0, +) / Double(max(1, processorSeconds.count))),
            Words.bytes(Int64(peakResidentKibibytes) << 10), String(connections),
        ]
    }
}

private func hundredths(_ value: Double) -> String { String((value * 100).rounded() / 100) }
