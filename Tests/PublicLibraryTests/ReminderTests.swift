import CaptureLedger
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReminderTests {
    static let pieces: [Piece] = [.passportFront, .passportBack, .selfie, .hologram]

    @Test func `S68 without a fallback link both passport pages and the selfie offer the reminder, and a wish for one is kept`()
        async throws
    {
        let configuration = Kiosk.configuration(Self.pieces)
        #expect(Self.pieces.filter { configuration.offersReminder(on: $0) } == [.passportFront, .passportBack, .selfie])
        #expect(!Kiosk.configuration([.selfie]).offersReminder(on: .passportFront))
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(
            in: kiosk.ledger, configuration: configuration, clientKey: "k", callbacks: .ignoring)
        for piece in [Piece.passportFront, .passportBack, .selfie] {
            let day = ReminderPlanner.customDate(day: Date(timeIntervalSince1970: 1_800_000_000), hour: 9, minute: 30, in: .gmt)
            try await flow.record(
                .reminderRequested, on: piece, remindAtMilliseconds: Int64(day.timeIntervalSince1970 * 1000))
            await #expect { try await flow.record(.fallbackLinkTapped, on: piece) } throws: {
                ($0 as? LedgerError)?.code.rawValue == "no_fallback_link"
            }
        }
        await kiosk.close()
        let timeline = try await OtherProcess.run(["--ledger", kiosk.path.path, "--json", "timeline", flow.sessionID])
        #expect(timeline.output.split(separator: "reminder_requested").count == 4, "\(timeline.output)")
    }

    @Test func `S9 S68 a fallback link stands in the reminder's place from the start, and a tap is the host's`() async throws {
        var configuration = Kiosk.configuration(Self.pieces)
        configuration.fallbackLink = FallbackLink(title: "Ask at the desk")
        #expect(Self.pieces.allSatisfy { !configuration.offersReminder(on: $0) })
        let kiosk = try await Kiosk()
        let flow = try await CaptureFactory.makeFlow(in: kiosk.ledger, configuration: configuration, callbacks: .ignoring)
        for piece in [Piece.passportFront, .passportBack, .selfie] { try await flow.record(.fallbackLinkTapped, on: piece) }
        await #expect { try await flow.record(.fallbackLinkTapped, on: .hologram) } throws: {
            ($0 as? LedgerError)?.code.rawValue == "no_fallback_link"
        }
        await kiosk.close()
        let timeline = try await OtherProcess.run(["--ledger", kiosk.path.path, "--json", "timeline", flow.sessionID])
        #expect(timeline.output.split(separator: "fallback_link_tapped").count == 4, "\(timeline.output)")
    }
}
