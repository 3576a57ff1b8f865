import DeliveryMachine
import SessionDomain
import Sync
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger
@testable import CaptureLedgerSync

/// A ledger in a folder of its own whose destinations are what a test writes, removed with it.
final class Site {
    let folder: String
    private(set) var ledger: Ledger
    private let clock: LedgerClock

    var path: String { folder + "/my.ledger" }

    /// - Parameter destinations: the members of `destinations` in the settings; `SECRETS` stands for this site's folder.
    init(_ destinations: String = "", clock: LedgerClock = .system) throws {
        folder = try FileSystem.makeTemporaryFolder()
        self.clock = clock
        var create = CreateOptions(configurationFolder: folder + "/config")
        create.clock = clock
        _ = try Ledger.create(folder: folder + "/my.ledger", options: create)
        ledger = try Self.open(folder + "/my.ledger", clock)
        try change(destinations)
    }

    deinit {
        ledger.closeAndWait()
        _ = try? ChildProcess.run(path: "/bin/rm", arguments: ["rm", "-rf", folder], limitMilliseconds: 10_000, outputLimit: 0)
    }

    static func open(_ path: String, _ clock: LedgerClock = .system) throws -> Ledger {
        var options = LedgerOptions()
        options.clock = clock
        return try Ledger.open(folder: path, options: options)
    }

    /// Writes other settings and opens the ledger with them.
    func change(_ destinations: String) throws {
        ledger.closeAndWait()
        let text = """
            { master_key: "\(folder)/config/\(try keyName())",
            destinations: { \(destinations.split(separator: "SECRETS", omittingEmptySubsequences: false).joined(separator: folder)) } }
            """
        try write(text, to: "my.ledger/capture-ledger.json5")
        ledger = try Self.open(path, clock)
    }

    private func keyName() throws -> String {
        let key = try #require(ledger.settings.masterKey)
        guard case .file(let file) = key else { throw ServerProgram.Broken(reason: "no key file") }
        return String(file.dropFirst((folder + "/config/").count))
    }

    /// - Returns: its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
        let path = folder + "/" + name
        _ = try FileSystem.remove(path)
        let file = try FileDescriptor(opening: path, .createNew, mode: 0o600)
        try file.write(Array(text.utf8))
        if mode != 0o600 {
            _ = try ChildProcess.run(
                path: "/bin/chmod", arguments: ["chmod", String(mode, radix: 8), path], limitMilliseconds: 5_000, outputLimit: 0
            )
        }
        return path
    }

    func authority() throws -> SettingsAuthority { SettingsAuthority(ledger, destinations: ledger.destinations()) }

    func destination(_ name: String = "verifier") throws -> Destination {
        try #require(ledger.destinations().first { $0.name.text == name })
    }

    /// The header fields of a request as a run would send them.
    func headers(_ authority: SettingsAuthority, _ request: TransferRequest? = nil) throws -> [Header] {
        let destination = try destination()
        return try authority.headers(
            for: request
                ?? TransferRequest(
                    token: Claims.verifier(1).id, method: .get, url: destination.url, headers: [], body: nil,
                    settings: destination.transfer), to: destination)
    }

    func token(_ authority: SettingsAuthority) throws -> String? {
        try headers(authority).last(named: "authorization").map { String($0.dropFirst("Bearer ".count)) }
    }

    /// A session with one confirmed selfie.
    @discardableResult
    func capture() throws -> SessionID {
        let here = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        var configuration = CaptureConfiguration(pieces: [.selfie], flowTitle: "Check in", analyticsContext: "kiosk_7")
        configuration.checks = .off
        let session = try ledger.start(StartRequest(configuration: configuration)).session
        let file = try #require(
            FileDescriptor(opening: here + "/Fixtures", .folder).names().sorted().first { $0.hasSuffix(".jpg") })
        _ = try ledger.capture(
            CaptureRequest(session: session, piece: .selfie, path: here + "/Fixtures/" + file, source: .camera))
        _ = try ledger.confirm(.selfie, in: session, CommandOptions())
        return session
    }
}
