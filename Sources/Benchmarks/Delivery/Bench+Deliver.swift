package import CaptureLedger
import LocalHTTP
import SystemCalls

extension Bench {
    package struct DeliverExtent: Sendable {
        package var pieces = 1000
        package var pieceBytes = 1_000_000
        /// Requests under way at one time, on both sides.
        package var inFlight = 16
        package var rounds = 3

        package init() {}
    }

    /// Delivers pieces over loopback, and lets `curl` post the same bytes from plain files to the same endpoint.
    ///
    /// Both sides are processes of their own that begin and end within the time that is taken; they take turns at being first.
    ///
    /// - Parameters:
    ///   - product: the path of this program.
    ///   - folder: where ledgers and files are made and removed at the end: twice the bytes of every round.
    /// - Throws: what making or writing a ledger throws; `cannot_create`; `bench_failed` when a side did not deliver all.
    package static func deliver(
        _ extent: DeliverExtent = DeliverExtent(), product: String, folder: String
    ) throws(LedgerError) -> DeliverComparison {
        let bytes = Int64(extent.pieces) * Int64(extent.pieceBytes)
        var figures = DeliverComparison(
            pieces: extent.pieces, pieceBytes: extent.pieceBytes, inFlight: extent.inFlight, rounds: extent.rounds,
            product: DeliverFigures(bytes: bytes), reference: DeliverFigures(bytes: bytes))
        let server = try endpoint()
        defer { server.stop() }
        // Kept until the end: a file system looks for room in vain where much was removed a moment ago.
        var scratches: [ScratchFolder] = []
        defer { scratches.removeAll() }
        for round in 0..<extent.rounds {
            let scratch = try ScratchFolder(in: folder)
            scratches.append(scratch)
            let files = try pictures(extent, round, in: scratch)
            let list = try curlArguments(files, to: server.port, in: scratch)
            let ledger = try DeliverLedger(in: scratch, server.port, inFlight: extent.inFlight)
            try ledger.capture(files)
            synchronizeDisks()
            let product = { () throws(LedgerError) in
                try figures.product.add(
                    try MeasuredRun.of(
                        product, ["--ledger", ledger.folder, "--json", "--log", "error", "sync"], server,
                        requests: extent.pieces))
            }
            let reference = { () throws(LedgerError) in
                try figures.reference.add(
                    try MeasuredRun.of(
                        "/usr/bin/env",
                        [
                            "curl", "--silent", "--no-progress-meter", "--show-error", "--fail", "--parallel", "--parallel-max",
                            String(extent.inFlight), "--config", list,
                        ], server, requests: extent.pieces))
            }
            if round.isMultiple(of: 2) {
                try reference()
                try product()
            } else {
                try product()
                try reference()
            }
        }
        return figures
    }

    private static func pictures(
        _ extent: DeliverExtent, _ round: Int, in scratch: ScratchFolder
    ) throws(LedgerError) -> [String] {
        var files: [String] = []
        for number in 0..<extent.pieces {
            let file = "\(scratch.path)/piece-\(number).png"
            let picture = BenchMedia.picture(bytes: extent.pieceBytes, number: round * extent.pieces + number)
            try called { () throws(SystemError) in try FileDescriptor(opening: file, .createNew).write(picture) }
            files.append(file)
        }
        return files
    }

    /// One request a file, in the form of the contract, as curl's own configuration.
    private static func curlArguments(
        _ files: [String], to port: UInt16, in scratch: ScratchFolder
    ) throws(LedgerError) -> String {
        var text = ""
        for (number, file) in files.enumerated() {
            let digits = String(number)
            let capture = "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
            text += number == 0 ? "" : "next\n"
            text += "url = \"http://127.0.0.1:\(port)/verifier\"\nheader = \"Expect:\"\noutput = \"/dev/null\"\n"
            text += "form = \"metadata={\\\"schema\\\":1,\\\"capture_id\\\":\\\"\(capture)\\\"};type=application/json\"\n"
            text += "form = \"media=@\(file);type=image/png\"\n"
        }
        let list = scratch.path + "/curl.conf"
        try called { () throws(SystemError) in try FileDescriptor(opening: list, .createNew).write(Array(text.utf8)) }
        return list
    }
}

extension DeliverFigures {
    mutating func add(_ run: MeasuredRun) throws(LedgerError) {
        seconds.append(run.seconds)
        processorSeconds.append(run.used.processorSeconds)
        peakResidentKibibytes = max(peakResidentKibibytes, run.peakResidentKibibytes)
        connections = max(connections, run.connections)
    }
}
