import Foundation
import MediaChecks
import SessionDomain
import SystemCalls
import TestSupport
import Testing

@testable import CaptureLedger

@Suite struct SharedScopeTests {
    @Test func `S37 S38 64 captures at once: never two calls in one model, and every load is released`() throws {
        let probe = ProbeRunner(run: { name, _, _ in
            Thread.sleep(forTimeInterval: 0.0005)
            return [Self.answer(name)]
        })
        let models = try InstalledModels([.passportDetector, .glare, .passportBlur], side: 32)
        let room = ModelRoom(runners: RunnerRegistry(probe), search: models.search)
        // one scope stays open, so that all captures share what it loads
        let kept = room.open(loading: [.passportDetector, .glare, .passportBlur])
        let checker = Checker(pictures: SampleDecoder(solid: (190, 190, 190))) { room.open() }
        let temporary = try TemporaryLedger(judge: checker)
        let sessions = try (0..<64).map { _ in try temporary.start([.passportFront]) }
        let ledger = temporary.ledger
        let group = DispatchGroup()
        for session in sessions {
            DispatchQueue(label: "test.capture").async(group: group) {
                do {
                    let done = try ledger.capture(
                        CaptureRequest(
                            session: session, piece: Piece.passportFront, path: fixture("formats/tiny.png"), source: .camera))
                    #expect(done.check?.failure == nil && done.check?.policyVersion != nil, "\(String(describing: done.check))")
                } catch { Issue.record(error) }
            }
        }
        group.wait()
        for role in [ModelRole.passportDetector, .glare, .passportBlur] {
            let seen = probe.seen(role.fileName)
            #expect(seen.calls == 64 && seen.mostInOneModel == 1, "\(role): \(seen)")
        }
        #expect(probe.seen.loads == 3 && probe.seen.releases == 0)
        kept.close()
        #expect(probe.seen.loads == 3 && probe.seen.releases == 3)
    }

    /// A page with a photo and an MRZ in it; no glare, no blur.
    private static func answer(_ name: String) -> Tensor {
        guard name == ModelRole.passportDetector.fileName else { return tensor([0, 1], [1, 2]) }
        // centre x, centre y, width, height, then the six classes, for two anchors
        let rows: [[Float]] = [
            [0.5, 0.5], [0.5, 0.65], [0.9, 0.7], [0.8, 0.3], [0.9, 0], [0, 0], [0, 0], [0, 0.9], [0, 0], [0, 0],
        ]
        return tensor(rows.flatMap { $0 }, [1, 10, 2])
    }

    private static func tensor(_ values: [Float], _ shape: [Int]) -> Tensor {
        Tensor(data: Data(FloatTensor(shape: shape, values: values)), shape: shape)
    }
}
