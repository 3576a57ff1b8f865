import CaptureLedger
import SessionDomain
import SystemCalls

extension Verb {
    static let supportBundle = Verb(
        path: ["support-bundle"],
        summary: "Write a file for whoever helps: how the ledger is doing, and nothing personal or secret.",
        details:
            "An archive that tar opens: versions, doctor's findings, settings without paths, names, tokens and where addresses lead to, counts of events and requests by their codes, file sizes. A ledger that does not open gives one too.",
        options: [.value("out", "FILE", "a file that does not exist yet")],
        examples: ["capture-ledger support-bundle --out bundle.tar"],
        exits: [.notFound, .cannotCreate, .inputOutput],
        run: { invocation, console in
            guard let path = invocation.text("out") else {
                throw Complaint.usage("--out is missing.", remedy: "Name a new file with --out FILE.")
            }
            let folder = invocation.ledgerPath
            guard try FileStatus.of(folder)?.kind == .folder else {
                throw Complaint(
                    "no_such_ledger", "There is no ledger in \(folder).", remedy: "Name its folder with --ledger.",
                    exit: .notFound)
            }
            let ledger: Result<Ledger, LedgerError>
            do { ledger = .success(try invocation.openForReading()) } catch let error as LedgerError {
                ledger = .failure(error)
            }
            let report = try SupportBundle.write(
                of: folder, ledger, to: path, versions: versions, environment: invocation.environment,
                nowMilliseconds: SystemClock.realtimeMilliseconds())
            try console.result(
                [
                    "bundle": [
                        "path": .string(report.path), "bytes": .integer(report.bytes),
                        "parts": .array(report.parts.map { .string($0) }),
                        "missing": .members(report.missing.map { .init($0.key, .string($0.value)) }),
                    ]
                ],
                ([
                    "Wrote \(report.path): \(report.parts.joined(separator: ", ")). Nothing in it is personal or secret; look, if you like: tar -xOf \(report.path)"
                ]
                    + report.missing.sorted { $0.key < $1.key }.map { "  without \($0.key): \($0.value)" }).joined(
                        separator: "\n"))
            return .done
        })

    private static var versions: [JSONValue.Member] {
        let system = (try? FileDescriptor(readingFile: "/etc/os-release").readToEnd(limit: 1 << 16)) ?? []
        let name = String(decoding: system, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let kernel = (try? FileDescriptor(readingFile: "/proc/sys/kernel/osrelease").readToEnd(limit: 256)) ?? []
        return [
            .init("system", .string(String(name?.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } ?? "unknown"))),
            .init("kernel", .string(String(decoding: kernel, as: UTF8.self).trimmed)),
        ]
    }
}
