import TestSupport
import Testing

@Suite struct PropertyTests {
    @Test func `random sessions, erasures, backups, restores, rebuilds and process changes leave a ledger that is whole`()
        throws
    {
        for seed in SeededRandom.seeds(for: "random ledger") {
            let random = try RandomLedger(seed: seed)
            try random.run(steps: 400)
            // somebody is erased after the backup that is restored, whatever was drawn
            try random.backUp()
            try random.erase()
            try random.restore()
            try random.run(steps: 20)
            try random.finish()
            print(
                "random ledger: \(random.done.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
            )
            // the draw is worth something only when it got to what it is about
            for name in ["capture", "command", "settled", "erased", "process changes", "rebuilt", "backed up", "restored"] {
                #expect(random.done[name, default: 0] > 0, "seed \(seed): no \(name)")
            }
        }
    }
}
