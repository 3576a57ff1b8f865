import CaptureLedger
import FoundationEssentials
import Sandbox
import SystemCalls

/// The command line: words in, one result out, an exit code.
package struct Tool: Sendable {
    package static let version = "capture-ledger 0.1.0"

    let grammar: Grammar
    let environment: [String: String]

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(verbs: Verb.all, environment: environment)
    }

    init(verbs: [Verb], environment: [String: String]) {
        grammar = Grammar(verbs: verbs)
        self.environment = environment
    }

    /// Does what the words ask for, on the process's own streams.
    ///
    /// - Parameter arguments: without the program's name.
    package func run(_ arguments: [String]) async -> Int32 {
        await run(arguments, startedNanoseconds: SystemClock.processStartNanoseconds()) {
            Console.standard(isJSON: $0, log: $1)
        }.rawValue
    }

    func run(
        _ arguments: [String], startedNanoseconds: Int64 = SystemClock.boottimeNanoseconds(),
        makeConsole: (_ isJSON: Bool, LogChoice) -> Console
    ) async -> ExitCode {
        let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
        do {
            switch try grammar.parse(arguments, environment: environment) {
            case .say(let text):
                try makeConsole(isJSON, LogChoice()).say(text)
                return .done
            case .run(var invocation):
                invocation.startedNanoseconds = startedNanoseconds
                defer { invocation.opened.closeAll() }
                return try await invocation.verb.run(invocation, makeConsole(isJSON, invocation.logChoice))
            }
        } catch {
            let complaint = Complaint(anything: error)
            makeConsole(isJSON, LogChoice()).complain(complaint)
            return complaint.exit
        }
    }
}

extension Complaint {
    /// Every error that can reach the top, in the user's words; one that nobody translated is a fault of ours.
    init(anything error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case let problem as SettingsProblem: self.init(problem)
        case let error as LedgerError: self.init(error)
        case let error as SandboxError: self.init(error)
        default:
            self.init(
                "internal", "This program met an error that it does not know (\(type(of: error))).",
                remedy: "Run it again with --log debug and report what it says.", exit: .fault)
        }
    }
}
