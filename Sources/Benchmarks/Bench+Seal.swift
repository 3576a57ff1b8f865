package import CaptureLedger
import Cryptography
package import SessionDomain
import SystemCalls
import Vault

/// How fast bytes are sealed, and how long the destruction of one key takes.
package struct SealFigures: Sendable {
    package var megabytes = 0
    /// In memory: AES-256-GCM in chunks, nothing else.
    package var bytesPerSecond = 0.0
    /// The same by the time that the processor was given.
    package var bytesPerProcessorSecond = 0.0
    /// As captured media are: objects of 1 MB with both digests, each durable under its name.
    package var durableBytesPerSecond = 0.0
    /// Of one key, durably, among so many.
    package var destructions: [(keys: Int, p50Nanoseconds: UInt64)] = []

    package var json: JSONValue {
        let destroyed = destructions.map { entry -> JSONValue in
            .members([
                .init("keys", .integer(Int64(entry.keys))),
                .init("p50_us", .rounded(Double(entry.p50Nanoseconds) / 1000, to: 10)),
            ])
        }
        return .members([
            .init("megabytes", .integer(Int64(megabytes))), .init("bytes_per_second", .rounded(bytesPerSecond, to: 1)),
            .init("bytes_per_cpu_second", .rounded(bytesPerProcessorSecond, to: 1)),
            .init("durable_bytes_per_second", .rounded(durableBytesPerSecond, to: 1)),
            .init("destroy_key", .array(destroyed)),
        ])
    }
}

extension Bench {
    private static let objectBytes = 1_000_000
    private static let destroyedKeys = 31

    /// - Parameters:
    ///   - megabytes: sealed in memory; an eighth of it durably, in objects of 1 MB.
    ///   - keys: how many there are when a key is destroyed, ascending.
    package static func seal(
        megabytes: Int, keys: [Int] = [1_000, 50_000], folder: String
    ) async throws(LedgerError) -> SealFigures {
        try await withLedger(in: folder) { (ledger) throws(LedgerError) in
            var figures = SealFigures()
            figures.megabytes = megabytes
            (figures.bytesPerSecond, figures.bytesPerProcessorSecond) = try sealInMemory(bytes: megabytes * objectBytes)
            let vault = try ledger.keys
            try ledger.withWriterLock { () throws(LedgerError) in
                try unsealed { () throws(VaultError) in try vault.ensureMinted(through: 1) }
            }
            figures.durableBytesPerSecond = try sealObjects(max(1, megabytes / 8), vault)
            var next: Int64 = 2
            for count in keys {
                let waits = try destroy(&next, among: count, ledger, vault).sorted()
                figures.destructions.append((count, waits[waits.count / 2]))
            }
            return figures
        }
    }

    /// - Returns: bytes a second, by the clock and by the processor's time.
    static func sealInMemory(bytes total: Int) throws(LedgerError) -> (Double, Double) {
        guard let key = SecretKey(copying: SecureRandom.bytes(SecretKey.byteCount)) else { return (0, 0) }
        let sealer = StreamSealer(
            key: key, salt: SecureRandom.bytes(StreamLayout.saltByteCount), info: Array("capture-ledger bench".utf8))
        let plain = [UInt8](repeating: UInt8(ascii: "x"), count: 256 << 10)
        var (done, sealed) = (0, 0)
        let (began, used) = (SystemClock.monotonicNanoseconds(), SystemClock.processorNanoseconds())
        do throws(CryptographyError) {
            while done < total {
                var taken = 0
                while taken < plain.count {
                    if sealer.isFull { sealer.drain { sealed += $0.count } }
                    taken += try sealer.append(plain.span.extracting(taken..<plain.count))
                }
                done += taken
            }
        } catch {
            throw LedgerError(code: .init(rawValue: "bench_failed"), message: error.message, remedy: "Seal less.")
        }
        sink(Int64(sealed))
        return (Double(done) / seconds(since: began), Double(done) * 1e9 / Double(SystemClock.processorNanoseconds() - used))
    }

    private static func sealObjects(_ count: Int, _ vault: Vault) throws(LedgerError) -> Double {
        let plain = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let key = try unsealed { () throws(VaultError) in try vault.sessionKey(1) }
        let began = SystemClock.monotonicNanoseconds()
        for _ in 0..<count {
            let words = SecureRandom.words()
            try unsealed { () throws(VaultError) in
                let writer = try vault.write(.media, ObjectID(high: words.0, low: words.1), key: key)
                var left = objectBytes
                while left > 0 {
                    try writer.append(plain.span.extracting(0..<min(left, plain.count)))
                    left -= min(left, plain.count)
                }
                _ = try writer.finish()
            }
        }
        return Double(count * objectBytes) / seconds(since: began)
    }

    private static func destroy(
        _ next: inout Int64, among count: Int, _ ledger: Ledger, _ vault: Vault
    ) throws(LedgerError) -> [UInt64] {
        var waits: [UInt64] = []
        let first = next
        next += Int64(destroyedKeys)
        let numbers = first..<next
        try ledger.withWriterLock { () throws(LedgerError) in
            try unsealed { () throws(VaultError) in
                try vault.ensureMinted(through: Int64(count))
                for number in numbers {
                    let began = SystemClock.monotonicNanoseconds()
                    _ = try vault.destroy(number, atMilliseconds: SystemClock.realtimeMilliseconds())
                    waits.append(UInt64(SystemClock.monotonicNanoseconds() - began))
                }
            }
        }
        return waits
    }

    private static func unsealed<Value: ~Copyable>(_ body: () throws(VaultError) -> Value) throws(LedgerError) -> Value {
        do { return try body() } catch {
            throw LedgerError(code: .init(rawValue: error.code.rawValue), message: error.message, remedy: error.remedy)
        }
    }
}
