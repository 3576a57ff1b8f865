import Audit
import CaptureLedger
import SessionDomain

extension Verb {
    static let auditProve = Verb(
        path: ["audit", "prove"],
        summary: "Prove that an event is in the log, or that the log only grew, to somebody without it.",
        details: """
            The proof is JSON (docs/proof.md). --requests takes lines such as "inclusion 7", "inclusion 7 12" (event, tree size) and \
            "consistency 4 12", and prints one proof a line.
            """,
        options: [
            .value("position", "N", "that the event at this position is under the root"),
            .value("size", "S", "of a log of so many events; else of the next checkpoint"),
            .value("from", "SIZE", "that a log of --to events begins with one of so many"),
            .value("to", "SIZE", "see --from; else all events"),
            .value("requests", "FILE", "many proofs; - is standard input"), .value("out", "FILE", "put the proof there"),
        ],
        examples: [
            "capture-ledger audit prove --position 7 --out event-7.proof.json",
            "capture-ledger audit prove --from 4 --to 12 --json",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput],
        run: { invocation, console in
            let ledger = try invocation.openForReading()
            if let path = invocation.text("requests") {
                let requests = try ProofRequestLines.read(InputFile.text(path, limit: 64 << 20))
                try ledger.prove(requests) { (proof) throws(LedgerError) in
                    do { try console.say(proof.json.canonical + "\n") } catch { throw .outputClosed }
                }
                return .done
            }
            let proof: LedgerProof
            switch (try invocation.integer("position", in: 1...Int64.max), try invocation.integer("from")) {
            case (let position?, nil):
                let size = try invocation.integer("size", in: 1...Int64.max)
                proof = .inclusion(try ledger.inclusionProof(position: position, size: size))
            case (nil, let earlier?):
                let size = try invocation.integer("to")
                proof = .consistency(try ledger.consistencyProof(from: earlier, to: try size ?? ledger.lastPosition()))
            default:
                throw Complaint.usage(
                    "audit prove needs one thing to prove.", remedy: "Give --position N, or --from SIZE --to SIZE.")
            }
            if let path = invocation.text("out") { try OutputFile.replace(path, proof.json.canonicalBytes + [0x0A]) }
            try console.result(proof.json, proof.words(writtenTo: invocation.text("out")))
            return .done
        })
}

extension LedgerError {
    /// Whoever read standard output went away.
    fileprivate static let outputClosed = LedgerError(
        code: .init(rawValue: "output_closed"), message: "Standard output was closed.", remedy: "Ask for the rest again.")
}

extension LedgerProof {
    var json: JSONValue {
        switch self {
        case .inclusion(let proof): proof.json
        case .consistency(let proof): proof.json
        }
    }

    fileprivate func words(writtenTo path: String?) -> String {
        let what =
            switch self {
            case .inclusion(let proof):
                "Position \(proof.position) is under the root of \(Words.count(Int(proof.treeSize), "event")), \(proof.root.hex).\n"
                    + (proof.checkpoint == nil
                        ? "No checkpoint of that size was signed: run audit checkpoint." : "That root is signed.")
            case .consistency(let proof):
                "The log of \(Words.count(Int(proof.toSize), "event")) begins with the one of \(proof.fromSize)."
            }
        return what + "\n" + (path.map { "The proof is in \($0)." } ?? "The proof itself: add --json or --out FILE.")
    }
}

/// Many proofs as lines of words.
enum ProofRequestLines {
    static func read(_ text: String) throws(Complaint) -> [ProofRequest] {
        var requests: [ProofRequest] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int64($0) }
            switch (words.first, numbers.count, words.count) {
            case ("inclusion", 1, 2): requests.append(.inclusion(position: numbers[0], size: nil))
            case ("inclusion", 2, 3): requests.append(.inclusion(position: numbers[0], size: numbers[1]))
            case ("consistency", 2, 3): requests.append(.consistency(from: numbers[0], to: numbers[1]))
            default:
                throw .usage(
                    "Line \(index + 1) of the requests is not understood.",
                    remedy: "Write \"inclusion POSITION [SIZE]\" or \"consistency FROM TO\" on it.")
            }
        }
        return requests
    }
}
