import CaptureLedger
import MediaChecks
import SessionDomain

extension Verb {
    static let scan = Verb(
        path: ["scan"], summary: "Run a live scan over a folder of pictures or a video, and keep the best frame.",
        details: """
            It looks at frames as a live scan does, in time: the first moments of a video are dropped, one frame in a while is looked at, \
            and a streak of good ones captures the best of them. Pictures of a folder come in the order of their names; none is dropped. \
            No ledger is needed. It ends with 65 when nothing was captured.
            """,
        positionals: [Positional("FOLDER|VIDEO", "pictures, or a video")],
        options: [
            .choice("piece", scanned.map(\.rawValue), "what is scanned"),
            .value("policy", "FILE", "thresholds and streaks (the standard policy)"),
            .value("interval", "MS", "milliseconds from one picture of a folder to the next (300)"),
            .value("out", "FILE", "a new file for the captured frame: the picture itself, or a frame of the video as PNG"),
            .value("annotate", "OUT.png", "a new file for the frame with boxes and verdicts drawn on it"),
        ],
        examples: [
            "capture-ledger scan frames/ --piece passport_front --annotate seen.png",
            "capture-ledger scan selfie.mp4 --piece selfie --out best.png --json",
        ],
        exits: [.refused, .notFound, .cannotCreate, .inputOutput, .notPermitted],
        run: { invocation, console in
            let request = try ScanRequest(invocation)
            let outcome = try await Blocking.run { try request.outcome() }
            try outcome.write(request)
            try console.result(outcome.json, outcome.words(request.piece))
            return outcome.captured == nil ? .refused : .done
        })

    static let scanned: [Piece] = [.passportFront, .passportBack, .selfie]
}
