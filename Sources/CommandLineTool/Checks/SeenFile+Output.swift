import CaptureLedger
import MediaChecks
import SessionDomain

extension SeenFile {
    var findings: [Finding] { judgement?.report.findings ?? [] }

    var json: JSONValue {
        let report = judgement?.report
        let object: JSONValue = [
            "failure": .text(failure?.rawValue), "findings": findings.json,
            "detections": .array(report?.detections.map(\.json) ?? []),
        ]
        let text = failure?.text
        return object.adding("policy_version", report.map { .string($0.policyVersion) })
            .adding("page", report?.page.map(\.json)).adding("fields", report?.fields.map(\.json))
            .adding("detail", detail.map { .string($0) }).adding("message", text.map { .string($0.user) })
            .adding("remedy", text.map { .string($0.remedy) }).adding("obstacle", obstacle?.json)
            .adding(
                "media",
                media.map { ["type": .string($0.type.rawValue), "width": .whole($0.width), "height": .whole($0.height)] })
    }

    func words(_ piece: Piece) -> String {
        let table = findings.isEmpty ? [] : [findings.words(piece)]
        guard let failure else { return (["It passed as \(piece.rawValue)."] + table).joined(separator: "\n") }
        let why = obstacle?.words ?? "\(failure.text.user) \(failure.text.remedy)"
        return (["It fails as \(piece.rawValue): \(Words.plain(failure.rawValue)). \(why)"] + table).joined(separator: "\n")
    }
}
