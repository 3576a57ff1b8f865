import MediaChecks
import SessionDomain
import TestSupport
import Testing

@Suite struct FaultTests {
    @Test func `without a detector nothing is said, and the capture may be tried again`() {
        let fault = #expect(throws: CheckFault.self) {
            try CheckPipeline(models: ScriptedModels()).check(
                PlainPicture(64, 64), CheckQuestion(piece: .passportFront, source: .file))
        }
        #expect(fault?.code == .notReady && fault?.failure == .scannerNotReady && fault?.blamesCapture == false)
    }

    @Test func `S40 a model that did not load and one that failed are told apart`() {
        let script = PassportScript()
        for (code, wanted) in [
            (ModelFault.Code.notReady, CheckFault.Code.notReady), (.failed, .modelFailed), (.wrongShape, .modelFailed),
            (.badDescriptor, .modelFailed),
        ] {
            script.models.install(.glare, .scripted(.glare, side: 224, ["clear", "glare"])) { _ throws(ModelFault) in
                throw ModelFault(code, message: "It did not.", remedy: "Mend it.")
            }
            let fault = #expect(throws: CheckFault.self) { try script.check() }
            #expect(fault?.code == wanted && fault?.detail == code.rawValue && fault?.message == "It did not.")
        }
    }

    @Test func `what the decoder refuses becomes the capture's failure, and a missing decoder none`() {
        let wanted: [DecodingRefusal.Cause: CaptureFailure?] = [
            .unreadable: .mediaUnreadable, .truncated: .truncated, .tooLarge: .imageTooLarge, .limits: .mediaUnreadable,
            .crashed: .mediaUnreadable, .unavailable: nil,
        ]
        for cause in DecodingRefusal.Cause.allCases {
            let picture = PlainPicture(640, 640)
            picture.refusal = DecodingRefusal(cause, detail: "jpeg", message: "No.", remedy: "Another.")
            let fault = #expect(throws: CheckFault.self) { try PassportScript().check(picture: picture) }
            #expect(fault?.failure == wanted[cause] ?? nil && fault?.blamesCapture == (cause != .unavailable))
        }
    }

    @Test func `a picture is no hologram`() {
        let fault = #expect(throws: CheckFault.self) { try PassportScript().check(.hologram) }
        #expect(fault?.code == .wrongPiece && fault?.failure == .notAllowedForPiece)
    }

    @Test func `a policy that pins another model keeps the installed one from running`() throws {
        let script = PassportScript()
        var policy = CheckPolicy.standard
        policy.models = [.glare: "digest of glare"]
        #expect(try script.check(policy: policy).failure == nil)
        policy.models = [.glare: "another"]
        let calls = script.models.calls(.glare)
        let fault = #expect(throws: CheckFault.self) { try script.check(policy: policy) }
        #expect(fault?.code == .modelFailed && fault?.role == .glare && script.models.calls(.glare) == calls)
    }

    @Test func `a runner that forgets outputs is a fault, not a crash`() {
        let script = PassportScript()
        script.models.install(.passportDetector, .scripted(.passportDetector, side: 320, PassportScript.classes)) { _ in [] }
        #expect(#expect(throws: CheckFault.self) { try script.check() }?.detail == "wrong_shape")
    }
}
