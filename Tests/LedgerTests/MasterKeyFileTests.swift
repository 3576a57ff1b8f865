import Audit
import Foundation
import Testing
import Vault

@testable import CaptureLedger

@Suite struct MasterKeyFileTests {
    @Test func `F30 every flipped bit of the master key's file is named, or leaves the key as it was`() throws {
        let temporary = try TemporaryLedger()
        _ = try temporary.ledger.start(StartRequest(configuration: configuration([.selfie])))
        temporary.ledger.closeAndWait()
        guard case .file(let path) = temporary.ledger.settings.masterKey else { throw LedgerError.closed }
        let content = try Data(contentsOf: URL(filePath: path))
        try #require(content.count == 65)
        var (named, harmless) = ([String: Int](), 0)
        for (offset, byte) in content.enumerated() {
            for bit in 0..<8 {
                let flipped = byte ^ 1 << bit
                var other = content
                other[offset] = flipped
                try other.write(to: URL(filePath: path))
                let report = try read(temporary.path).verify()
                if let problem = report.problems.first {
                    #expect(report.problems.map(\.code) == [.keyUnreadable])
                    named[problem.message, default: 0] += 1
                } else {
                    harmless += 1
                    // the same digit of the same number, as a capital letter
                    #expect(digit(flipped) == digit(byte) && digit(byte) ?? 0 > 9, "byte \(offset) became \(flipped)")
                }
            }
        }
        try content.write(to: URL(filePath: path))
        #expect(harmless == content.count { digit($0) ?? 0 > 9 })
        #expect(named.count == 2 && named.values.reduce(0, +) == 65 * 8 - harmless, "\(named)")
        #expect(try read(temporary.path).verify().isSound)
        print("\(65 * 8) flips of the master key's file: \(named), \(harmless) wrote a digit as a capital letter")
    }

    private func read(_ path: String) throws -> Ledger {
        var options = LedgerOptions()
        options.isReadOnly = true
        return try Ledger.open(folder: path, options: options)
    }

    /// By the table, not by the product's reading.
    private func digit(_ byte: UInt8) -> Int? { Character(UnicodeScalar(byte)).hexDigitValue }
}
