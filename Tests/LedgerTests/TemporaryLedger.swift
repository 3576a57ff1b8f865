import SessionDomain
import SystemCalls
import Testing

@testable import CaptureLedger

/// A ledger in a folder of its own, removed with it.
final class TemporaryLedger: Sendable {
    let folder: String
    let ledger: Ledger

    var path: String { folder + "/my.ledger" }

    init(settings extra: String? = nil, clock: LedgerClock = .system, judge: (any CaptureJudge)? = nil) throws {
        folder = try FileSystem.makeTemporaryFolder()
        var options = CreateOptions(configurationFolder: folder + "/config")
        options.clock = clock
        _ = try Ledger.create(folder: folder + "/my.ledger", options: options)
        var open = LedgerOptions()
        open.clock = clock
        open.judge = judge
        ledger = try Ledger.open(folder: folder + "/my.ledger", options: open)
    }

    deinit {
        ledger.closeAndWait()
        try? removeTree(folder)
    }

    func reopened() throws -> Ledger { try Ledger.open(folder: path) }
}

func removeTree(_ path: String) throws {
    let status = try FileStatus.of(path)
    guard status?.kind == .folder else {
        _ = try FileSystem.remove(path)
        return
    }
    for name in try FileDescriptor(opening: path, .folder).names() { try removeTree(path + "/" + name) }
    try FileSystem.removeFolder(path)
}

/// The picture or video of this name in `Fixtures`.
func fixture(_ name: String) -> String {
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return here.dropLast(3).joined(separator: "/") + "/Fixtures/" + name
}

func configuration(_ pieces: [Piece]) -> CaptureConfiguration {
    var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Check in", analyticsContext: "kiosk_7")
    configuration.checks = .off
    if pieces.contains(.hologram) { configuration.hologramCardType = .NEW_TC_ID }
    return configuration
}

func commandID(_ text: String) throws -> CommandID { try #require(CommandID(text)) }

/// The paths of all files under a folder; none when it is not there.
func tree(_ path: String) throws -> [String] {
    guard let status = try FileStatus.of(path) else { return [] }
    guard status.kind == .folder else { return [path] }
    return try FileDescriptor(opening: path, .folder).names().sorted().flatMap { try tree(path + "/" + $0) }
}
