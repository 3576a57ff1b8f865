import CaptureLedger
import MediaChecks
import Testing

@Suite struct PolicyFileTests {
    @Test func `the template is read back as the policy that it was made of`() throws {
        var policy = CheckPolicy(version: "kiosk-7")
        policy.passport.glareArea = 0.08
        policy.selfie.yaw = 15
        policy.models = [.glare: String(repeating: "0f", count: 32)]
        for policy in [CheckPolicy.standard, policy] {
            #expect(try CheckPolicy(json5: Array(policy.template.utf8)) == policy)
        }
    }

    @Test func `comments and trailing commas are fine, and what is wrong is told by line and column`() throws {
        let text = "// ours\n{ version: 'a', passport: { blur_score: .4, }, }"
        #expect(try CheckPolicy(json5: Array(text.utf8)).passport.blurScore == 0.4)
        let problem = #expect(throws: PolicyProblem.self) { try CheckPolicy(json5: Array("{\n  version 'a' }".utf8)) }
        #expect(
            problem?.code == .notJSON && problem?.message.hasPrefix("The policy cannot be read at line 2, column 11") == true)
        #expect(
            #expect(throws: PolicyProblem.self) { try CheckPolicy(json5: [0xFF]) }?.message
                == "The policy file is not UTF-8 text.")
    }
}
