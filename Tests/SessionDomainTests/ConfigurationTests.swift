import SessionDomain
import TestSupport
import Testing

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

@Suite struct ConfigurationTests {
    static let full: CaptureConfiguration = {
        var configuration = CaptureConfiguration(
            pieces: [.passportBack, .passportFront, .selfie, .hologram], flowTitle: "Scan \"the\" /passport/ \u{0}é😀",
            analyticsContext: "profile_passport")
        configuration.showsBack = true
        configuration.allowUploadFromDevice = true
        configuration.progress = .segments(count: 2, filled: 1)
        configuration.passportChecks = PassportChecks(glare: false, fingers: true)
        configuration.selfieChecks = SelfieChecks(phoneStraight: false)
        configuration.selfieUploadChecks = SelfieChecks.none
        var back = CaptureCopy(title: "Turn it over", subtitle: nil)
        back.flipHint = "Flip"
        back.headerStyle = .titleOnly(accessory: "badge-7")
        configuration.copy = [.passportFront: CaptureCopy(title: "", subtitle: "Lay it flat"), .passportBack: back]
        configuration.fallbackLink = FallbackLink(title: "Don't have it handy?")
        configuration.autoConfirm = true
        configuration.checks = .deferred
        configuration.ordering = .strict
        configuration.deadlineMilliseconds = 86_400_000
        configuration.destinations = [.selfie: "host"]
        configuration.hologramCardType = .DRIVER_LICENSE
        configuration.hologramMediaRule = .strict
        configuration.hologramPassMark = 0.75
        configuration.hologramSettings.useCardDetection = true
        configuration.hologramSettings.hologramControlEnabled = true
        configuration.hologramSettings.controlFaceCapture = true
        configuration.hologramSettings.stopVideoWhileRecording = true
        configuration.hologramSettings.hintDisplayRatio = 1.25
        configuration.hologramSettings.marginRatio = 0.3
        configuration.hologramSettings.outsideOfHintColor = "#FFffFF"
        configuration.hologramSettings.isTrademarkLogoOn = true
        return configuration
    }()

    @Test func `S3 S4 S5 S8 S10 S71 everything survives the round trip`() throws {
        for configuration in [Self.full, CaptureConfiguration(pieces: [.selfie], flowTitle: "")] {
            let again = try CaptureConfiguration(text: configuration.json.canonical)
            #expect(again == configuration)
            #expect(again.json.canonicalBytes == configuration.json.canonicalBytes)
            #expect(Array(again.flowTitle.utf8) == Array(configuration.flowTitle.utf8))
            let coded = try JSONDecoder().decode(CaptureConfiguration.self, from: JSONEncoder().encode(configuration))
            #expect(coded == configuration)
        }
    }

    @Test func `S8 a missing text stays missing and an empty one stays empty`() throws {
        let copy = try CaptureConfiguration(
            text: #"{"pieces":["passport_front"],"copy":{"passport_front":{"title":""}}}"#
        ).copy[.passportFront]
        #expect(copy == CaptureCopy(title: ""))
        #expect(copy?.subtitle == nil)
        #expect(try CaptureConfiguration(text: #"{"pieces":["selfie"]}"#).copy.isEmpty)
    }

    @Test func `S23 a configuration of version 1.0 without phoneStraight loads with defaults`() throws {
        let old = try CaptureConfiguration(
            text: """
                {"schema_version":"1.0","pieces":["passport_front","selfie"],"flowTitle":"Scan",
                 "selfieChecks":{"glasses":false,"coveredFace":true}}
                """)
        #expect(old.selfieChecks == SelfieChecks(phoneStraight: true, glasses: false, coveredFace: true))
        #expect(old.flowTitle == "Scan")
        #expect(old.selfieUploadChecks == nil)
        #expect(throws: ConfigurationProblem.self) {
            try CaptureConfiguration(text: #"{"schema_version":"9.0","pieces":["selfie"]}"#)
        }
    }

    @Test func `S45 S56 naming two checks leaves the third on`() throws {
        #expect(PassportChecks(glare: false, fingers: true).blur)
        #expect(PassportChecks.standard == PassportChecks(glare: true, fingers: true, blur: true))
        #expect(SelfieChecks.none == SelfieChecks(phoneStraight: false, glasses: false, coveredFace: false))
        let read = try CaptureConfiguration(
            text: #"{"pieces":["passport_front"],"passport_checks":{"glare":false,"fingers":false}}"#)
        #expect(read.passportChecks == PassportChecks(glare: false, fingers: false, blur: true))
    }

    @Test func `S71 the settings are read by the seed's own names`() throws {
        let read = try CaptureConfiguration(
            text: """
                {"pieces":["hologram"],"hologram_card_type":"NEW_TC_ID","hologram_settings":{"USE_CARD_DETECTION":true,
                 "HOLOGRAM_CONTROL_ENABLED":true,"CONTROL_FACE_CAPTURE":true,"STOP_VIDEO_WHILE_RECORDING":true,
                 "HINT_DISPLAY_RATIO":1.5,"MARGIN_RATIO":0.2,"OUTSIDE_OF_HINT_COLOR":"#000000","IS_TRADEMARK_LOGO_ON":true}}
                """
        ).hologramSettings
        #expect(read.useCardDetection && read.hologramControlEnabled && read.controlFaceCapture)
        #expect(read.stopVideoWhileRecording && read.isTrademarkLogoOn)
        #expect((read.hintDisplayRatio, read.marginRatio, read.outsideOfHintColor) == (1.5, 0.2, "#000000"))
    }

    @Test(arguments: [
        ("[", ConfigurationProblem.Code.notJSON, ""), ("[]", .notAnObject, ""), ("{}", .missing, "Add pieces."),
        (#"{"pieces":["selfie"],"flow_titel":"x"}"#, .unknownKey, "Did you mean \"flow_title\"?"),
        (#"{"pieces":["selfie"],"flowTitle":"x","flow_title":"x"}"#, .duplicateKey, "Keep one of them."),
        (#"{"pieces":["selfie"],"flow_title":7}"#, .wrongType, "Make it a string."),
        (#"{"pieces":["selfi"]}"#, .unknownName, "Did you mean \"selfie\"?"),
        (#"{"pieces":["fingerprint_scan"]}"#, .unknownName, "Use one of: passport_front, passport_back, selfie, hologram."),
        (#"{"pieces":[]}"#, .noPieces, "Name at least one piece to capture."),
        (#"{"pieces":["selfie","selfie"]}"#, .duplicatePiece, "Name each piece once, in the order of capture."),
        (#"{"pieces":["hologram"]}"#, .cardTypeMissing, ""),
        (#"{"pieces":["hologram"],"hologram_card_type":"GREEN"}"#, .unknownName, ""),
        (#"{"pieces":["selfie"],"checks":"require"}"#, .unknownName, "Did you mean \"required\"?"),
        (#"{"pieces":["selfie"],"deadline_ms":0}"#, .outOfRange, ""),
        (#"{"pieces":["selfie"],"deadline_ms":1.5}"#, .wrongType, ""),
        (#"{"pieces":["selfie"],"progress":{"style":"segments","count":1,"filled":2}}"#, .outOfRange, ""),
        (#"{"pieces":["selfie"],"progress":{"style":"segments","count":1}}"#, .missing, "Add progress.filled."),
        (#"{"pieces":["selfie"],"destinations":{"selfie":"Not A Name"}}"#, .outOfRange, ""),
        (#"{"pieces":["selfie"],"copy":{"selfie":{"titel":"x"}}}"#, .unknownKey, "Did you mean \"title\"?"),
        (#"{"pieces":["selfie"],"hologram_settings":{"outside_of_hint_color":"red"}}"#, .outOfRange, ""),
        (#"{"pieces":["selfie"],"hologram_settings":{"margin_ratio":-1}}"#, .outOfRange, ""),
    ])
    func `what is wrong is named, with what to do about it`(text: String, code: ConfigurationProblem.Code, remedy: String) {
        let problem = #expect(throws: ConfigurationProblem.self) { try CaptureConfiguration(text: text) }
        #expect(problem?.code == code)
        #expect(problem?.message.isEmpty == false)
        if !remedy.isEmpty { #expect(problem?.remedy == remedy) }
    }

    @Test func `a setting that is null is a setting that is absent`() throws {
        let read = try CaptureConfiguration(text: #"{"pieces":["selfie"],"checks":null,"selfie_upload_checks":null}"#)
        #expect(read == CaptureConfiguration(pieces: ["selfie"].compactMap { Piece(rawValue: $0) }, flowTitle: ""))
    }
}
