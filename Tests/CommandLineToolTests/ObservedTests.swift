import SessionDomain
import Testing

@testable import CommandLineTool

struct ObservedTests {
    private func observation(_ kind: String, _ fields: String...) throws -> Observation? {
        if case .observation(let observation) = try Observed(kind: kind, fields: fields).what { return observation }
        return nil
    }

    @Test func `S76 the hologram's observations are said in words`() throws {
        #expect(try observation("card_detected") == .hologram(.cardDetected))
        #expect(try observation("flash_circle_completed", "circle_index=2") == .hologram(.flashCircleCompleted(circleIndex: 2)))
        #expect(
            try observation("wrong_card_type", "detected_card_type=DRIVER_LICENSE", "is_backside=true")
                == .hologram(.wrongCardType(detectedCardType: .DRIVER_LICENSE, isBackside: true)))
        #expect(try observation("glare", "piece=passport_front") == .liveScan(.glare, piece: .passportFront))
        guard case .interaction(.flipDone, nil, nil) = try Observed(kind: "flip_done", fields: []).what else {
            Issue.record("flip_done is an interaction")
            return
        }
    }

    @Test func `the order of the fields does not make another command`() throws {
        let one = try Observed(kind: "wrong_card_type", fields: ["is_backside=true", "detected_card_type=NEW-ID"])
        let two = try Observed(kind: "wrong_card_type", fields: ["detected_card_type=NEW-ID", "is_backside=true"])
        #expect(one.label == two.label)
    }

    @Test(
        arguments: [
            ("card_detect", [], "Did you mean card_detected?"), ("glare", [], "Add piece=passport_front, for instance."),
            ("flash_circle_completed", [], "Add circle_index=0, for instance."),
            ("card_detected", ["piece=selfie"], "Run capture-ledger observe --help for the fields."),
            ("card_detected", ["x"], "Write it as circle_index=2, for instance."),
            ("glare", ["piece=nose"], "Use one of: passport_front, passport_back, selfie, hologram."),
            ("flash_circle_completed", ["circle_index=-1"], "Write it in digits, such as circle_index=2."),
            ("flash_position_update", ["is_flash_on_target=maybe"], "Write is_flash_on_target=true."),
            ("glare", ["piece=selfie", "piece=selfie"], "Keep one of them."),
        ] as [(String, [String], String)])
    func `what makes no observation says what would`(kind: String, fields: [String], remedy: String) {
        do throws(Complaint) {
            _ = try Observed(kind: kind, fields: fields)
            Issue.record("\(kind) was accepted")
        } catch { #expect(error.remedy == remedy) }
    }

    @Test func `every kind that help names is understood`() {
        for name in Observed.names {
            let tries: [[String]] = [[], ["piece=selfie"], ["circle_index=1"]]
            #expect(tries.contains { (try? Observed(kind: name, fields: $0)) != nil }, "\(name)")
        }
    }
}
