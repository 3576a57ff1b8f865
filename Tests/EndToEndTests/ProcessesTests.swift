import SessionDomain
import SystemCalls
import Testing

@Suite struct ProcessesTests {
    @Test func `eight processes append to one ledger at once and lose nothing`() throws {
        let workshop = try Workshop()
        try workshop.ledger("init")
        let rounds = 4
        let script = """
            for worker in 1 2 3 4 5 6 7 8; do
              (
                for round in \((1...rounds).map(String.init).joined(separator: " ")); do
                  id=$("$0" --ledger "$1" --json session start --pieces selfie --client-key "k$worker-$round" \
                    | sed 's/.*"id":"\\([0-9a-f-]*\\)".*/\\1/') || exit 1
                  "$0" --ledger "$1" --json capture "$id" selfie "$2" >/dev/null || exit 1
                  "$0" --ledger "$1" --json session suspend "$id" >/dev/null || exit 1
                done
                echo done
              ) &
            done
            wait
            """
        let done = try ChildProcess.runInEnvironment(
            path: "/bin/sh",
            arguments: ["sh", "-c", script, Workshop.product, workshop.ledger, workshop.fixture("selfie.jpg")],
            environment: workshop.variables)
        #expect(String(decoding: done.output, as: UTF8.self) == String(repeating: "done\n", count: 8))

        let verdict = try Oracle.ask(workshop, "--no-orphans")
        let sessions = 8 * rounds
        #expect(verdict["sessions"]?.asInt == sessions)
        // started, captured, confirmed, suspended
        #expect(verdict["events"]?.asInt == sessions * 4)
        #expect(verdict["media_opened"]?.asInt == sessions)
        #expect(try workshop.ledger("audit", "verify")["ok"]?.asBool == true)
    }
}
