import CaptureLedger
import Foundation
import Synchronization
import Testing

/// A host with a ledger in a folder of its own, removed with it.
final class Kiosk: Sendable {
    let folder: URL
    let ledger: Ledger

    var path: URL { folder.appending(path: "my.ledger") }

    init(_ options: LedgerOptions = .init()) async throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "kiosk-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = Self.configurationFolder
        try await Ledger.create(at: folder.appending(path: "my.ledger"))
        ledger = try await Ledger.open(at: folder.appending(path: "my.ledger"), options: options)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Where `create` puts keys: not into the configuration of whoever runs the tests. One for all, since the environment is.
    private static let configurationFolder: URL = {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "kiosk-configuration-" + UUID().uuidString)
        unsafe setenv("XDG_CONFIG_HOME", folder.path, 1)
        return folder
    }()

    func close() async { await ledger.close() }

    /// A copy of a fixture that a capture may consume.
    func file(_ name: String) throws -> URL {
        let copy = folder.appending(path: UUID().uuidString + "-" + name)
        try FileManager.default.copyItem(at: Self.fixture(name), to: copy)
        return copy
    }

    static func fixture(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/" + name)
    }

    static func picture(of piece: Piece) -> String {
        switch piece {
        case .passportFront: "passport-front.jpg"
        case .passportBack: "passport-back.jpg"
        case .selfie: "selfie.jpg"
        case .hologram: "hologram.mp4"
        }
    }

    static func configuration(_ pieces: [Piece]) -> CaptureConfiguration {
        var configuration = CaptureConfiguration(pieces: pieces, flowTitle: "Check in", analyticsContext: "kiosk_7")
        configuration.checks = .off
        if pieces.contains(.hologram) { configuration.hologramCardType = .NEW_TC_ID }
        return configuration
    }
}

extension CaptureFlow {
    /// Captures and confirms.
    @discardableResult
    func take(_ piece: Piece) async throws -> CaptureResult {
        let receipt = try await capture(
            piece, file: Kiosk.fixture(Kiosk.picture(of: piece)), source: .camera, consumingFile: false)
        guard case .captured(let result) = receipt.outcome else { throw Unexpected("\(piece) was refused") }
        try await confirm(piece)
        return result
    }

    /// The first state that fits; fails when the states end without one.
    func first(_ fits: (FlowState) -> Bool) async throws -> FlowState {
        for await state in states where fits(state) { return state }
        throw Unexpected("the states ended")
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Collects what callbacks say and hands it over in order.
final class Told<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(of: Value.self) }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        continuation.yield(value)
    }

    var all: [Value] { values.withLock { $0 } }

    /// Waits until there are that many; for one waiter at a time.
    func wait(for count: Int) async throws -> [Value] {
        var seen = values.withLock { $0.count }
        var iterator = stream.makeAsyncIterator()
        while seen < count {
            guard await iterator.next() != nil else { throw Unexpected("nothing more comes") }
            seen = values.withLock { $0.count }
        }
        return all
    }
}
