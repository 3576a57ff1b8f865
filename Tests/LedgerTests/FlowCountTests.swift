import EventStorage
import TestSupport
import Testing

@testable import CaptureLedger

@Suite struct FlowCountTests {
    @Test(arguments: [1, 3, 16_384])
    func `sessions are counted by status and phase whatever the size of the parts they are counted in`(size: Int) throws {
        let temporary = try TemporaryLedger()
        var history = VariedHistory(temporary.ledger, seed: 17)
        try history.run(steps: 80)
        let flows = try dump(temporary.ledger, "flow").count
        try temporary.ledger.read { (context) throws(LedgerError) in
            let (whole, parts) = try translated { () throws(StorageError) in
                (try context.flows.counts(), try context.flows.counts(partsOf: size))
            }
            #expect(parts.map(\.status) == whole.map(\.status) && parts.map(\.phase) == whole.map(\.phase))
            #expect(parts.map(\.count) == whole.map(\.count))
            #expect(whole.reduce(0) { $0 + $1.count } == flows && whole.count > 2 && flows > 4)
            #expect(whole.map { "\($0.status) \($0.phase)" } == whole.map { "\($0.status) \($0.phase)" }.sorted())
        }
    }
}
