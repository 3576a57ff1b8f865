import CaptureLedger
import Glibc
import SessionDomain
import SystemCalls
import Vault

/// A destination's OAuth2 token between runs and between processes: one sealed file, and a lock under which it is renewed.
struct TokenCache {
    struct Token: Sendable, Hashable {
        var text: String
        /// Of the settings and the client's secret that it was got with: others get another token.
        var origin: String
        /// What the token endpoint said, from the moment the request for it began.
        var lifetimeMilliseconds: Int64
        var obtainedAtMilliseconds: Int64
        /// The same moment on the clock that counts sleep and cannot be set, and the start of the machine that it counts from.
        var obtainedAtBoottimeMilliseconds: Int64
        var bootID: String

        /// For people and metrics; whether it still counts is `remainingMilliseconds`'s to say.
        var expiresAtMilliseconds: Int64 { obtainedAtMilliseconds + lifetimeMilliseconds }

        /// nil after a restart of the machine: nothing trustworthy says how long it was off.
        var remainingMilliseconds: Int64? {
            guard bootID == TokenCache.bootID else { return nil }
            return lifetimeMilliseconds - (SystemClock.boottimeNanoseconds() / 1_000_000 - obtainedAtBoottimeMilliseconds)
        }
    }

    /// Longer than a token request may take, so that who waits sees how it ended.
    static let waitLimitMilliseconds: Int64 = 45_000

    private let ledger: Ledger
    private let folder: String
    private let name: String

    init(_ ledger: Ledger, destination: String) {
        self.ledger = ledger
        folder = ledger.files.folder + "/credentials"
        name = destination
    }

    /// nil when there is none, or none that was got with the same settings and secret.
    func token(origin: String) -> Token? { anyToken().flatMap { $0.origin == origin ? $0 : nil } }

    func anyToken() -> Token? {
        guard let vault = ledger.vault,
            let sealed = try? FileDescriptor(opening: path(".token"), .read).readToEnd(limit: 64 << 10),
            let plain = try? vault.openLedgerSecret(sealed, purpose: purpose), let json = try? JSONValue.parse(plain)
        else { return nil }
        guard let text = json["token"]?.asString, let origin = json["origin"]?.asString,
            let lifetime = json["lifetime_ms"]?.asInteger, let obtained = json["obtained_at_ms"]?.asInteger,
            let boottime = json["obtained_at_boottime_ms"]?.asInteger, let boot = json["boot_id"]?.asString
        else { return nil }
        return Token(
            text: text, origin: origin, lifetimeMilliseconds: lifetime, obtainedAtMilliseconds: obtained,
            obtainedAtBoottimeMilliseconds: boottime, bootID: boot)
    }

    /// The caller holds the lock.
    func store(_ token: Token) throws(SystemError) {
        guard let vault = ledger.vault else { return }
        let json = JSONValue.members([
            .init("token", .string(token.text)), .init("origin", .string(token.origin)),
            .init("lifetime_ms", .integer(token.lifetimeMilliseconds)),
            .init("obtained_at_ms", .integer(token.obtainedAtMilliseconds)),
            .init("obtained_at_boottime_ms", .integer(token.obtainedAtBoottimeMilliseconds)),
            .init("boot_id", .string(token.bootID)),
        ])
        let access = try FileAccess.matching(folder: ledger.files.folder)
        _ = try FileSystem.remove(path(".new"))
        let file = try FileDescriptor(opening: path(".new"), .createNew, mode: access.fileMode)
        try access.apply(to: file, mode: access.fileMode)
        try file.write(vault.sealLedgerSecret(json.canonicalBytes, purpose: purpose))
        try FileSystem.rename(path(".new"), to: path(".token"))
    }

    /// The right to renew the token; nil when another process held it for longer than a renewal takes, or once it is over.
    func lock(isOver: () -> Bool = { false }) throws(SystemError) -> FileLock? {
        let access = try FileAccess.matching(folder: ledger.files.folder)
        try FileSystem.makeFolder(folder, access: access)
        let deadline = SystemClock.monotonicNanoseconds() + Self.waitLimitMilliseconds * 1_000_000
        while true {
            if let lock = try FileLock(tryingAt: path(".lock"), access: access) { return lock }
            if SystemClock.monotonicNanoseconds() > deadline || isOver() { return nil }
            usleep(20_000)
        }
    }

    private var purpose: String { "oauth token of " + name }

    private func path(_ suffix: String) -> String { folder + "/" + name + suffix }

    /// Empty where the kernel does not say.
    static let bootID = SystemClock.bootIdentifier() ?? ""
}
