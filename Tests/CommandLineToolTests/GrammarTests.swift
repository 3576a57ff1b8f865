import SessionDomain
import Testing

@testable import CommandLineTool

private let grammar = Grammar(verbs: Verb.all)

private func invocation(_ words: String...) throws -> Invocation {
    guard case .run(let invocation) = try grammar.parse(words) else { throw Complaint.usage("said something", remedy: "") }
    return invocation
}

private func complaint(_ words: [String]) -> Complaint? {
    do throws(Complaint) {
        _ = try grammar.parse(words)
        return nil
    } catch { return error }
}

struct GrammarTests {
    @Test func `options stand anywhere, with a space or an equals sign`() throws {
        let parsed = try invocation("--ledger=/l", "session", "--json", "show", "abc", "--at-version", "3")
        #expect(parsed.verb.name == "session show")
        #expect(parsed.ledgerPath == "/l")
        #expect(parsed[0] == "abc")
        #expect(try parsed.integer("at-version") == 3)
    }

    @Test func `an option takes a value with every verb or with none`() {
        var takes: [String: Bool] = [:]
        for verb in Verb.all {
            for option in verb.allOptions {
                let known = takes[option.name] ?? (option.value != nil)
                #expect(known == (option.value != nil), "--\(option.name) of \(verb.name)")
                takes[option.name] = known
            }
        }
    }

    @Test func `a verb of one word is not taken for one of two`() throws {
        #expect(try invocation("sync").verb.name == "sync")
        #expect(try invocation("sync", "list").verb.name == "sync list")
        #expect(try invocation("explain", "list").verb.name == "explain")
    }

    @Test func `behind two hyphens everything is a word`() throws {
        #expect(try invocation("capture", "id", "selfie", "--", "--json").positionals == ["id", "selfie", "--json"])
        #expect(try invocation("drop", "--", "id", "-x").words(from: 1) == ["-x"])
    }

    @Test func `positionals repeat where the verb says so`() throws {
        #expect(try invocation("drop", "id", "selfie", "hologram").words(from: 1) == ["selfie", "hologram"])
        #expect(try invocation("replay", "--type", "a", "--type=b").texts("type") == ["a", "b"])
        #expect(try invocation("observe", "id", "card_detected").words(from: 2) == [])
    }

    @Test func `the ledger is the option's, else the environment's, else my ledger`() throws {
        let verb = Verb.all[0]
        func path(_ values: [String: [String]], _ environment: [String: String]) -> String {
            Invocation(verb: verb, positionals: [], values: values, environment: environment).ledgerPath
        }
        #expect(path(["ledger": ["/o"]], ["CAPTURE_LEDGER": "/e"]) == "/o")
        #expect(path([:], ["CAPTURE_LEDGER": "/e"]) == "/e")
        #expect(path([:], ["CAPTURE_LEDGER": ""]) == "./my.ledger")
    }

    @Test(
        arguments: [
            ([], "No verb was given.", "Run capture-ledger --help to see what there is."),
            (["captrue"], "There is no verb \"captrue\".", "Did you mean capture-ledger capture?"),
            (["session", "strat"], "There is no verb \"session strat\".", "Did you mean capture-ledger session start?"),
            (["xyzzy"], "There is no verb \"xyzzy\".", "Run capture-ledger --help to see what there is."),
            (["bad\u{1B}[2Jverb"], "There is no verb.", "Run capture-ledger --help to see what there is."),
            (["config"], "config needs one more word: check.", "Run capture-ledger config --help to see what they do."),
            (["capture", "--sorce", "camera"], "There is no option --sorce of capture.", "Did you mean --source?"),
            (["sync", "--lejer", "x"], "There is no option --lejer.", "Did you mean --ledger?"),
            (
                ["capture", "id"], "capture needs PIECE: passport_front, passport_back, selfie or hologram.",
                "Run capture-ledger capture --help."
            ),
            (["capture", "", "selfie", "f"], "capture needs ID: the session's id.", "Run capture-ledger capture --help."),
            (["timeline", "a", "b"], "timeline was given more words than it takes.", "Run capture-ledger timeline --help."),
            (
                ["support-bundle", "a.tar"], "support-bundle was given more words than it takes.",
                "Run capture-ledger support-bundle --help."
            ),
            (["sync", "lsit"], "There is no verb \"sync lsit\".", "Did you mean capture-ledger sync list?"),
            (
                ["capture", "i", "selfie", "f", "--source", "camra"], "--source was given a value that is not known.",
                "Did you mean camera?"
            ),
            (["sync", "--limit"], "--limit needs a value.", "Write --limit=VALUE."),
            (["sync", "--limit", "--json"], "--limit needs a value.", "Write --limit=VALUE."),
            (["sync", "--limit="], "--limit was given an empty value.", "Write --limit=VALUE, or leave it out."),
            (["sync", "--watch=yes"], "--watch takes no value.", "Write --watch alone, or leave it out."),
            (["sync", "--limit", "1", "--limit", "2"], "--limit is given twice.", "Keep one of them."),
            (
                ["sync", "-v"], "Options have long names, such as --json; one with a single hyphen was given.",
                "Put -- before a word that begins with a hyphen."
            ),
        ] as [([String], String, String)])
    func `what is not understood is one sentence with a remedy`(words: [String], message: String, remedy: String) {
        let found = complaint(words)
        #expect(found?.message == message)
        #expect(found?.remedy == remedy)
        #expect(found?.exit == .usage)
    }

    @Test func `numbers, seconds, ids and pieces are checked before anything is done`() throws {
        #expect(throws: Complaint.self) { try invocation("sync", "--limit", "many").integer("limit") }
        #expect(throws: Complaint.self) { try invocation("sync", "--limit", "0").integer("limit", in: 1...5) }
        #expect(throws: Complaint.self) { try invocation("sync", "--deadline", "-1").seconds("deadline") }
        #expect(throws: Complaint.self) { try invocation("sync", "--deadline", "nan").seconds("deadline") }
        #expect(try invocation("sync", "--deadline", "1.5").seconds("deadline") == 1500)
        #expect(throws: Complaint.self) { try invocation("timeline", "x").sessionID() }
        #expect(throws: Complaint.self) { try invocation("confirm", "i", "selfi").piece("selfi") }
        #expect(throws: Complaint.self) { try invocation("confirm", "i", "selfie", "--command-id", "a b").commandID() }
        #expect(throws: Complaint.self) {
            try invocation("confirm", "i", "selfie", "--command-id", String(repeating: "x", count: 129)).commandID()
        }
    }

    @Test func `a name never means a flag for one verb and a value for another`() {
        var kinds: [String: Bool] = [:]
        for verb in Verb.all {
            for option in verb.allOptions {
                #expect(kinds[option.name, default: option.value != nil] == (option.value != nil), "--\(option.name)")
                kinds[option.name] = option.value != nil
            }
        }
    }

    @Test func `no verb has an option twice, and no two verbs have one name`() {
        for verb in Verb.all { #expect(Set(verb.allOptions.map(\.name)).count == verb.allOptions.count, "\(verb.name)") }
        #expect(Set(Verb.all.map(\.name)).count == Verb.all.count)
    }
}
