import Benchmarks
import SessionDomain
import SystemCalls

extension Verb {
    static let benchChecks = Verb(
        path: ["bench", "checks"], summary: "Measure decoding and judging a picture, stage by stage, beside vipsthumbnail.",
        positionals: [Positional("FILE", "the picture; twelve megapixels make figures that can be compared")],
        options: [.value("side", "N", "of the square it is scaled into (640)"), .value("rounds", "N", "of both sides (9)")],
        examples: ["capture-ledger bench checks page.jpg --rounds 9 --json"], exits: [.notFound],
        run: { invocation, console in
            let models = try CheckBench(invocation).tools.room().open()
            defer { models.close() }
            let figures = try Bench.checks(
                FileSystem.absolute(invocation[0]), side: Int(try invocation.integer("side", in: 16...4096) ?? 640),
                rounds: Int(try invocation.integer("rounds", in: 1...1000) ?? 9), models: models)
            var rows = [["stage", "ms"]]
            for stage in CheckFigures.Stage.allCases {
                if let median = figures.median(stage) { rows.append([stage.rawValue, String((median * 10).rounded() / 10)]) }
            }
            let ratio = figures.ratio.map { "\nOpen and letterbox take \(($0 * 100).rounded() / 100) of vipsthumbnail's time." }
            try console.result(
                figures.json, Words.table(rows) + (ratio ?? "\nvipsthumbnail is not installed: apt-get install libvips-tools."))
            return .done
        })
}
