import MediaChecks
import SessionDomain
import Testing

@Suite struct PolicyTests {
    @Test func `a policy says everything, and reads back as itself`() throws {
        var policy = CheckPolicy(version: "kiosk-7")
        policy.detector.page = 0.61
        policy.passport.glareArea = 0.08
        policy.passport.backPage = .pageWithoutPhoto
        policy.selfie.yaw = 15
        policy.models = [.glare: String(repeating: "ab", count: 32)]
        #expect(try CheckPolicy(json: policy.json) == policy)
        #expect(try CheckPolicy(text: policy.json.canonical) == policy)
        #expect(try CheckPolicy(json: CheckPolicy.standard.json) == .standard)
    }

    @Test func `what is absent gets its recommended value`() throws {
        var policy = CheckPolicy.standard
        policy.version = "mine"
        #expect(try CheckPolicy(text: #"{"version":"mine"}"#) == policy)
        policy.passport.blurScore = 0.7
        #expect(try CheckPolicy(text: #"{"version":"mine","passport":{"blur_score":0.7}}"#) == policy)
        policy.passport.brightness = nil
        #expect(try CheckPolicy(text: #"{"version":"mine","passport":{"blur_score":0.7,"brightness":null}}"#) == policy)
    }

    @Test(arguments: [
        ("[]", PolicyProblem.Code.wrongType, "", "Write it as"),
        ("{", .notJSON, "", "Send one JSON document"),
        ("{}", .missing, "version", "Add"),
        (#"{"version":""}"#, .wrongType, "version", "1 to 64"),
        (#"{"version":"a b"}"#, .wrongType, "version", "1 to 64"),
        (#"{"version":"a","pasport":{}}"#, .unknownKey, "", #"Did you mean "passport"?"#),
        (#"{"version":"a","passport":{"glare_scor":1}}"#, .unknownKey, "passport", #"Did you mean "glare_score"?"#),
        (#"{"version":"a","passport":{"zzzzzzzzzzzz":1}}"#, .unknownKey, "passport", "Known here: front_page"),
        (#"{"version":"a","passport":{"glare_score":"high"}}"#, .wrongType, "passport.glare_score", "a number"),
        (#"{"version":"a","passport":{"glare_score":1.5}}"#, .outOfRange, "passport.glare_score", "from 0 to 1"),
        (#"{"version":"a","passport":{"crop_width":99.5}}"#, .wrongType, "passport.crop_width", "a whole number"),
        (#"{"version":"a","passport":{"presumes_mrz":1}}"#, .wrongType, "passport.presumes_mrz", "true or false"),
        (#"{"version":"a","passport":{"front_page":"pages"}}"#, .unknownName, "passport.front_page", #"Did you mean "page"?"#),
        (#"{"version":"a","detector":{"page":null}}"#, .wrongType, "detector.page", "a number"),
        (#"{"version":"a","models":{"glare":"abc"}}"#, .wrongType, "models.glare", "SHA-256"),
        (#"{"version":"a","models":{"glair":"abc"}}"#, .unknownKey, "models", #"Did you mean "glare"?"#),
        (#"{"version":"a","selfie":{"frame_margin_exit":0.2}}"#, .outOfRange, "selfie.frame_margin_exit", "at most"),
    ])
    func `what is wrong is told with its place and what to write`(
        text: String, code: PolicyProblem.Code, path: String, remedy: String
    ) {
        let problem = #expect(throws: PolicyProblem.self) { try CheckPolicy(text: text) }
        #expect(
            problem?.code == code && problem?.path == path && problem?.remedy.contains(remedy) == true,
            "\(String(describing: problem))")
    }

    @Test func `a key twice is no JSON that is accepted`() {
        let problem = #expect(throws: PolicyProblem.self) { try CheckPolicy(text: #"{"version":"a","version":"b"}"#) }
        #expect(problem?.code == .notJSON)
    }

    @Test func `what a hostile file says is not repeated`() {
        let problem = #expect(throws: PolicyProblem.self) {
            try CheckPolicy(text: #"{"version":"a","\u001b[2Jsecret":1}"#)
        }
        #expect(problem?.code == .unknownKey && problem?.message.contains("secret") == false)
    }

    @Test func `findings tell two policies of one name apart`() throws {
        var changed = CheckPolicy.standard
        changed.passport.glareScore = 0.51
        #expect(changed.version == CheckPolicy.standard.version && changed.identity != CheckPolicy.standard.identity)
        #expect(CheckPolicy.standard.identity.hasPrefix("standard-1+"))
        #expect(try PassportScript().check(policy: changed).findings.allSatisfy { $0.policyVersion == changed.identity })
        #expect(try PassportScript().check(policy: changed).policyVersion == changed.identity)
    }

    @Test func `the template names every entry under a comment`() {
        let template = CheckPolicy.standard.template
        guard case .object(let sections) = CheckPolicy.standard.json else { return #expect(Bool(false)) }
        for section in sections {
            for member in section.value.asMembers ?? [] {
                #expect(template.contains("\n    \(member.key): \(member.value.canonical),\n"), "\(section.key).\(member.key)")
            }
        }
        let lines = template.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
        #expect(lines.allSatisfy { $0.count < 100 })
    }
}
